// Dates from text: the picture becomes a regular expression, whose groups are the components.
#include <cmath>
#include <limits>
#include <map>

#include "base/text.h"
#include "core/workflow/jsonata/functions/calendar.h"
#include "core/workflow/jsonata/functions/date_names.h"
#include "core/workflow/jsonata/functions/date_picture.h"
#include "core/workflow/jsonata/regex/regex.h"
#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

using Components = std::map<char, std::optional<double>>;

std::string escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (std::string_view(".*+?^${}()|[]\\").contains(c)) out += '\\';
    out += c;
  }
  return out;
}

bool is_zone(const DatePart& part) {
  return part.component == 'Z' || part.component == 'z';
}

std::string zone_separator(const DatePart& part) {
  std::string out;
  if (part.integer->regular > 0) append_code_point(out, part.integer->separators[0].character);
  return out;
}

Answer<std::string> pattern_of(const DatePart& part) {
  if (part.component == 0) return escaped(part.literal);
  if (is_zone(part)) {
    const std::string separator = zone_separator(part);
    std::string out = part.component == 'z' ? "GMT[-+][0-9]+" : "[-+][0-9]+";
    if (!separator.empty()) out += escaped(separator) + "[0-9]+";
    return out;
  }
  if (part.integer) return integer_pattern(*part.integer, part.year_digits);
  if (!std::string_view("MxFP").contains(part.component))
    return std::unexpected(Fault("D3133").with_text("value", std::string_view(&part.component, 1)));
  return "[a-zA-Z]+";
}

// Minutes east of Greenwich.
double read_zone(std::string_view text, const DatePart& part) {
  if (part.component == 'z') text.remove_prefix(std::min<std::size_t>(3, text.size()));
  const auto number = [](std::string_view digits) {
    return leading_int(digits).value_or(std::numeric_limits<double>::quiet_NaN());
  };
  const std::string separator = zone_separator(part);
  if (!separator.empty()) {
    const std::size_t at = text.find(separator);
    return number(text.substr(0, at)) * 60 +
           number(text.substr(std::min(text.size(), at + separator.size())));
  }
  if (text.size() <= 3) return number(text) * 60;
  return number(text.substr(0, 3)) * 60 + number(text.substr(3));
}

std::optional<double> read_name(std::string_view text, const DatePart& part) {
  if (part.component == 'P') {
    if (text == "am" || text == "AM") return 0;
    if (text == "pm" || text == "PM") return 1;
    return std::nullopt;
  }
  const std::span<const std::string_view> names = part.component == 'F'
                                                      ? std::span<const std::string_view>(kDayNames)
                                                      : std::span<const std::string_view>(kMonthNames);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t width = part.width_max && *part.width_max > 0 ? *part.width_max : names[i].size();
    if (names[i].substr(0, width) == text) return static_cast<double>(i + 1);
  }
  return std::nullopt;
}

Answer<std::optional<double>> read_part(std::string_view text, const DatePart& part) {
  if (is_zone(part)) return read_zone(text, part);
  if (part.integer) return TRY(read_integer(text, *part.integer));
  return read_name(text, part);
}

// One of `wanted` is there and none of `components` that is not wanted. What is zero does not count as there.
bool is_kind(const Components& found, std::string_view components, std::string_view wanted) {
  bool any = false;
  for (const char component : components) {
    const auto at = found.find(component);
    const bool there = at != found.end() && at->second && *at->second != 0 && !std::isnan(*at->second);
    if (there && !wanted.contains(component)) return false;
    any = any || there;
  }
  return any;
}

// Fills in what is missing, from the largest component to the smallest: before those given from `now`, behind
// them with the least; a gap between them is an error.
Answer<void> complete(Components& components, std::string_view order, Instant now) {
  bool started = false;
  bool ended = false;
  for (const char component : order) {
    std::optional<double>& value = components[component];
    if (value) {
      started = true;
      if (ended) return fault("D3136");
      continue;
    }
    if (started) {
      value = std::string_view("MDd").contains(component) ? 1 : 0;
      ended = true;
    } else {
      value = static_cast<double>(date_component(now.ms, component));
    }
  }
  return {};
}

Answer<double> instant_of(Components components, Instant now) {
  constexpr std::string_view kDateComponents = "YXMxWwdD";
  constexpr std::string_view kTimeComponents = "PHhmsf";
  const bool by_date = is_kind(components, kDateComponents, "YMD");
  const bool by_day_of_year = !by_date && is_kind(components, kDateComponents, "Yd");
  const bool by_week_of_month = is_kind(components, kDateComponents, "Xxw");
  const bool by_week = !by_week_of_month && is_kind(components, kDateComponents, "XW");
  const bool of_24_hours = is_kind(components, kTimeComponents, "Hmsf");
  const bool of_12_hours = !of_24_hours && is_kind(components, kTimeComponents, "Phmsf");
  std::string order = by_day_of_year ? "YD" : by_week_of_month ? "XxwF" : by_week ? "XWF" : "YMD";
  order += of_12_hours ? "Phmsf" : "Hmsf";
  TRY(complete(components, order, now));
  if (by_week_of_month || by_week) return fault("D3136");  // as the reference: not derived from weeks
  const auto value = [&](char component) { return components[component].value_or(0); };
  double month = value('M') > 0 ? value('M') - 1 : 0;
  double day = value('D');
  if (by_day_of_year) {
    const double at = utc_millis(value('Y'), 0, value('d'));
    if (std::isnan(at)) return at;
    const CalendarTime time = calendar_time(static_cast<std::int64_t>(at));
    month = time.month;
    day = time.day;
  }
  double hour = value('H');
  if (of_12_hours) hour = (value('h') == 12 ? 0 : value('h')) + (value('P') == 1 ? 12 : 0);
  double out = utc_millis(value('Y'), month, day, hour, value('m'), value('s'), value('f'));
  const double zone = value('Z') != 0 ? value('Z') : value('z');
  out -= zone * 60'000;
  return out;
}

}  // namespace

Answer<std::optional<double>> read_date(Heap& heap, std::string_view text, const std::vector<DatePart>& parts,
                                        Instant now) {
  std::string pattern = "^";
  for (const DatePart& part : parts) pattern += "(" + TRY(pattern_of(part)) + ")";
  pattern += "$";
  TRY(heap.step(pattern.size()));
  const auto regex = Regex::compile(pattern, {.ignore_case = true});
  if (!regex) return std::unexpected(Fault("S0303").with("reason", regex.error()));
  const std::u16string units = to_utf16(text);
  Regex::Groups groups;
  std::int64_t steps = heap.steps_left();
  const std::int64_t before = steps;
  const Regex::Found found = regex->search(units, 0, steps, groups);
  TRY(heap.step(static_cast<std::size_t>(before - std::max<std::int64_t>(steps, 0))));
  if (found != Regex::Found::Yes) return std::nullopt;
  Components components;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].component == 0) continue;
    const std::size_t begin = groups[2 * i + 2];
    const std::string part = to_utf8(std::u16string_view(units).substr(begin, groups[2 * i + 3] - begin));
    components[parts[i].component] = TRY(read_part(part, parts[i]));
  }
  if (components.empty()) return std::nullopt;
  return TRY(instant_of(std::move(components), now));
}

namespace {

// Takes digits from the front: exactly `count` of them.
std::optional<double> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  for (const char c : text.substr(0, count))
    if (c < '0' || c > '9') return std::nullopt;
  const auto out = parse_double(text.substr(0, count));
  text.remove_prefix(count);
  return out;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Hours and minutes of a zone in milliseconds; "Z" is none.
std::optional<double> take_zone(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return 0;
  const bool east = take(text, '+');
  if (!east && !take(text, '-')) return std::nullopt;
  const auto hours = take_digits(text, 2);
  take(text, ':');
  const auto minutes = take_digits(text, 2);
  if (!hours || !minutes || *hours > 29 || *minutes > 59) return std::nullopt;
  return (east ? 1 : -1) * (*hours * 60 + *minutes) * 60'000;
}

}  // namespace

std::optional<double> read_iso_date(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year) return std::nullopt;
  double month = 1;
  double day = 1;
  for (double* field : {&month, &day}) {
    if (!text.starts_with('-') || text.find(':') == 3) break;  // "-05:00" is a zone
    text.remove_prefix(1);
    const auto value = take_digits(text, 2);
    if (!value) return std::nullopt;
    *field = *value;
  }
  double hour = 0;
  double minute = 0;
  double second = 0;
  if (take(text, 'T')) {
    bool first = true;
    for (double* field : {&hour, &minute, &second}) {
      if (!first && !take(text, ':')) return std::nullopt;
      first = false;
      const auto value = take_digits(text, 2);
      if (!value) return std::nullopt;
      *field = *value;
    }
  }
  double millisecond = 0;
  if (take(text, '.')) {
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits == 0) return std::nullopt;
    std::string fraction(text.substr(0, std::min<std::size_t>(digits, 3)));
    fraction.resize(3, '0');
    millisecond = parse_double(fraction).value_or(0);
    text.remove_prefix(digits);
  }
  const auto zone = take_zone(text);
  if (!zone || !text.empty() || month > 19 || day > 39 || hour > 29 || minute > 59 || second > 59)
    return std::nullopt;
  const bool exists = month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
                      (hour < 24 || (hour == 24 && minute == 0 && second == 0));
  if (!exists) return std::numeric_limits<double>::quiet_NaN();
  // Years below 100 are what they say here.
  const double offset = *year < 100
                            ? utc_millis(*year + 400, month - 1, day, hour, minute, second, millisecond) -
                                  146097.0 * static_cast<double>(kMillisPerDay)
                            : utc_millis(*year, month - 1, day, hour, minute, second, millisecond);
  return offset - *zone;
}

}  // namespace stoker::jsonata
