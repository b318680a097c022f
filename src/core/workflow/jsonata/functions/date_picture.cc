#include "core/workflow/jsonata/functions/date_picture.h"

#include <cmath>

#include "base/text.h"
#include "core/workflow/jsonata/functions/calendar.h"
#include "core/workflow/jsonata/functions/date_names.h"
#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

using Names = DatePart::Names;

constexpr std::string_view kComponents = "YMDdFWwXxHhPmsfZzCE";
constexpr std::string_view kIntegerComponents = "YMDdFWwXxHhmsf";

std::string_view default_presentation(char component) {
  switch (component) {
    case 'F':
    case 'P':
    case 'C':
    case 'E':
      return "n";
    case 'm':
    case 's':
      return "01";
    case 'Z':
    case 'z':
      return "01:01";
    default:
      return "1";
  }
}

std::optional<std::size_t> read_width(std::string_view text) {
  const auto number = leading_int(text);
  constexpr double kWidthMax = 1000;
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::size_t>(std::min(*number, kWidthMax));
}

// The text between the brackets.
Answer<DatePart> read_marker(std::string_view text) {
  std::string marker;
  for (const char c : text)
    if (!std::string_view(" \t\n\r\v\f").contains(c)) marker += c;
  DatePart out;
  out.component = marker.empty() ? '\0' : marker[0];
  if (out.component == '\0' || !kComponents.contains(out.component))
    return std::unexpected(Fault("D3132").with_text("value", first_character(marker)));
  std::optional<std::size_t> width_min;
  std::string presentation = marker.substr(1);
  if (const std::size_t comma = marker.rfind(','); comma != std::string::npos) {
    const std::string_view width = std::string_view(marker).substr(comma + 1);
    const std::size_t dash = width.find('-');
    width_min = read_width(width.substr(0, dash));
    if (dash != std::string_view::npos) out.width_max = read_width(width.substr(dash + 1));
    presentation = marker.substr(1, std::max<std::size_t>(comma, 1) - 1);
  }
  char second = 0;
  if (presentation.size() > 1 && std::string_view("atco").contains(presentation.back())) {
    second = presentation.back();
    presentation.pop_back();
  }
  if (presentation.empty()) presentation = default_presentation(out.component);
  out.zulu = second == 't';
  const bool zone = out.component == 'Z' || out.component == 'z';
  if (presentation[0] == 'n')
    out.names = Names::Lower;
  else if (presentation[0] == 'N')
    out.names = presentation.substr(1).starts_with('n') ? Names::Title : Names::Upper;
  else if (kIntegerComponents.contains(out.component)) {
    std::string picture = presentation;
    if (second != 0) picture += std::string(";") + second;
    IntegerFormat format = TRY(read_integer_picture(picture));
    if (width_min && format.mandatory < *width_min) format.mandatory = *width_min;
    if (std::string_view("YMD").contains(out.component)) {
      if (out.width_max) {
        out.year_digits = static_cast<int>(*out.width_max);
        format.mandatory = *out.width_max;
      } else if (format.mandatory + format.optional >= 2) {
        out.year_digits = static_cast<int>(std::min<std::size_t>(format.mandatory + format.optional, 1000));
      }
    }
    out.integer = std::move(format);
  }
  if (zone) out.integer = TRY(read_integer_picture(presentation));
  return out;
}

void add_literal(std::vector<DatePart>& parts, std::string_view text) {
  if (text.empty()) return;
  DatePart part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    part.literal += text[i];
    if (text.substr(i).starts_with("]]")) ++i;  // a doubled bracket stands for one
  }
  parts.push_back(std::move(part));
}

struct Offset {
  double hours = 0, minutes = 0;
};

Offset read_offset(std::string_view timezone) {
  const double offset = leading_int(timezone).value_or(0);
  return {std::floor(offset / 100), std::fmod(offset, 100)};
}

std::string cased(std::string_view name, Names names) {
  if (names == Names::Lower) return to_lower(name);
  std::string out(name);
  if (names == Names::Upper)
    for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return out;
}

Answer<std::string> write_zone(Heap& heap, const DatePart& part, const Offset& offset) {
  const IntegerFormat& format = *part.integer;
  const double whole = offset.hours * 100 + offset.minutes;
  if (whole == 0 && part.zulu) return "Z";
  std::string out;
  if (format.kind == IntegerFormat::Kind::Sequence || (format.regular == 0 && format.mandatory > 4) ||
      format.mandatory == 0)
    return fault("D3134");
  if (format.regular == 0 && format.mandatory <= 2) {
    out = TRY(write_integer(heap, offset.hours, format));
    if (offset.minutes != 0) {
      const auto minutes = read_integer_picture("00");
      out += ":" + TRY(write_integer(heap, offset.minutes, *minutes));
    }
  } else {
    out = TRY(write_integer(heap, whole, format));
  }
  if (whole >= 0) out.insert(0, "+");
  return part.component == 'z' ? "GMT" + out : out;
}

Answer<std::string> write_part(Heap& heap, std::int64_t millis, const DatePart& part, const Offset& offset) {
  switch (part.component) {
    case '\0':
      return part.literal;
    case 'Z':
    case 'z':
      return write_zone(heap, part, offset);
    case 'P': {
      const std::string_view half = calendar_time(millis).hour >= 12 ? "pm" : "am";
      return cased(half, part.names == Names::Upper ? Names::Upper : Names::Lower);
    }
    case 'C':
    case 'E':
      return "ISO";
    default:
      break;
  }
  double value = static_cast<double>(date_component(millis, part.component));
  if (part.names == Names::None) {
    if (part.component == 'Y' && part.year_digits != -1)
      value = std::fmod(value, std::pow(10, part.year_digits));
    return write_integer(heap, value, *part.integer);
  }
  std::string_view name;
  if (part.component == 'M' || part.component == 'x')
    name = kMonthNames[static_cast<std::size_t>(value) - 1];
  else if (part.component == 'F')
    name = kDayNames[static_cast<std::size_t>(value) - 1];
  else
    return std::unexpected(Fault("D3133").with_text("value", std::string_view(&part.component, 1)));
  return cased(name.substr(0, part.width_max.value_or(name.size())), part.names);
}

}  // namespace

Answer<std::vector<DatePart>> read_date_picture(std::string_view picture) {
  std::vector<DatePart> out;
  std::size_t start = 0;
  std::size_t at = 0;
  while (at < picture.size()) {
    if (picture[at] != '[') {
      ++at;
      continue;
    }
    add_literal(out, picture.substr(start, at - start));
    if (picture.substr(at).starts_with("[[")) {
      out.emplace_back().literal = "[";
      start = at += 2;
      continue;
    }
    const std::size_t end = picture.find(']', at);
    if (end == std::string_view::npos) return fault("D3135");
    out.push_back(TRY(read_marker(picture.substr(at + 1, end - at - 1))));
    start = at = end + 1;
  }
  add_literal(out, picture.substr(start));
  return out;
}

Answer<std::string> write_date(Heap& heap, double millis, const std::vector<DatePart>& parts,
                               std::string_view timezone) {
  const Offset offset = timezone.empty() ? Offset{} : read_offset(timezone);
  const double local = std::trunc(millis) + (60 * offset.hours + offset.minutes) * 60'000;
  if (!(std::fabs(local) <= kMillisMax))
    return std::unexpected(Fault("D1001").with("value", number_text(millis)));
  std::string out;
  for (const DatePart& part : parts) {
    TRY(heap.step());
    out += TRY(write_part(heap, static_cast<std::int64_t>(local), part, offset));
    TRY(heap.room(static_cast<double>(out.size())));
  }
  return out;
}

}  // namespace stoker::jsonata
