#pragma once
#include <string>
#include <string_view>

#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

// $formatNumber: decimal formats of XPath and XQuery Functions 3.1, section 4.7. `options` may replace the
// characters of the picture.
Answer<std::string> format_number(double number, std::string_view picture, const Value& options);

}  // namespace stoker::jsonata
