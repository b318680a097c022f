#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::aws_environment;
using testing::check;
using testing::result_of;

TEST(AwsFunctionTest, AddsToTheLanguage) {
  check(
      {
          {"parts of so many", "$partition([1..5], 2)", "[[1,2],[3,4],[5]]"},
          {"parts have a size", "$partition([1], 0)",
           R"(T0410: Argument 2 of function "partition" does not match function signature)"},
          {"ranges include their end", "$range(1, 9, 2)", "[1,3,5,7,9]"},
          {"downwards", "$range(3, 1, -1)", "[3,2,1]"},
          {"arguments lose their fractions", "$range(1.9, 3.9, 1.9)", "[1,2,3]"},
          {"one number stands for itself", "$range(1, 9, 9)", "1"},
          {"the wrong way there is nothing", "[$range(1, 3, -1), $range(1, 3, 0)]", "[]"},
          {"digests", "$hash('hello', 'SHA-1')", R"("aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d")"},
          {"of known kinds", "$hash('hello', 'CRC')",
           R"(T0410: Argument 2 of function "hash" does not match function signature)"},
          {"JSON from text", R"($parse('{"a": [1, {"b": null}]}').a[0])", "1"},
          {"a random number of a seed is always the same",
           "$random(7) = $random(7) and $random(7) != $random(8)", "true"},
      },
      {}, aws_environment());
  EXPECT_EQ(result_of("$parse('{')", {}, aws_environment()).substr(0, 6), "D3120:");
}

TEST(AwsFunctionTest, MakesUuids) {
  const std::string uuid = result_of("$uuid()", {}, aws_environment());
  EXPECT_EQ(uuid, R"("00000000-0000-4000-9e37-79b97f4a7c15")");
  EXPECT_EQ(
      result_of("$contains($uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)",
                {}, aws_environment()),
      "true");
}

TEST(AwsFunctionTest, IsUnknownOutside) {
  for (const char* call :
       {"$partition([1], 1)", "$range(1, 2, 1)", "$hash('a', 'MD5')", "$uuid()", "$parse('1')"})
    EXPECT_EQ(result_of(call), "T1006: Attempted to invoke a non-function") << call;
}

}  // namespace
}  // namespace stoker::jsonata
