#include "json/json.h"

#include <gtest/gtest.h>

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
