#pragma once
// Counting and judging the characters of names, which are Unicode.
#include <cstdint>
#include <optional>
#include <string_view>

namespace stoker::asl {

// The first code point of valid UTF-8, taken off `text`; U+FFFD for a byte that is none.
std::uint32_t take_character(std::string_view& text);
std::size_t count_characters(std::string_view text);
bool is_control(std::uint32_t character);

}  // namespace stoker::asl
