#pragma once
// How wide text is on a terminal, where a character may take no column, one or two.
#include <cstddef>
#include <string>
#include <string_view>

namespace stoker::cli {

// Columns of valid or invalid UTF-8; every invalid byte counts one.
std::size_t text_width(std::string_view text);

// What fits into `width` columns, with '…' at the end when something was cut off. `width` 0 gives "".
std::string cut_to_width(std::string_view text, std::size_t width);

// One line that does a terminal no harm, whatever it holds: control characters become spaces, invalid bytes
// U+FFFD. For names and reasons, which come from others.
std::string printable(std::string_view text);

}  // namespace stoker::cli
