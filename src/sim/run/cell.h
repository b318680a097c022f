#pragma once
// Names in tables for people. They come from others: from traces and scenarios.
#include <cstddef>
#include <string>
#include <string_view>

namespace stoker::sim {

// One line that does a terminal no harm: control characters become spaces, bytes that are no UTF-8 U+FFFD.
std::string one_line(std::string_view text);
// Characters; each is taken to fill a column.
std::size_t columns_of(std::string_view text);
// One line of so many columns, or cut to them.
std::string cut_to_columns(std::string_view text, std::size_t columns);
// The same, filled up with spaces.
std::string to_columns(std::string_view text, std::size_t columns);

}  // namespace stoker::sim
