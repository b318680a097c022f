#include "sim/run/cell.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::sim {
namespace {

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line = to_valid_utf8(text);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  // U+0080 to U+009F control terminals, too.
  for (std::size_t at = 0; (at = line.find('\xC2', at)) != std::string::npos; ++at)
    if (static_cast<unsigned char>(line[at + 1]) < 0xA0) line.replace(at, 2, " ");
  return line;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  std::string line = one_line(text);
  std::size_t left = columns;
  const auto end = std::ranges::find_if(line, [&](char c) { return begins_character(c) && left-- == 0; });
  line.erase(end, line.end());
  return line;
}

std::string to_columns(std::string_view text, std::size_t columns) {
  std::string line = cut_to_columns(text, columns);
  line.append(columns - columns_of(line), ' ');
  return line;
}

}  // namespace stoker::sim
