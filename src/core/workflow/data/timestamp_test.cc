#include "core/workflow/data/timestamp.h"

#include <gtest/gtest.h>

namespace stoker::asl {
namespace {

TEST(Timestamp, ReadsRfc3339) {
  struct Case {
    std::string_view text;
    std::int64_t ms;
  };
  for (const Case& c :
       {Case{"1970-01-01T00:00:00Z", 0}, Case{"2016-03-14T01:59:00Z", 1457920740000},
        Case{"2016-03-14T01:59:00.123Z", 1457920740123}, Case{"2016-03-14T02:59:00+01:00", 1457920740000},
        Case{"2016-03-13T20:29:00-05:30", 1457920740000}, Case{"2024-02-29T12:00:00Z", 1709208000000},
        Case{"1969-12-31T23:59:59.5Z", -500}, Case{"0000-03-01T00:00:00Z", -62162035200000},
        Case{"9999-12-31T23:59:59Z", 253402300799000}})
    EXPECT_EQ(parse_timestamp(c.text), (Timestamp{c.ms, 0})) << c.text;
}

TEST(Timestamp, KeepsWhatIsBelowAMillisecond) {
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:00.000000001Z"), (Timestamp{0, 1}));
  EXPECT_LT(*parse_timestamp("1970-01-01T00:00:00.0001Z"), *parse_timestamp("1970-01-01T00:00:00.0002Z"));
}

TEST(Timestamp, RefusesEverythingElse) {
  for (const std::string_view text : {"",
                                      "2016-03-14",
                                      "2016-03-14T01:59:00",
                                      "2016-03-14 01:59:00Z",
                                      "2016-03-14t01:59:00Z",
                                      "2016-03-14T01:59:00z",
                                      "2016-13-14T01:59:00Z",
                                      "2016-00-14T01:59:00Z",
                                      "2016-02-30T01:59:00Z",
                                      "2023-02-29T01:59:00Z",
                                      "2016-03-14T24:00:00Z",
                                      "2016-03-14T01:60:00Z",
                                      "2016-03-14T01:59:60Z",
                                      "2016-03-14T01:59:00.Z",
                                      "2016-03-14T01:59:00.1234567890Z",
                                      "2016-03-14T01:59:00+0100",
                                      "2016-03-14T01:59:00+01",
                                      "2016-03-14T01:59:00+19:00",
                                      "2016-03-14T01:59:00Zx",
                                      "16-03-14T01:59:00Z",
                                      "05-12-2016T21:29:29Z",
                                      "2016-03-14T1:59:00Z",
                                      " 2016-03-14T01:59:00Z"})
    EXPECT_EQ(parse_timestamp(text), std::nullopt) << text;
}

}  // namespace
}  // namespace stoker::asl
