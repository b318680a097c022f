#include "cli/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"

namespace stoker::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Combining marks, joiners and variation selectors: drawn onto the character before.
constexpr std::array kZero = std::to_array<Range>({{0x0300, 0x036F},
                                                   {0x0483, 0x0489},
                                                   {0x0591, 0x05BD},
                                                   {0x064B, 0x065F},
                                                   {0x1AB0, 0x1AFF},
                                                   {0x1DC0, 0x1DFF},
                                                   {0x200B, 0x200F},
                                                   {0x2060, 0x2064},
                                                   {0x20D0, 0x20FF},
                                                   {0xFE00, 0xFE0F},
                                                   {0xFE20, 0xFE2F},
                                                   {0xE0100, 0xE01EF}});

// East Asian wide and full-width characters and emoji (Unicode Standard Annex 11).
constexpr std::array kWide = std::to_array<Range>({{0x1100, 0x115F},
                                                   {0x2E80, 0x303E},
                                                   {0x3041, 0x33FF},
                                                   {0x3400, 0x4DBF},
                                                   {0x4E00, 0x9FFF},
                                                   {0xA000, 0xA4CF},
                                                   {0xAC00, 0xD7A3},
                                                   {0xF900, 0xFAFF},
                                                   {0xFE30, 0xFE6F},
                                                   {0xFF00, 0xFF60},
                                                   {0xFFE0, 0xFFE6},
                                                   {0x1F300, 0x1F64F},
                                                   {0x1F680, 0x1F6FF},
                                                   {0x1F900, 0x1F9FF},
                                                   {0x20000, 0x3FFFD}});

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &Range::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

std::size_t width_of(char32_t c) {
  if (c < 0x300) return 1;
  if (within(kZero, c)) return 0;
  return within(kWide, c) ? 2 : 1;
}

struct Character {
  std::size_t bytes;
  std::size_t width;
};

// The character that starts at `at`; a byte that starts none stands for itself.
Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  if (lead < 0x80) return {1, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length == 1 || at + length > text.size()) return {1, 1};
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<std::uint8_t>(text[at + i]);
    if ((next & 0xC0) != 0x80) return {1, 1};
    value = (value << 6) | (next & 0x3F);
  }
  return {length, width_of(value)};
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    width += c.width;
    at += c.bytes;
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (text_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character c = character_at(text, at);
    if (used + c.width > width - 1) break;
    used += c.width;
    at += c.bytes;
  }
  return std::string(text.substr(0, at)) + "…";
}

std::string printable(std::string_view text) {
  std::string out = to_valid_utf8(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(out[i]);
    if (byte < 0x20 || byte == 0x7F) out[i] = ' ';
    // U+0080 to U+009F: the second way to write control characters.
    if (byte == 0xC2 && i + 1 < out.size() && static_cast<std::uint8_t>(out[i + 1]) < 0xA0) {
      out[i] = ' ';
      out[++i] = ' ';
    }
  }
  return out;
}

}  // namespace stoker::cli
