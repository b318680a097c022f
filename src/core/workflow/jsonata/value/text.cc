#include "core/workflow/jsonata/value/text.h"

#include <algorithm>
#include <cstdint>

namespace stoker::jsonata {

namespace {

bool is_high(char32_t c) {
  return c >= 0xd800 && c < 0xdc00;
}
bool is_low(char32_t c) {
  return c >= 0xdc00 && c < 0xe000;
}
std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}
bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xc0) == 0x80;
}

// Where the last code point begins when it is the first half of a pair, else the end.
std::size_t lone_high_at_end(std::string_view text) {
  if (text.size() < 3 || byte_at(text, text.size() - 3) != 0xed) return text.size();
  const std::uint8_t second = byte_at(text, text.size() - 2);
  return second >= 0xa0 && second < 0xb0 ? text.size() - 3 : text.size();
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const std::uint8_t lead = byte_at(text, at);
  const int more = lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  ++at;
  if (lead < 0xc0 || lead >= 0xf8) return lead;
  char32_t point = lead & (0x3fU >> more);
  for (int i = 0; i < more; ++i) {
    if (!continues(text, at)) return lead;
    point = point << 6 | (byte_at(text, at++) & 0x3fU);
  }
  return point;
}

void append_code_point(std::string& out, char32_t point) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_unit(std::string& out, char16_t unit) {
  const std::size_t high = is_low(unit) ? lone_high_at_end(out) : out.size();
  if (high == out.size()) return append_code_point(out, unit);
  std::size_t at = high;
  const char32_t first = next_code_point(out, at);
  out.resize(high);
  append_code_point(out, 0x10000 + ((first - 0xd800) << 10) + (unit - 0xdc00U));
}

void append_text(std::string& out, std::string_view text) {
  const bool starts_low = text.size() >= 3 && byte_at(text, 0) == 0xed && byte_at(text, 1) >= 0xb0;
  if (starts_low) {
    std::size_t at = 0;
    append_unit(out, static_cast<char16_t>(next_code_point(text, at)));
    text.remove_prefix(at);
  }
  out += text;
}

std::string_view first_character(std::string_view text) {
  std::size_t at = 0;
  if (!text.empty()) next_code_point(text, at);
  return text.substr(0, at);
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80; }));
}

std::u16string to_utf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = next_code_point(text, at);
    if (point < 0x10000) {
      out += static_cast<char16_t>(point);
    } else {
      out += static_cast<char16_t>(0xd7c0 + (point >> 10));
      out += static_cast<char16_t>(0xdc00 + (point & 0x3ff));
    }
  }
  return out;
}

std::string to_utf8(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t point = text[i];
    if (is_high(point) && i + 1 < text.size() && is_low(text[i + 1])) {
      ++i;
      point = 0x10000 + ((point - 0xd800) << 10) + (text[i] - 0xdc00U);
    }
    append_code_point(out, point);
  }
  return out;
}

std::string without_lone_halves(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t point = next_code_point(text, at);
    if (is_high(point) || is_low(point))
      append_code_point(out, 0xfffd);
    else
      out += text.substr(from, at - from);
  }
  return out;
}

int compare_utf16(std::string_view a, std::string_view b) {
  const auto [left, right] = std::mismatch(
      a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  const auto at = static_cast<std::size_t>(left - a.begin());
  if (at == a.size() || at == b.size()) return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
  const std::uint8_t x = byte_at(a, at);
  const std::uint8_t y = byte_at(b, at);
  // Code points above U+FFFF begin with a surrogate, so they sort before U+E000..U+FFFF (bytes EE and EF).
  if ((x >= 0xf0) != (y >= 0xf0) && x >= 0xee && y >= 0xee) return x >= 0xf0 ? -1 : 1;
  return x < y ? -1 : 1;
}

}  // namespace stoker::jsonata
