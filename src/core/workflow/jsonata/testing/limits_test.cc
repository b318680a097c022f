// No expression and no value may hang the process or eat it.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;
using testing::plain_environment;
using testing::result_of;

constexpr std::string_view kMemory = "U1001: Expression evaluation memory limit exceeded";
constexpr std::string_view kSteps = "U1001: Expression evaluation timeout: Check for infinite loop";
constexpr std::string_view kDepth =
    "U1001: Stack overflow error: Check for non-terminating recursive function.  Consider rewriting as "
    "tail-recursive.";
constexpr std::string_view kWritten = "U1001: Expression is nested too deeply";
constexpr std::string_view kValue = "U1001: Value is nested too deeply";

std::string times(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

Environment small_environment() {
  Environment out = plain_environment();
  out.limits.steps = 100'000;
  return out;
}

TEST(LimitsTest, BoundsWhatIsWritten) {
  constexpr int kMany = 50'000;
  const std::string nested[] = {
      times("(", kMany) + "1" + times(")", kMany),
      times("[", kMany) + "1" + times("]", kMany),
      times("{'a':", kMany) + "1" + times("}", kMany),
      times("-", kMany) + "a",
      times("1?", kMany) + "1",
      times("$a:=", kMany) + "1",
      times("$string(", kMany) + "1" + times(")", kMany),
      times("function(){", kMany) + "1" + times("}", kMany),
      times("a[", kMany) + "1" + times("]", kMany),
      times("|", kMany),
      "1" + times("&1", kMany),
      "a" + times(".a", kMany),
      "a" + times("[0]", kMany),
      "1" + times("~>$string", kMany),
      "$f" + times("()", kMany),
  };
  for (const std::string& expression : nested)
    EXPECT_EQ(result_of(expression), kWritten) << expression.substr(0, 20);
}

TEST(LimitsTest, TakesWhatPeopleWrite) {
  EXPECT_EQ(result_of("'" + times("' & 'x", 300) + "'"), "\"" + std::string(300, 'x') + "\"");
  EXPECT_EQ(result_of(times("(", 90) + "1" + times(")", 90)), "1");
  EXPECT_EQ(result_of("1" + times(" + 1", 400)), "401");
}

TEST(LimitsTest, BoundsDepth) {
  EXPECT_EQ(result_of("($f := function($n){ 1 + $f($n + 1) }; $f(1))"), kDepth);
  EXPECT_EQ(result_of(times("(", 150) + "1" + times(")", 150)), kDepth);
  // Functions made of functions have no depth that shows in the expression.
  EXPECT_EQ(
      result_of("($g := function($f, $n){ $n = 0 ? $f : $g($f ~> $string, $n - 1) }; $g($string, 5000)(1))"),
      kDepth);
  EXPECT_EQ(
      result_of("($g := function($f, $n){ $n = 0 ? $f : $g($map(?, $f), $n - 1) }; $g($string, 5000)(1))"),
      kDepth);
}

TEST(LimitsTest, BoundsSteps) {
  check(
      {
          {"loops without end", "($f := function($n){ $f($n + 1) }; $f(1))", kSteps},
          {"work within functions", "$map([1..5000], function($x){ $sum([1..100]) })", kSteps},
          {"comparisons", "$sort([1..20000], function($a, $b){ $a < $b })", kSteps},
      },
      {}, small_environment());
}

TEST(LimitsTest, BoundsBytes) {
  check({
      {"long texts", "($f := function($s, $n){ $n = 0 ? $s : $f($s & $s, $n - 1) }; $length($f('x', 40)))",
       kMemory},
      {"padding", "$pad('x', 1e12)", kMemory},
      {"ranges", "[1..9000000]", kMemory},
      {"numerals", "$formatInteger(1e18, 'I')", kMemory},
      {"replacements", "$replace($pad('', 10000, 'a'), 'a', $pad('', 10000, 'b'))", kMemory},
  });
  Environment small = plain_environment();
  small.limits.bytes = 200'000;
  check({{"what holds the same twice, and again, and is written out",
          "($f := function($v, $n){ $n = 0 ? $v : $f([[$v, $v]], $n - 1) }; $string($f(1, 60)))", kMemory},
         {"or goes out", "($f := function($v, $n){ $n = 0 ? $v : $f([[$v, $v]], $n - 1) }; $f(1, 60))",
          kMemory}},
        {}, small);
  check({{"AWS's longest range still fits", "$count($range(1, 360145, 1))", "360145"},
         {"and not much more", "$count($range(1, 380000, 1))", kMemory}},
        {}, testing::aws_environment());
}

TEST(LimitsTest, GivesBackWhatIsNoLongerUsed) {
  EXPECT_EQ(result_of("($f := function($n){ $n = 0 ? 'done' : ($pad('x', 100000); $f($n - 1)) }; $f(150))"),
            R"("done")");
}

TEST(LimitsTest, BoundsTheDepthOfValues) {
  const std::string deep = "($f := function($v, $n){ $n = 0 ? $v : $f([[$v]], $n - 1) }; $d := $f(1, 3000);";
  for (const char* use :
       {"$d", "$string($d)", "$d = $f(1, 3000)", "$distinct([[$d], [$d]])", "$d.a", "{'a': $d}.*",
        "$boolean($d)", "$keys($d)", "$clone($d)", "$spread($d)", "**.$d.**", "$d ~> |$|{}|"})
    EXPECT_EQ(result_of(deep + use + ")", "{}"), kValue) << use;
  EXPECT_EQ(result_of(deep + "$count($d))"), "1");
}

TEST(LimitsTest, FreesFunctionsThatHoldEachOther) {
  EXPECT_EQ(
      result_of("$count([1..200].(  $even := function($n){ $n = 0 ? true : $odd($n - 1) };"
                "                   $odd := function($n){ $n = 0 ? false : $even($n - 1) }; $even($)))"),
      "200");
}

}  // namespace
}  // namespace stoker::jsonata
