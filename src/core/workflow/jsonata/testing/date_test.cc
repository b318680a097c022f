#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(DateTest, HasOneInstantAnEvaluation) {
  check({
      {"as text", "$now()", R"("2026-03-01T12:30:45.678Z")"},
      {"as a number", "$millis()", "1772368245678"},
      {"by a picture in a zone", "$now('[H]:[m] [z]', '+0530')", R"("18:00 GMT+05:30")"},
  });
}

TEST(DateTest, WritesByPicture) {
  check({
      {"ISO 8601 without one", "$fromMillis(1772368245678)", R"("2026-03-01T12:30:45.678Z")"},
      {"in a zone", "$fromMillis(1772368245678, (), '-0800')", R"("2026-03-01T04:30:45.678-08:00")"},
      {"numbers", "$fromMillis(1772368245678, '[Y]/[M]/[D] [H01]:[m]:[s].[f001]')",
       R"("2026/3/1 12:30:45.678")"},
      {"names", "$fromMillis(1772368245678, '[FNn], [D1o] [MNn] [Y,2-2]')", R"("Sunday, 1st March 26")"},
      {"short names", "$fromMillis(1772368245678, '[FN,3-3] [Mn,*-3]')", R"("SUN mar")"},
      {"half days", "$fromMillis(1772368245678, '[h]:[m01] [P] [PN]')", R"("12:30 pm PM")"},
      {"words and Roman numerals", "$fromMillis(1772368245678, '[Dwo] of [MNn], [YI]')",
       R"("first of March, MMXXVI")"},
      {"days and weeks of the year", "$fromMillis(1772368245678, '[d] [X]-W[W01]-[F1]')",
       R"("60 2026-W09-7")"},
      {"weeks at the turn of the year", "$fromMillis(1483228800000, '[Y]: [X]-W[W01]-[F1]')",
       R"("2017: 2016-W52-7")"},
      {"weeks of months", "$fromMillis(1772368245678, '[w] [x]')", R"("4 2")"},
      {"brackets are doubled", "$fromMillis(0, '[[[Y]]]')", R"("[1970]")"},
      {"zones", "$fromMillis(0, '[Z] [Z0] [Z0000] [z]', '+0200')", R"("+02:00 +2 +0200 GMT+02:00")"},
      {"Z for none", "$fromMillis(0, '[Z01:01t]')", R"("Z")"},
      {"before the epoch", "$fromMillis(-1, '[Y]-[M]-[D] [H]:[m]:[s].[f]')", R"("1969-12-31 23:59:59.999")"},
      {"no such component", "$fromMillis(0, '[q]')",
       R"(D3132: Unknown component specifier "q" in date/time picture string)"},
      {"no name for days of months", "$fromMillis(0, '[DN]')",
       R"(D3133: The 'name' modifier can only be applied to months and days in the date/time picture string, not "D")"},
      {"zones of five digits", "$fromMillis(0, '[Z00000]')",
       "D3134: The timezone integer format specifier cannot have more than four digits"},
      {"no closing bracket", "$fromMillis(0, '[Y')",
       "D3135: No matching closing bracket ']' in date/time picture string"},
      {"instants beyond the calendar", "$fromMillis(1e20)",
       "D1001: Number out of range: 100000000000000000000"},
  });
}

TEST(DateTest, ReadsByPicture) {
  check({
      {"ISO 8601 without one", "$toMillis('2026-03-01T12:30:45.678Z')", "1772368245678"},
      {"in part", "[$toMillis('2026'), $toMillis('2026-03'), $toMillis('2026-03-01')]",
       "[1767225600000,1772323200000,1772323200000]"},
      {"in a zone", "$toMillis('2026-03-01T12:30:45.678+01:00')", "1772364645678"},
      {"not anything else", "$toMillis('yesterday')",
       R"(D3110: The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given "yesterday")"},
      {"numbers", "$toMillis('01/03/2026', '[D]/[M]/[Y]')", "1772323200000"},
      {"names and ordinals", "$toMillis('1st March 2026', '[D1o] [MNn] [Y]')", "1772323200000"},
      {"words", "$toMillis('first of March, two thousand and twenty-six', '[Dwo] of [MNn], [Yw]')",
       "1772323200000"},
      {"half days", "$toMillis('2026-3-1 12:30 pm', '[Y]-[M]-[D] [h]:[m] [P]')", "1772368200000"},
      {"days of the year", "$toMillis('2026-060', '[Y]-[d001]')", "1772323200000"},
      {"zones", "$toMillis('2026-03-01 +0100', '[Y]-[M]-[D] [Z0000]')", "1772319600000"},
      {"what is larger comes from now", "$toMillis('10:30', '[H]:[m]')", "1772361000000"},
      {"text that does not fit is nothing", "$toMillis('x', '[Y]')", "undefined"},
      {"gaps are errors", "$toMillis('2026 10', '[Y] [H]')",
       "D3136: The date/time picture string is missing specifiers required to parse the timestamp"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
