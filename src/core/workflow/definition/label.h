#pragma once
// Label of a distributed Map: it becomes part of the names of its executions.
#include <string>

#include "core/workflow/definition/fields.h"

namespace stoker::asl {

inline constexpr std::size_t kLabelCharsMax = 40;

// "" when there is none or it is refused.
std::string read_label(const Fields& fields, Reading& reading);

}  // namespace stoker::asl
