#include "core/workflow/definition/json_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "json/json.h"

namespace stoker::asl {
namespace {

// "line:column message", "" when there is no fault.
std::string fault_of(std::string_view text) {
  const auto fault = find_json_fault(text, 20);
  if (!fault) return "";
  const std::size_t line = fault->source.rfind("; line: ");
  std::string place = fault->source.substr(line + 8);
  place.pop_back();
  place.replace(place.find(", column: "), 10, ":");
  return place + " " + fault->message;
}

TEST(FindJsonFault, SpeaksLikeTheParserOfAws) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"{\"a\":[1,-2.5e+3,true,null,\"\\u00fc\\n\"],\"b\":{}} ", ""},
      {"", "1:1 No content to map due to end-of-input"},
      {"{",
       "1:2 Unexpected end-of-input: expected close marker for Object (start marker at [Source: "
       "(String)\"{\"; line: 1, column: 1])"},
      {"{'a'}", "1:3 Unexpected character (''' (code 39)): was expecting double-quote to start field name"},
      {"{\"a\":1,}",
       "1:9 Unexpected character ('}' (code 125)): was expecting double-quote to start field name"},
      {"[1,]",
       "1:5 Unexpected character (']' (code 93)): expected a valid value (JSON String, Number, Array, "
       "Object or token 'null', 'true' or 'false')"},
      {"[1 2]", "1:5 Unexpected character ('2' (code 50)): was expecting comma to separate Array entries"},
      {"{\"a\" 1}",
       "1:7 Unexpected character ('1' (code 49)): was expecting a colon to separate field name and "
       "value"},
      {"{\n\"a\":1\n]",
       "3:2 Unexpected close marker ']': expected '}' (for Object starting at [Source: "
       "(String)\"{\n\"a\":1\n]\"; line: 1, column: 1])"},
      {"{\"a\":1,\"a\":2}", "1:11 Duplicate field 'a'"},
      {"\"abc", "1:5 Unexpected end-of-input: was expecting closing quote for a string value"},
      {"\"a\nb\"",
       "1:4 Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash to be "
       "included in string value"},
      {"\"\\x\"", "1:4 Unrecognized character escape 'x' (code 120)"},
      {"\"\\u12g4\"",
       "1:7 Unexpected character ('g' (code 103)): expected a hex-digit for character escape "
       "sequence"},
      {"012", "1:3 Invalid numeric value: Leading zeroes not allowed"},
      {"-",
       "1:2 Unexpected end-of-input in numeric value: expected digit (0-9) to follow minus sign, for valid "
       "numeric value"},
      {"1.x",
       "1:4 Unexpected character ('x' (code 120)) in numeric value: Decimal point not followed by a digit"},
      {"undefined",
       "1:10 Unrecognized token 'undefined': was expecting (JSON String, Number, Array, Object or "
       "token 'null', 'true' or 'false')"},
      {"{} {}", "1:5 Unexpected character ('{' (code 123)): expected the end of the text after the value"},
      {"[[[[[[[[[[[[[[[[[[[[[1", "1:22 Document nesting depth exceeds the maximum allowed (20)"},
  };
  for (const auto& [text, fault] : kCases) EXPECT_EQ(fault_of(text), fault) << text;
}

TEST(FindJsonFault, ShowsTheBeginningOfALongText) {
  const std::string source = find_json_fault(std::string(600, ' ') + "x", 20)->source;
  EXPECT_THAT(source, testing::EndsWith("[truncated 101 chars]; line: 1, column: 602]"));
}

// Whatever it lets pass, the parser reads, and whatever the parser reads without a member given twice it lets
// pass.
TEST(FindJsonFault, NumbersBeyondEveryDouble) {
  for (const std::string& text : {std::string("1e999"), std::string("[-2.5e400]"),
                                  std::string("1e99999999999"), std::string(400, '9')}) {
    ASSERT_TRUE(find_json_fault(text, 20)) << text;
    EXPECT_TRUE(find_json_fault(text, 20)->message.starts_with("Numeric value (")) << text;
    EXPECT_FALSE(json::parse(text)) << text;
  }
  for (const std::string& text : {std::string("1e308"), std::string("1e-999"), std::string(300, '9')})
    EXPECT_FALSE(find_json_fault(text, 20)) << text;
}

TEST(FindJsonFault, AgreesWithTheParser) {
  constexpr std::string_view kPieces[] = {"{",     "}", "[",      "]",           ",",    ":", "\"a\"",
                                          "\"b\"", "1", "-0.5e1", "true",        "null", " ", "\n",
                                          "0",     ".", "e",      "\"\\u0041\"", "\\"};
  Rng rng(7);
  int valid = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (std::uint64_t i = 1 + rng.below(7); i > 0; --i) text += kPieces[rng.below(std::size(kPieces))];
    const auto fault = find_json_fault(text, 20);
    const bool read = json::parse(text, {.depth_max = 20, .bytes_max = 1000}).has_value();
    const bool twice = fault && fault->message.starts_with("Duplicate field");
    if (!twice) {
      EXPECT_EQ(!fault, read) << text << (fault ? fault->message : "");
    }
    valid += read;
  }
  EXPECT_GT(valid, 250);
}

}  // namespace
}  // namespace stoker::asl
