#include "base/money.h"

#include <gtest/gtest.h>

namespace stoker {
namespace {

TEST(Money, text_goes_there_and_back) {
  for (const char* text : {"21.957642", "0.000001", "-3.500000", "1000000000000.000000"})
    EXPECT_EQ(to_text(parse_money(text).value()), text);
  EXPECT_EQ(parse_money("0.5"), Money{500'000});
  EXPECT_EQ(parse_money("3"), dollars(3));
}

TEST(Money, what_is_no_amount_is_nothing) {
  for (const char* text : {"", "-", ".5", "5.", "1e3", "1.0000001", " 1", "1 ", "--1", "1.-5",
                           "1000000000001", "99999999999999999999"})
    EXPECT_FALSE(parse_money(text)) << text;
}

TEST(Money, a_price_times_a_time_is_rounded_to_the_nearest_millionth) {
  EXPECT_EQ(cost_of(dollars(36), seconds(100)), dollars(1));
  EXPECT_EQ(cost_of(Money{3600}, milliseconds(500)), Money{1}) << "half a millionth";
  EXPECT_EQ(cost_of(Money{3600}, milliseconds(499)), Money{0});
  EXPECT_EQ(cost_of(Money{-3600}, milliseconds(500)), Money{-1});
  EXPECT_EQ(cost_of(dollars(1'000'000), hours(1'000'000)), dollars(1'000'000'000'000))
      << "beyond 64 bits between";
}

TEST(Money, people_read_cents) {
  EXPECT_EQ(to_cents(Money{21'957'642}), "21.96");
  EXPECT_EQ(to_cents(Money{-4'999}), "0.00");
  EXPECT_EQ(to_cents(Money{-5'000}), "-0.01");
}

}  // namespace
}  // namespace stoker
