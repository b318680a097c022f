#include "json/json.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "json/strict.h"

namespace stoker::json {
namespace {

TEST(Json, writes_what_it_read) {
  for (const char* text :
       {R"({"b":1,"a":[1.5,-2,"x\n\u0001é",true,null,{}]})", "[]", "18446744073709551615", "1e+300", "\"\""})
    EXPECT_EQ(write(parse(text).value()), text);
}

TEST(Json, numbers_are_the_shortest_text) {
  EXPECT_EQ(write(parse("[1.50, 1e2, 0.1]").value()), "[1.5,100,0.1]");
}

TEST(Json, long_numbers_are_read_exactly) {
  for (const char* text :
       {"0.9749303621169917", "0.9666666666666667", "123456789.12345679", "1.6000184467440738e+164", "5e-324",
        "1.7976931348623157e+308", "-0.30000000000000004"}) {
    EXPECT_EQ(write(parse(text).value()), text);
    EXPECT_EQ(write(parse("[" + std::string(text) + "]").value()), "[" + std::string(text) + "]");
  }
  Rng rng(7);
  for (int i = 0; i < 20'000; ++i) {
    const double number = std::bit_cast<double>(rng.next());
    if (!std::isfinite(number)) continue;
    const std::string text = write(Value(number));
    const Value again = parse(text).value();
    EXPECT_EQ(again.to_number<double>(), number) << text;
  }
  // No double is so large; one so small is zero.
  EXPECT_EQ(parse("1e999").error().code, Code::InvalidArgument);
  EXPECT_EQ(write(parse("[1e-999]").value()), "[0]");
}

TEST(Json, refuses_everything_but_one_value_and_says_where) {
  struct Row {
    const char* why;
    const char* text;
  };
  for (const Row& row : {Row{"nothing", ""},
                         {"only space", "  "},
                         {"an open object", "{\"a\":"},
                         {"two values", "1 2"},
                         {"bad escape", "\"\\x\""},
                         {"bad UTF-8", "\"\xff\""},
                         {"a comma too many", "[1,]"}}) {
    const auto value = parse(row.text);
    ASSERT_FALSE(value) << row.why;
    EXPECT_EQ(value.error().code, Code::InvalidArgument) << row.why;
    EXPECT_NE(value.error().message.find("at byte"), std::string::npos) << value.error().message;
  }
}

TEST(Json, depth_and_size_are_bounded) {
  EXPECT_TRUE(parse(std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(parse(std::string(100'000, '[')));
  EXPECT_EQ(parse("[1234]", {.bytes_max = 4}).error().code, Code::LimitExceeded);
}

TEST(Json, strictly_a_member_stands_once) {
  for (const char* text : {R"({"a":1,"a":2})", R"([{"x":{"b":1,"c":2,"b":3}}])"}) {
    EXPECT_TRUE(parse(text)) << text;
    EXPECT_EQ(parse_strictly(text).error().message, "JSON: a member stands twice");
  }
  for (const char* text : {R"({"a":{"a":[{"a":1},{"a":2}]},"b":{}})", "[]", "1"})
    EXPECT_EQ(write(parse_strictly(text).value()), text);
  EXPECT_EQ(parse_strictly("[").error().message, parse("[").error().message);
}

TEST(Json, absent_null_and_mistyped_members_read_as_nothing) {
  const Value v = parse(R"({"s":"x","n":null,"i":3})").value();
  EXPECT_EQ(get_string(v, "s"), "x");
  EXPECT_EQ(get_string(v, "i", "none"), "none");
  EXPECT_EQ(find(v, "n"), nullptr);
  EXPECT_EQ(get_int(v, "i"), 3);
  EXPECT_TRUE(get_array(v, "s").empty());
}

}  // namespace
}  // namespace stoker::json
