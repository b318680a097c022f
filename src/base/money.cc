#include "base/money.h"

#include "base/text.h"

namespace stoker {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kDollarsMax = 1'000'000'000'000;
constexpr std::size_t kDecimals = 6;

bool all_digits(std::string_view text) {
  for (const char c : text)
    if (c < '0' || c > '9') return false;
  return !text.empty();
}

std::string with_decimals(std::int64_t units, std::int64_t per_dollar) {
  const bool negative = units < 0;
  const std::int64_t size = negative ? -units : units;
  const std::string decimals = std::to_string(per_dollar + size % per_dollar).substr(1);
  return (negative ? "-" : "") + std::to_string(size / per_dollar) + "." + decimals;
}

}  // namespace

std::optional<Money> parse_money(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (!all_digits(whole) || !all_digits(part) || part.size() > kDecimals) return std::nullopt;
  const auto units = parse_int(whole);
  if (!units || *units > kDollarsMax) return std::nullopt;
  std::string decimals{part};
  decimals.resize(kDecimals, '0');
  const std::int64_t micros = *units * kMicros + *parse_int(decimals);
  return Money{negative ? -micros : micros};
}

std::string to_text(Money money) {
  return with_decimals(money.micros, kMicros);
}

std::string to_cents(Money money) {
  constexpr std::int64_t kPerCent = 10'000;
  const std::int64_t half = money.micros < 0 ? -kPerCent / 2 : kPerCent / 2;
  return with_decimals((money.micros + half) / kPerCent, 100);
}

}  // namespace stoker
