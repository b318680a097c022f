#include "core/workflow/jsonata/value/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stoker::jsonata {

namespace {

struct Digits {
  bool negative = false;
  std::string digits;  // without the point, which stands behind the first
  int exponent = 0;
};

Digits shortest(double number) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  Digits out;
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c == '-') out.negative = true;
    if (c >= '0' && c <= '9') out.digits += c;
  }
  const std::string_view exponent = text.substr(e + 1);
  const std::size_t skip = exponent.starts_with('+') ? 1 : 0;
  std::from_chars(exponent.data() + skip, exponent.data() + exponent.size(), out.exponent);
  return out;
}

double read(const std::string& text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc::result_out_of_range) return out;
  // Too large or too small: the sign of the exponent tells which.
  const bool tiny = text.find("e-") != std::string::npos;
  const double limit = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -limit : limit;
}

}  // namespace

std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  if (number == 0) return "0";
  Digits d = shortest(number);
  const int count = static_cast<int>(d.digits.size());
  const int point = d.exponent + 1;  // digits before the point
  std::string out = d.negative ? "-" : "";
  if (point > 21 || point <= -6) {
    out += d.digits[0];
    if (count > 1) out += "." + d.digits.substr(1);
    return out + (d.exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(d.exponent));
  }
  if (point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + d.digits;
  if (count <= point) return out + d.digits + std::string(static_cast<std::size_t>(point - count), '0');
  d.digits.insert(static_cast<std::size_t>(point), ".");
  return out + d.digits;
}

double to_precision(double number, int digits) {
  if (!std::isfinite(number)) return number;
  constexpr double kExactMax = 1e15;
  if (digits >= 15 && number == std::trunc(number) && std::fabs(number) < kExactMax) return number;
  char buffer[80];
  constexpr int kMore = 30;  // enough to see a half for what it is
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific, digits - 1 + kMore)
          .ptr;
  const std::string text(buffer, end);
  const std::size_t e = text.find('e');
  const auto cut = e - kMore;
  std::string kept = text.substr(0, cut);
  if (text[cut] >= '5') {  // add one to the last digit kept
    std::size_t at = kept.size();
    while (at > 0) {
      char& c = kept[--at];
      if (c == '-' || c == '.') continue;
      if (c != '9') {
        ++c;
        break;
      }
      c = '0';
      const bool first = at == 0 || kept[at - 1] == '-';
      if (first) {
        kept.insert(at, "1");  // 9.99 becomes 10.00: the point stays, so ten times as much
        break;
      }
    }
  }
  return read(kept + text.substr(e));
}

std::string fixed_text(double number, int decimals) {
  char buffer[480];  // 309 digits, the point and at most 150 decimals
  constexpr int kDecimalsMax = 150;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed,
                                 std::min(decimals, kDecimalsMax))
                       .ptr;
  return std::string(buffer, end);
}

std::string radix_text(double number, int radix) {
  if (radix == 10 || !std::isfinite(number)) return number_text(number);
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string out;
  double rest = std::fabs(std::trunc(number));
  do {
    const double next = std::floor(rest / radix);
    out.insert(out.begin(), kDigits[static_cast<std::size_t>(std::fmod(rest, radix))]);
    rest = next;
  } while (rest > 0);
  return number < 0 ? "-" + out : out;
}

std::optional<double> leading_int(std::string_view text) {
  std::size_t at = text.find_first_not_of(" \t\n\r\v\f");
  if (at == std::string_view::npos) return std::nullopt;
  const bool negative = text[at] == '-';
  if (negative || text[at] == '+') ++at;
  const std::size_t begin = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  if (at == begin) return std::nullopt;
  const double out = read(std::string(text.substr(begin, at - begin)));
  return negative ? -out : out;
}

double shift_decimal(double number, int exponent) {
  if (!std::isfinite(number)) return number;
  const Digits d = shortest(number);
  std::string text = d.negative ? "-" : "";
  text += d.digits.substr(0, 1) + "." + (d.digits.size() > 1 ? d.digits.substr(1) : "0");
  return read(text + "e" + std::to_string(static_cast<std::int64_t>(d.exponent) + exponent));
}

double round_half_even(double number, int decimals) {
  const double shifted = decimals == 0 ? number : shift_decimal(number, decimals);
  double out = std::floor(shifted + 0.5);
  if (out - shifted == 0.5 && std::fabs(std::fmod(out, 2)) == 1) out -= 1;
  // Adding a half loses precision just below it and for large odd numbers.
  if (std::fabs(out - shifted) > 0.5) out = std::nearbyint(shifted);
  if (decimals != 0) out = shift_decimal(out, -decimals);
  return out == 0 ? 0 : out;
}

}  // namespace stoker::jsonata
