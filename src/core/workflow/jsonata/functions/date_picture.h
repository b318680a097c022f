#pragma once
// Instants by a picture such as "[Y0001]-[M01]-[D01]": XPath and XQuery Functions 3.1, section 9.8.4.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/workflow/jsonata/functions/integer_picture.h"

namespace stoker::jsonata {

struct DatePart {
  enum class Names { None, Lower, Upper, Title };
  char component = 0;  // 0: literal text
  std::string literal;
  Names names = Names::None;
  std::optional<IntegerFormat> integer;
  std::optional<std::size_t> width_max;
  bool zulu = false;     // 't': Z for UTC
  int year_digits = -1;  // that are kept of years, months and days
};

Answer<std::vector<DatePart>> read_date_picture(std::string_view picture);

// `timezone` "+hhmm"; empty: UTC.
Answer<std::string> write_date(Heap& heap, double millis, const std::vector<DatePart>& parts,
                               std::string_view timezone);
// Nothing when the text does not fit. What is left out is taken from `now`, or is the least there is.
Answer<std::optional<double>> read_date(Heap& heap, std::string_view text, const std::vector<DatePart>& parts,
                                        Instant now);
// Without a picture: ISO 8601. Nothing when it does not look like it, NaN when there is no such instant.
std::optional<double> read_iso_date(std::string_view text);

}  // namespace stoker::jsonata
