#include "core/workflow/definition/characters.h"

namespace stoker::asl {

std::uint32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 1 || first < 0xc0 || text.size() < length) {
    text.remove_prefix(1);
    return first < 0x80 ? first : 0xfffd;
  }
  std::uint32_t character = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i)
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  text.remove_prefix(length);
  return character;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

bool is_control(std::uint32_t character) {
  return character < 0x20 || (character >= 0x7f && character <= 0x9f);
}

}  // namespace stoker::asl
