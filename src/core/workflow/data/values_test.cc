#include "core/workflow/data/values.h"

#include <gtest/gtest.h>

namespace stoker::asl {
namespace {

json::Value parse(std::string_view text) {
  return *json::parse(text);
}

TEST(Values, NumbersCompareByValue) {
  EXPECT_EQ(compare_numbers(parse("1"), parse("1.0")), std::partial_ordering::equivalent);
  EXPECT_EQ(compare_numbers(parse("-1"), parse("18446744073709551615")), std::partial_ordering::less);
  EXPECT_EQ(compare_numbers(parse("9007199254740993"), parse("9007199254740992")),
            std::partial_ordering::greater);
}

TEST(Values, NumbersAreCutToWholeOnes) {
  std::int64_t out = 0;
  EXPECT_TRUE(truncate_to_int(parse("1.9"), out));
  EXPECT_EQ(out, 1);
  EXPECT_TRUE(truncate_to_int(parse("-1.9"), out));
  EXPECT_EQ(out, -1);
  EXPECT_FALSE(truncate_to_int(parse("1e30"), out));
  EXPECT_FALSE(truncate_to_int(parse("18446744073709551615"), out));
  EXPECT_FALSE(truncate_to_int(parse("\"1\""), out));
}

TEST(Values, TextsCompareByCodeUnits) {
  EXPECT_TRUE(compare_text("A", "A ") < 0);
  EXPECT_TRUE(compare_text("A ", "AB") < 0);
  EXPECT_TRUE(compare_text("Z", "a") < 0);
  EXPECT_TRUE(compare_text("ab", "ab") == 0);
  EXPECT_TRUE(compare_text("z", "\xc3\xa9") < 0);
  // U+1F600 is D83D DE00 in UTF-16, which is less than U+FF21.
  EXPECT_TRUE(compare_text("\xf0\x9f\x98\x80", "\xef\xbc\xa1") < 0);
  EXPECT_TRUE(compare_text("\xf0\x9f\x98\x80", "\xed\x9f\xbf") > 0);
}

TEST(Values, EqualityIsDeep) {
  EXPECT_TRUE(equal_values(parse(R"([1,{"a":[]}])"), parse(R"([1.0,{"a":[]}])"), Members::Ordered));
  EXPECT_TRUE(equal_values(parse(R"({"a":1,"b":2})"), parse(R"({"b":2,"a":1})"), Members::Unordered));
  EXPECT_FALSE(equal_values(parse(R"({"a":1,"b":2})"), parse(R"({"b":2,"a":1})"), Members::Ordered));
  EXPECT_FALSE(equal_values(parse(R"({"a":1})"), parse(R"({"a":1,"b":2})"), Members::Unordered));
  EXPECT_FALSE(equal_values(parse("[1]"), parse("[1,1]"), Members::Ordered));
  EXPECT_FALSE(equal_values(parse("1"), parse("\"1\""), Members::Ordered));
  EXPECT_FALSE(equal_values(parse("null"), parse("false"), Members::Ordered));
}

TEST(Values, DepthIsCountedInBrackets) {
  EXPECT_FALSE(deeper_than(parse("1"), 0));
  EXPECT_TRUE(deeper_than(parse("[]"), 0));
  EXPECT_FALSE(deeper_than(parse(R"([{"a":1}])"), 2));
  EXPECT_TRUE(deeper_than(parse(R"([{"a":[]}])"), 2));
}

TEST(Values, ClipsBetweenCharacters) {
  EXPECT_EQ(clip("abc", 3), "abc");
  EXPECT_EQ(clip("abc", 2), "ab");
  EXPECT_EQ(clip("a\xc3\xa9", 2), "a");
}

}  // namespace
}  // namespace stoker::asl
