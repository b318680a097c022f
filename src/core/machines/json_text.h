#pragma once
// What is wrong with a text that should be JSON, as error messages of the API say it.
#include <string>
#include <string_view>

namespace stoker::core {

// In the words of AWS's parser where it finds a fault, else `otherwise`.
std::string why_not_json(std::string_view text, std::string_view otherwise);

}  // namespace stoker::core
