#include "cli/quantity.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/text.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

bool is_number_part(char c) {
  return (c >= '0' && c <= '9') || c == '.';
}

std::unexpected<Error> bad_memory(std::string_view text) {
  return fail(Code::InvalidArgument,
              "'" + std::string(text) + "' is no amount of memory: write it like 4G, 512M or 1.5G");
}

std::unexpected<Error> bad_duration(std::string_view text) {
  return fail(
      Code::InvalidArgument,
      "'" + std::string(text) + "' is no length of time: write it like 90s, 15m, 2h, 1h30m or 2:30:00");
}

// "h:mm:ss", of which the last two must be below 60.
std::optional<std::int64_t> clock_seconds(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto part = parse_int(parts[i]);
    if (!part || *part < 0 || parts[i].starts_with('-')) return std::nullopt;
    if (i > 0 && (*part > 59 || parts[i].size() != 2)) return std::nullopt;
    if (*part > kDurationMax.ms / 1000) return std::nullopt;
    total = total * 60 + *part;
  }
  return total;
}

std::optional<double> unit_seconds(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return std::nullopt;
  }
}

std::string two_units(std::int64_t big, std::string_view big_unit, std::int64_t small,
                      std::string_view small_unit) {
  std::string out = std::to_string(big);
  out += big_unit;
  if (small < 10) out += '0';
  out += std::to_string(small);
  out += small_unit;
  return out;
}

std::string short_decimal(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
  std::string out(buffer.data());
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace

Result<std::int64_t> parse_memory_mib(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_number_part(text[digits])) ++digits;
  const auto number = parse_double(text.substr(0, digits));
  if (digits == 0 || !number) return bad_memory(text);
  std::string unit = to_lower(text.substr(digits));
  if (unit.ends_with("ib"))
    unit.resize(unit.size() - 2);
  else if (unit.size() == 2 && unit.ends_with('b'))
    unit.resize(1);
  double mib = *number;
  if (unit == "k")
    mib /= 1024;
  else if (unit == "g")
    mib *= 1024;
  else if (unit == "t")
    mib *= 1024.0 * 1024;
  else if (!unit.empty() && unit != "m")
    return bad_memory(text);
  if (!(mib > 0) || mib > static_cast<double>(kMemoryMibMax)) return bad_memory(text);
  return static_cast<std::int64_t>(std::ceil(mib));
}

Result<Duration> parse_duration(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    const auto clock = clock_seconds(text);
    if (!clock || *clock > kDurationMax.ms / 1000) return bad_duration(text);
    return seconds(*clock);
  }
  double total = 0;
  std::string_view rest = text;
  if (rest.empty()) return bad_duration(text);
  while (!rest.empty()) {
    std::size_t digits = 0;
    while (digits < rest.size() && is_number_part(rest[digits])) ++digits;
    const auto number = parse_double(rest.substr(0, digits));
    if (digits == 0 || !number) return bad_duration(text);
    rest.remove_prefix(digits);
    const bool bare = rest.empty() && total == 0;
    const auto unit = bare           ? std::optional<double>(1)
                      : rest.empty() ? std::nullopt
                                     : unit_seconds(rest.front());
    if (!unit) return bad_duration(text);
    total += *number * *unit;
    if (!rest.empty()) rest.remove_prefix(1);
    if (total > static_cast<double>(kDurationMax.ms) / 1000) return bad_duration(text);
  }
  return milliseconds(static_cast<std::int64_t>(std::llround(total * 1000)));
}

std::string duration_text(Duration duration) {
  if (duration.ms <= 0) return "0s";
  if (duration.ms < 95) return std::to_string(duration.ms) + "ms";
  if (duration.ms < 9'950) return short_decimal(static_cast<double>(duration.ms) / 1000) + "s";
  const std::int64_t s = duration.ms / 1000;
  if (s < 60) return std::to_string(s) + "s";
  if (s < 3600) return two_units(s / 60, "m", s % 60, "s");
  if (s < 86400) return two_units(s / 3600, "h", s % 3600 / 60, "m");
  return two_units(s / 86400, "d", s % 86400 / 3600, "h");
}

std::string memory_text(std::int64_t mib) {
  if (mib < 1024) return std::to_string(mib) + "M";
  const double gib = static_cast<double>(mib) / 1024;
  if (gib < 1023.95) return short_decimal(gib) + "G";
  return short_decimal(gib / 1024) + "T";
}

std::string cpus_text(std::int64_t milli) {
  if (milli % 1000 == 0) return std::to_string(milli / 1000);
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3f", static_cast<double>(milli) / 1000);
  std::string out(buffer.data());
  while (out.ends_with('0')) out.pop_back();
  return out;
}

std::string dollars_text(std::string_view amount) {
  std::string text = printable(amount);
  const auto point = text.find('.');
  if (point == std::string::npos) return text;
  while (text.size() > point + 3 && text.back() == '0') text.pop_back();
  return text;
}

}  // namespace stoker::cli
