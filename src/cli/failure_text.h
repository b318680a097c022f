#pragma once
// What failed, for people.
#include <string>
#include <string_view>

namespace stoker::cli {

// Error and cause in one line. The long causes of Step Functions, JSON of a whole job or execution, are cut
// down to what a person wants to know.
std::string failure_text(std::string_view error, std::string_view cause);

}  // namespace stoker::cli
