#include "core/workflow/data/values.h"

#include <cmath>

namespace stoker::asl {

using boost::json::kind;

bool is_finite(const json::Value& number) {
  return std::isfinite(as_double(number));
}

double as_double(const json::Value& number) {
  switch (number.kind()) {
    case kind::int64:
      return static_cast<double>(number.get_int64());
    case kind::uint64:
      return static_cast<double>(number.get_uint64());
    case kind::double_:
      return number.get_double();
    default:
      return 0;
  }
}

bool truncate_to_int(const json::Value& number, std::int64_t& out) {
  if (number.is_int64()) {
    out = number.get_int64();
    return true;
  }
  if (!number.is_double()) return false;  // an unsigned number is stored so only above 2^63
  const double whole = std::trunc(number.get_double());
  constexpr double kBound = 9223372036854775808.0;  // 2^63
  if (!(whole >= -kBound && whole < kBound)) return false;
  out = static_cast<std::int64_t>(whole);
  return true;
}

std::partial_ordering compare_numbers(const json::Value& a, const json::Value& b) {
  if (a.is_int64() && b.is_int64()) return a.get_int64() <=> b.get_int64();
  if (a.is_uint64() && b.is_uint64()) return a.get_uint64() <=> b.get_uint64();
  return as_double(a) <=> as_double(b);
}

std::strong_ordering compare_text(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < size; ++i) {
    const auto x = static_cast<std::uint8_t>(a[i]);
    const auto y = static_cast<std::uint8_t>(b[i]);
    if (x == y) continue;
    // Bytes order like code points, and these like UTF-16 but for U+E000 to U+FFFF, which come after the
    // surrogates that all higher ones are made of.
    constexpr std::uint8_t kAboveSurrogates = 0xee;
    constexpr std::uint8_t kPairs = 0xf0;
    if (x >= kAboveSurrogates && y >= kAboveSurrogates && (x >= kPairs) != (y >= kPairs)) return y <=> x;
    return x <=> y;
  }
  return a.size() <=> b.size();
}

namespace {

bool equal_objects(const json::Object& a, const json::Object& b, Members members) {
  if (a.size() != b.size()) return false;
  if (members == Members::Ordered) {
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
      if (i->key() != j->key() || !equal_values(i->value(), j->value(), members)) return false;
    return true;
  }
  for (const auto& [key, value] : a) {
    const json::Value* other = b.if_contains(key);
    if (other == nullptr || !equal_values(value, *other, members)) return false;
  }
  return true;
}

}  // namespace

bool equal_values(const json::Value& a, const json::Value& b, Members members) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case kind::bool_:
      return a.get_bool() == b.get_bool();
    case kind::string:
      return a.get_string() == b.get_string();
    case kind::array: {
      const json::Array& left = a.get_array();
      const json::Array& right = b.get_array();
      if (left.size() != right.size()) return false;
      for (std::size_t i = 0; i < left.size(); ++i)
        if (!equal_values(left[i], right[i], members)) return false;
      return true;
    }
    case kind::object:
      return equal_objects(a.get_object(), b.get_object(), members);
    default:
      return true;  // null
  }
}

bool deeper_than(const json::Value& value, std::size_t depth_max) {
  if (value.is_array()) {
    if (depth_max == 0) return true;
    for (const json::Value& item : value.get_array())
      if (deeper_than(item, depth_max - 1)) return true;
  } else if (value.is_object()) {
    if (depth_max == 0) return true;
    for (const auto& member : value.get_object())
      if (deeper_than(member.value(), depth_max - 1)) return true;
  }
  return false;
}

std::size_t count_code_units(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if ((byte & 0xc0) != 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}

namespace {

std::size_t weigh(const json::Value& value) {
  constexpr std::size_t kScalar = 8;
  constexpr std::size_t kPerItem = 4;  // quotes, colon, comma
  std::size_t bytes = kScalar;
  if (value.is_string()) bytes += value.get_string().size();
  if (value.is_array())
    for (const json::Value& item : value.get_array()) bytes += weigh(item);
  if (value.is_object())
    for (const auto& member : value.get_object())
      bytes += member.key().size() + kPerItem + weigh(member.value());
  return bytes;
}

}  // namespace

bool Meter::add(const json::Value& value) {
  const std::size_t bytes = weigh(value);
  if (bytes > bytes_left_) return false;
  bytes_left_ -= bytes;
  return true;
}

std::string_view clip(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace stoker::asl
