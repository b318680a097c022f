#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/workflow/jsonata/jsonata.h"

namespace stoker::jsonata {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "states.input.a, x"
std::string variables(std::string_view text) {
  const auto expression = Expression::parse(text);
  EXPECT_TRUE(expression.has_value()) << text;
  std::string out;
  for (const auto& names : expression->variables()) {
    if (!out.empty()) out += ", ";
    for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? "." : "") + names[i];
  }
  return out;
}

std::vector<std::string> top_level(std::string_view text) {
  const auto expression = Expression::parse(text);
  EXPECT_TRUE(expression.has_value()) << text;
  return expression->top_level_references();
}

TEST(ReferencesTest, FindsVariablesWithTheNamesBehind) {
  EXPECT_EQ(variables("$states.input.a"), "states.input.a");
  EXPECT_EQ(variables("$x + $y.b"), "x, y.b");
  EXPECT_EQ(variables("$x + $x"), "x");
  EXPECT_EQ(variables("$states.input[n = $limit].a.*"), "states.input.a, limit");
  EXPECT_EQ(variables("{'k': $a, 'l': [$b, ($c)]}"), "a, b, c");
  EXPECT_EQ(variables("$a ? $b : $c"), "a, b, c");
  EXPECT_EQ(variables("$a ~> $map(function($v){ $v + $d })"), "a, d");
  EXPECT_EQ(variables("$list{$k: $v}"), "list, k, v");
  EXPECT_EQ(variables("$list^(>$w)"), "list, w");
}

TEST(ReferencesTest, LeavesOutWhatTheExpressionBindsItself) {
  EXPECT_EQ(variables("($a := $b; $a)"), "b");
  EXPECT_EQ(variables("(($a := 1); $a)"), "a");
  EXPECT_EQ(variables("function($p){ $p + $q }"), "q");
  EXPECT_EQ(variables("$items@$i#$n[$i > $n].($i + $n)"), "items");
  EXPECT_EQ(variables("$sum($x) & $uuid() & $eval('1')"), "x");
  EXPECT_EQ(variables("($f := function($n){ $f($n) }; $f(1))"), "f");
}

TEST(ReferencesTest, FindsWhatReadsTheInputAtTheTop) {
  EXPECT_THAT(top_level("phone"), ElementsAre("Reference to 'phone' at the top level is not supported."));
  EXPECT_THAT(top_level("phone.number"),
              ElementsAre("Reference to 'phone' at the top level is not supported."));
  EXPECT_THAT(top_level("$.a"), ElementsAre("Reference to '$' at the top level is not supported."));
  EXPECT_THAT(top_level("$$.a"), ElementsAre("Reference to '$$' is not supported."));
  EXPECT_THAT(top_level("1 + $count(b) & {'x': c}"),
              ElementsAre("Reference to 'b' at the top level is not supported.",
                          "Reference to 'c' at the top level is not supported."));
  EXPECT_THAT(top_level("*"), ElementsAre("Reference to '*' at the top level is not supported."));
}

TEST(ReferencesTest, AllowsThemFurtherIn) {
  EXPECT_THAT(top_level("$states.input.a"), IsEmpty());
  EXPECT_THAT(top_level("$x[price > 3 and $.name = 'a']"), IsEmpty());
  EXPECT_THAT(top_level("$x.(a + $.b)"), IsEmpty());
  EXPECT_THAT(top_level("$x.{'k': a}"), IsEmpty());
  EXPECT_THAT(top_level("$x{name: $sum(price)}"), IsEmpty());
  EXPECT_THAT(top_level("$x^(price)"), IsEmpty());
  EXPECT_THAT(top_level("$map($x, function($v){ $v.a & b })"), IsEmpty());
  EXPECT_THAT(top_level("$x ~> |a|{'b': c}|"), IsEmpty());
}

}  // namespace
}  // namespace stoker::jsonata
