#pragma once
// Distinct types for ids, so that one cannot be passed for another.
#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stoker {

// A number with a meaning: `using JobNo = Number<struct JobNoTag>`. 0 means "none".
template <class Tag>
struct Number {
  std::uint64_t value = 0;
  auto operator<=>(const Number&) const = default;
  explicit operator bool() const { return value != 0; }
};

// A version 4 UUID as 16 bytes. The random bytes come from the caller.
struct Uuid {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const Uuid&) const = default;
  explicit operator bool() const { return *this != Uuid{}; }

  // 16 random bytes with the version and variant bits set.
  static Uuid from_random(std::uint64_t high, std::uint64_t low);
  // The usual text, 8-4-4-4-12 lower or upper case hex digits; nothing else is accepted.
  static std::optional<Uuid> parse(std::string_view text);
  [[nodiscard]] std::string str() const;
};

}  // namespace stoker

template <class Tag>
struct std::hash<stoker::Number<Tag>> {
  std::size_t operator()(stoker::Number<Tag> n) const noexcept { return std::hash<std::uint64_t>{}(n.value); }
};
template <>
struct std::hash<stoker::Uuid> {
  std::size_t operator()(const stoker::Uuid& id) const noexcept {
    std::uint64_t half;
    std::memcpy(&half, id.bytes.data() + 8, sizeof half);
    return half;
  }
};
