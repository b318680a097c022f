#include "core/workflow/jsonata/functions/integer_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "core/workflow/jsonata/functions/number_words.h"
#include "core/workflow/jsonata/value/letter_case.h"
#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

using Kind = IntegerFormat::Kind;
using Case = IntegerFormat::Case;

// The zeros of the scripts in the basic plane that have digits of their own.
constexpr char32_t kZeros[] = {0x30,   0x660,  0x6f0,  0x7c0,  0x966,  0x9e6,  0xa66,  0xae6,  0xb66,  0xbe6,
                               0xc66,  0xce6,  0xd66,  0xde6,  0xe50,  0xed0,  0xf20,  0x1040, 0x1090, 0x17e0,
                               0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
                               0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10};

char32_t zero_of(char32_t c) {
  for (const char32_t zero : kZeros)
    if (c >= zero && c < zero + 10) return zero;
  return 0;
}

std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) out += next_code_point(text, at);
  return out;
}

std::size_t regular_interval(const std::vector<IntegerFormat::Separator>& separators) {
  if (separators.empty()) return 0;
  std::size_t factor = 0;
  for (const auto& separator : separators) {
    if (separator.character != separators[0].character) return 0;
    factor = std::gcd(factor, separator.position);
  }
  for (std::size_t i = 1; i <= separators.size(); ++i)
    if (std::none_of(separators.begin(), separators.end(),
                     [&](const auto& separator) { return separator.position == i * factor; }))
      return 0;
  return factor;
}

Answer<void> read_digits(std::string_view picture, IntegerFormat& format) {
  std::u32string points = code_points(picture);
  std::reverse(points.begin(), points.end());  // positions count from the right
  std::size_t position = 0;
  char32_t script = 0;
  for (const char32_t c : points) {
    if (const char32_t zero = zero_of(c); zero != 0) {
      ++format.mandatory;
      ++position;
      if (script == 0) script = zero;
      if (script != zero) return fault("D3131");
    } else if (c == U'#') {
      ++format.optional;
      ++position;
    } else {
      format.separators.push_back({position, c});
    }
  }
  if (format.mandatory == 0) {
    format.kind = Kind::Sequence;
    format.token = picture;
    return {};
  }
  format.zero = script;
  format.regular = regular_interval(format.separators);
  return {};
}

constexpr struct {
  double value;
  std::string_view numeral;
} kRoman[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
              {40, "xl"},  {10, "x"},   {9, "ix"},  {5, "v"},    {4, "iv"},  {1, "i"}};

Answer<std::string> roman(Heap& heap, double number) {
  TRY(heap.room(number / 1000));
  std::string out;
  for (const auto& [value, numeral] : kRoman)
    for (; number >= value; number -= value) out += numeral;
  TRY(heap.step(out.size()));
  return out;
}

double from_roman(std::string_view text) {
  double out = 0;
  double most = 1;
  for (std::size_t i = text.size(); i-- > 0;) {
    double value = std::numeric_limits<double>::quiet_NaN();
    for (const auto& row : kRoman)
      if (row.numeral.size() == 1 && row.numeral[0] == (text[i] | 0x20)) value = row.value;
    if (value < most) {
      out -= value;
    } else {
      most = value;
      out += value;
    }
  }
  return out;
}

std::string letters(double number, char first) {
  std::string out;
  while (number > 0) {
    out += static_cast<char>(first + static_cast<int>(std::fmod(number - 1, 26)));
    number = std::floor((number - 1) / 26);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

double from_letters(std::string_view text, char first) {
  double out = 0;
  double weight = 1;
  for (std::size_t i = text.size(); i-- > 0; weight *= 26) out += (text[i] - first + 1) * weight;
  return out;
}

void insert_separator(std::u32string& digits, double at, char32_t separator) {
  if (at >= 0) {
    digits.insert(static_cast<std::size_t>(at), 1, separator);
    return;
  }
  // More digits wanted than there are: what lies beyond the front counts from the end.
  const double from = std::max(0.0, static_cast<double>(digits.size()) + at);
  digits = separator + digits.substr(static_cast<std::size_t>(from));
}

std::string decimal(double number, const IntegerFormat& format) {
  std::u32string digits = code_points(number_text(number));
  if (digits.size() < format.mandatory) digits.insert(0, format.mandatory - digits.size(), U'0');
  if (format.zero != U'0')
    for (char32_t& digit : digits) digit = digit + format.zero - U'0';
  if (format.regular > 0) {
    for (std::size_t i = (digits.size() - 1) / format.regular; i > 0; --i)
      digits.insert(digits.size() - i * format.regular, 1, format.separators[0].character);
  } else {
    for (std::size_t i = format.separators.size(); i-- > 0;)
      insert_separator(
          digits, static_cast<double>(digits.size()) - static_cast<double>(format.separators[i].position),
          format.separators[i].character);
  }
  std::string out;
  for (const char32_t digit : digits) append_code_point(out, digit);
  if (!format.ordinal) return out;
  const bool teen = digits.size() > 1 && digits[digits.size() - 2] == U'1';
  const char32_t last = digits.back();
  return out + (teen ? "th" : last == U'1' ? "st" : last == U'2' ? "nd" : last == U'3' ? "rd" : "th");
}

double from_decimal(std::string_view text, const IntegerFormat& format) {
  std::u32string digits = code_points(text);
  if (format.ordinal) digits.resize(digits.size() - std::min<std::size_t>(2, digits.size()));
  std::string ascii;
  for (char32_t c : digits) {
    const bool separates = std::any_of(format.separators.begin(), format.separators.end(),
                                       [c](const auto& separator) { return separator.character == c; });
    if (separates) continue;
    if (format.zero != U'0') c = c - format.zero + U'0';
    append_code_point(ascii, c);
  }
  return leading_int(ascii).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::unexpected<Fault> unsupported(const IntegerFormat& format) {
  return std::unexpected(Fault("D3130").with_text("value", format.token));
}

}  // namespace

Answer<IntegerFormat> read_integer_picture(std::string_view picture) {
  IntegerFormat out;
  const std::size_t semicolon = picture.rfind(';');
  if (semicolon != std::string_view::npos) {
    out.ordinal = picture.substr(semicolon + 1).starts_with('o');
    picture = picture.substr(0, semicolon);
  }
  if (picture == "A" || picture == "I" || picture == "W") out.letters = Case::Upper;
  if (picture == "Ww") out.letters = Case::Title;
  if (picture == "A" || picture == "a")
    out.kind = Kind::Letters;
  else if (picture == "I" || picture == "i")
    out.kind = Kind::Roman;
  else if (picture == "W" || picture == "w" || picture == "Ww")
    out.kind = Kind::Words;
  else
    TRY(read_digits(picture, out));
  return out;
}

Answer<std::string> write_integer(Heap& heap, double number, const IntegerFormat& format) {
  if (!std::isfinite(number)) return std::unexpected(Fault("D1001").with("value", "null"));
  const double size = std::fabs(number);
  std::string out;
  switch (format.kind) {
    case Kind::Letters:
      out = letters(size, format.letters == Case::Upper ? 'A' : 'a');
      break;
    case Kind::Roman:
      out = TRY(roman(heap, size));
      if (format.letters == Case::Upper) out = upper_text(out);
      break;
    case Kind::Words:
      out = number_to_words(size, format.ordinal);
      if (format.letters == Case::Upper) out = upper_text(out);
      if (format.letters == Case::Lower) out = to_lower(out);
      break;
    case Kind::Decimal:
      TRY(heap.room(4 * static_cast<double>(format.mandatory)));
      out = decimal(size, format);
      break;
    case Kind::Sequence:
      return unsupported(format);
  }
  return number < 0 ? "-" + out : out;
}

Answer<double> read_integer(std::string_view text, const IntegerFormat& format) {
  switch (format.kind) {
    case Kind::Letters:
      return from_letters(text, format.letters == Case::Upper ? 'A' : 'a');
    case Kind::Roman:
      return from_roman(text);
    case Kind::Words:
      return words_to_number(to_lower(text));
    case Kind::Decimal:
      return from_decimal(text, format);
    default:
      return unsupported(format);
  }
}

Answer<std::string> integer_pattern(const IntegerFormat& format, int digits) {
  const bool upper = format.letters == Case::Upper;
  switch (format.kind) {
    case Kind::Letters:
      return upper ? "[A-Z]+" : "[a-z]+";
    case Kind::Roman:
      return upper ? "[MDCLXVI]+" : "[mdclxvi]+";
    case Kind::Words:
      return words_pattern();
    case Kind::Decimal: {
      std::string out = "[0-9]";
      const int optional = static_cast<int>(std::min<std::size_t>(format.optional, 1000));
      if (digits <= 0)
        out += "+";
      else if (optional == 0)
        out += "{" + std::to_string(digits) + "}";
      else
        out += "{" + std::to_string(std::max(0, digits - optional)) + "," + std::to_string(digits) + "}";
      return format.ordinal ? out + "(?:th|st|nd|rd)" : out;
    }
    default:
      return unsupported(format);
  }
}

}  // namespace stoker::jsonata
