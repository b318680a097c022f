#include "core/workflow/jsonata/functions/format_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

using Text = std::u16string;
using View = std::u16string_view;

struct Properties {
  Text decimal = u".", grouping = u",", exponent = u"e", minus = u"-", percent = u"%", per_mille = u"\u2030",
       zero = u"0", digit = u"#", pattern = u";";

  explicit Properties(const Value& options) {
    const auto read = [&](std::string_view name, Text& into) {
      if (const Value value = options.member(name); value.is_text() && !value.as_text().empty())
        into = to_utf16(value.as_text());
    };
    read("decimal-separator", decimal);
    read("grouping-separator", grouping);
    read("exponent-separator", exponent);
    read("minus-sign", minus);
    read("percent", percent);
    read("per-mille", per_mille);
    read("zero-digit", zero);
    read("digit", digit);
    read("pattern-separator", pattern);
  }

  [[nodiscard]] bool is_decimal_digit(char16_t c) const { return c >= zero[0] && c - zero[0] < 10; }
  [[nodiscard]] bool is_digit(char16_t c) const { return is_decimal_digit(c) || View(&c, 1) == digit; }
  [[nodiscard]] bool is_active(char16_t c) const {
    const View unit(&c, 1);
    return is_digit(c) || unit == decimal || unit == exponent || unit == grouping || unit == pattern;
  }
};

struct SubPicture {
  Text picture, prefix, suffix, active, mantissa, integer, fraction;
  std::optional<Text> exponent;
};

std::size_t count_if(View text, auto&& predicate) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), predicate));
}

std::optional<SubPicture> split_parts(const Text& picture, const Properties& properties) {
  const auto bounds = [&](char16_t c) {
    return properties.is_active(c) && View(&c, 1) != properties.exponent;
  };
  const auto first = std::find_if(picture.begin(), picture.end(), bounds);
  if (first == picture.end()) return std::nullopt;
  const auto last = std::find_if(picture.rbegin(), picture.rend(), bounds).base();
  SubPicture out;
  out.picture = picture;
  out.prefix = Text(picture.begin(), first);
  out.suffix = Text(last, picture.end());
  out.active = Text(first, last);
  const std::size_t at = picture.find(properties.exponent, out.prefix.size());
  out.mantissa = out.active;
  if (at != Text::npos && at <= picture.size() - out.suffix.size()) {
    out.mantissa = out.active.substr(0, at);
    out.exponent = at + 1 <= out.active.size() ? out.active.substr(at + 1) : Text();
  }
  const std::size_t point = out.mantissa.find(properties.decimal);
  out.integer = out.mantissa.substr(0, point);
  out.fraction = point == Text::npos ? out.suffix : out.mantissa.substr(point + properties.decimal.size());
  return out;
}

// Section 4.7.3. The last rule that is broken counts; empty: it is valid.
std::string_view broken_rule(const SubPicture& parts, const Properties& properties) {
  std::string_view error;
  const Text& picture = parts.picture;
  const auto twice = [&](const Text& what) { return picture.find(what) != picture.rfind(what); };
  const bool percent = picture.find(properties.percent) != Text::npos;
  const bool per_mille = picture.find(properties.per_mille) != Text::npos;
  if (twice(properties.decimal)) error = "D3081";
  if (twice(properties.percent)) error = "D3082";
  if (twice(properties.per_mille)) error = "D3083";
  if (percent && per_mille) error = "D3084";
  const auto is_digit = [&](char16_t c) { return properties.is_digit(c); };
  const auto is_decimal_digit = [&](char16_t c) { return properties.is_decimal_digit(c); };
  if (count_if(parts.mantissa, is_digit) == 0) error = "D3085";
  if (count_if(parts.active, [&](char16_t c) { return !properties.is_active(c); }) > 0) error = "D3086";
  const std::size_t point = picture.find(properties.decimal);
  if (point != Text::npos) {
    const bool before = point > 0 && View(picture).substr(point - 1, 1) == properties.grouping;
    if (before || View(picture).substr(point + 1, 1) == properties.grouping) error = "D3087";
  } else if (parts.integer.ends_with(properties.grouping)) {
    error = "D3088";
  }
  if (picture.find(properties.grouping + properties.grouping) != Text::npos) error = "D3089";
  const std::size_t optional = parts.integer.find(properties.digit);
  if (optional != Text::npos && count_if(View(parts.integer).substr(0, optional), is_decimal_digit) > 0)
    error = "D3090";
  const std::size_t last_optional = parts.fraction.rfind(properties.digit);
  if (last_optional != Text::npos &&
      count_if(View(parts.fraction).substr(last_optional), is_decimal_digit) > 0)
    error = "D3091";
  if (parts.exponent && !parts.exponent->empty() && (percent || per_mille)) error = "D3092";
  if (parts.exponent &&
      (parts.exponent->empty() || count_if(*parts.exponent, is_decimal_digit) < parts.exponent->size()))
    error = "D3093";
  return error;
}

struct Format {
  std::vector<std::size_t> integer_groups, fraction_groups;  // positions, counted from the point
  std::size_t regular = 0;                                   // 0: groups are not all of one size
  std::size_t integer_min = 0, fraction_min = 0, fraction_max = 0, exponent_min = 0, scale = 0;
  Text prefix, suffix, picture;
};

std::vector<std::size_t> group_positions(const Text& part, const Text& integer, const Properties& properties,
                                         bool from_left) {
  std::vector<std::size_t> out;
  std::size_t at = part.find(properties.grouping);
  while (at != Text::npos) {
    const View side = from_left ? View(part).substr(0, at) : View(part).substr(std::min(at, part.size()));
    out.push_back(count_if(side, [&](char16_t c) { return properties.is_digit(c); }));
    at = integer.find(properties.grouping, at + 1);
  }
  return out;
}

std::size_t regular_interval(const std::vector<std::size_t>& positions) {
  if (positions.empty()) return 0;
  std::size_t factor = positions[0];
  for (const std::size_t position : positions) factor = std::gcd(factor, position);
  for (std::size_t i = 1; i <= positions.size(); ++i)
    if (std::find(positions.begin(), positions.end(), i * factor) == positions.end()) return 0;
  return factor;
}

// Section 4.7.4.
Format analyse(const SubPicture& parts, const Properties& properties) {
  const auto is_digit = [&](char16_t c) { return properties.is_digit(c); };
  const auto is_decimal_digit = [&](char16_t c) { return properties.is_decimal_digit(c); };
  Format out;
  out.integer_groups = group_positions(parts.integer, parts.integer, properties, false);
  out.regular = regular_interval(out.integer_groups);
  out.fraction_groups = group_positions(parts.fraction, parts.integer, properties, true);
  out.integer_min = out.scale = count_if(parts.integer, is_decimal_digit);
  out.fraction_min = count_if(parts.fraction, is_decimal_digit);
  out.fraction_max = count_if(parts.fraction, is_digit);
  if (out.integer_min == 0 && out.fraction_max == 0) {
    if (parts.exponent)
      out.fraction_min = out.fraction_max = 1;
    else
      out.integer_min = 1;
  }
  if (parts.exponent && out.integer_min == 0 && parts.integer.find(properties.digit) != Text::npos)
    out.integer_min = 1;
  if (out.integer_min == 0 && out.fraction_min == 0) out.fraction_min = 1;
  if (parts.exponent) out.exponent_min = count_if(*parts.exponent, is_decimal_digit);
  out.prefix = parts.prefix;
  out.suffix = parts.suffix;
  out.picture = parts.picture;
  return out;
}

Text digits_of(double number, std::size_t decimals, const Properties& properties) {
  Text out;
  for (const char c : fixed_text(std::fabs(number), static_cast<int>(decimals)))
    out += c == '.' ? u'.' : static_cast<char16_t>(properties.zero[0] + (c - '0'));
  return out;
}

// Section 4.7.5, by its bullets.
Text write(double number, const Format& format, const Properties& properties) {
  double mantissa = std::fabs(number);
  if (format.picture.find(properties.percent) != Text::npos)
    mantissa *= 100;
  else if (format.picture.find(properties.per_mille) != Text::npos)
    mantissa *= 1000;
  mantissa = std::min(mantissa, std::numeric_limits<double>::max());
  int exponent = 0;
  if (format.exponent_min > 0 && mantissa > 0) {
    const double most = std::pow(10, static_cast<double>(format.scale));
    const double least = std::pow(10, static_cast<double>(format.scale) - 1);
    for (; mantissa < least; --exponent) mantissa *= 10;
    for (; mantissa > most; ++exponent) mantissa /= 10;
  }
  constexpr std::size_t kDecimalsMax = 100;
  const std::size_t decimals = std::min(format.fraction_max, kDecimalsMax);
  Text digits = digits_of(round_half_even(mantissa, static_cast<int>(decimals)), decimals, properties);
  // Bullets 7 to 9: no more zeros than the picture asks for.
  const char16_t zero = properties.zero[0];
  std::size_t point = digits.find(u'.');
  Text integer = digits.substr(0, point);
  Text fraction = point == Text::npos ? Text() : digits.substr(point + 1);
  integer.erase(0, std::min(integer.find_first_not_of(zero), integer.size()));
  fraction.erase(fraction.find_last_not_of(zero) + 1);
  if (integer.size() < format.integer_min) integer.insert(0, format.integer_min - integer.size(), zero);
  if (fraction.size() < format.fraction_min) fraction.append(format.fraction_min - fraction.size(), zero);
  // Bullets 10 and 11: grouping.
  const std::size_t width = integer.size();
  const auto group = [&](std::size_t position) {
    if (position <= integer.size()) integer.insert(integer.size() - position, properties.grouping);
  };
  if (format.regular > 0) {
    for (std::size_t i = width == 0 ? 0 : (width - 1) / format.regular; i > 0; --i)
      integer.insert(
          width - i * format.regular + ((width - 1) / format.regular - i) * properties.grouping.size(),
          properties.grouping);
  } else {
    for (const std::size_t position : format.integer_groups) group(position);
  }
  for (const std::size_t position : format.fraction_groups)
    if (position <= fraction.size()) fraction.insert(position, properties.grouping);
  // Bullet 12: a point only before a fraction.
  Text out = format.prefix + integer;
  if (format.picture.find(properties.decimal) != Text::npos && !fraction.empty())
    out += properties.decimal + fraction;
  else if (!fraction.empty())
    out += properties.decimal + fraction.substr(0, fraction.size() - 1);
  if (format.exponent_min > 0) {
    Text power = digits_of(exponent, 0, properties);
    if (power.size() < format.exponent_min) power.insert(0, format.exponent_min - power.size(), zero);
    out += properties.exponent + (exponent < 0 ? properties.minus : Text()) + power;
  }
  return out + format.suffix;
}

}  // namespace

Answer<std::string> format_number(double number, std::string_view picture, const Value& options) {
  if (!std::isfinite(number)) return std::unexpected(Fault("D1001").with("value", "null"));
  const Properties properties(options);
  std::vector<Format> formats;
  Text rest = to_utf16(picture);
  while (true) {
    const std::size_t cut = rest.find(properties.pattern);
    if (formats.size() == 2) return fault("D3080");
    if (cut != Text::npos && rest.find(properties.pattern, cut + properties.pattern.size()) != Text::npos &&
        formats.empty())
      return fault("D3080");
    const auto parts = split_parts(rest.substr(0, cut), properties);
    if (!parts) return fault("D3085");
    if (const auto broken = broken_rule(*parts, properties); !broken.empty()) return fault(broken);
    formats.push_back(analyse(*parts, properties));
    if (cut == Text::npos) break;
    rest.erase(0, cut + properties.pattern.size());
  }
  if (formats.size() == 1) {
    formats.push_back(formats[0]);
    formats[1].prefix.insert(0, properties.minus);
  }
  return to_utf8(write(number, formats[number >= 0 ? 0 : 1], properties));
}

}  // namespace stoker::jsonata
