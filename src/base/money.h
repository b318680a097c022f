#pragma once
// US dollars in whole millionths. All decisions and sums about money are made in them, so that they add up.
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace stoker {

struct Money {
  std::int64_t micros = 0;
  auto operator<=>(const Money&) const = default;
};
constexpr Money dollars(std::int64_t n) {
  return {n * 1'000'000};
}
constexpr Money operator+(Money a, Money b) {
  return {a.micros + b.micros};
}
constexpr Money operator-(Money a, Money b) {
  return {a.micros - b.micros};
}
constexpr Money operator*(Money a, std::int64_t n) {
  return {a.micros * n};
}
constexpr Money& operator+=(Money& a, Money b) {
  a.micros += b.micros;
  return a;
}

// 128 bits: a price times a time times a share does not fit in 64.
__extension__ using Wide = __int128;

// What `per_hour` makes in `time`, to the nearest millionth. Both may be any value whose result fits.
constexpr Money cost_of(Money per_hour, Duration time) {
  constexpr Wide kHour = 3'600'000;
  const Wide product = static_cast<Wide>(per_hour.micros) * time.ms;
  const Wide half = product < 0 ? -kHour / 2 : kHour / 2;
  return {static_cast<std::int64_t>((product + half) / kHour)};
}

// "21.957642", "-3", "0.5": at most six decimals, no exponent. Nothing for other text and for more than
// a million million dollars.
std::optional<Money> parse_money(std::string_view text);
// Always with six decimals: "21.957642".
std::string to_text(Money money);
// With two decimals, rounded to the nearest cent, for people: "21.96".
std::string to_cents(Money money);

}  // namespace stoker
