#pragma once
// JSON for people, by its text alone: numbers and strings stay as they were written.
#include <string>
#include <string_view>

namespace stoker::cli {

// `text` with two spaces of indentation; it must be JSON. Empty objects and arrays stay in one line.
std::string indented_json(std::string_view text);

}  // namespace stoker::cli
