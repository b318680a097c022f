// Definitions, calls, types of arguments, partial application, and the functions that take functions.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(FunctionTest, CallsWhatIsDefined) {
  check({
      {"at once", "function($a, $b){ $a * $b }(3, 4)", "12"},
      {"by its Greek name", "\xce\xbb($a){ $a + 1 }(1)", "2"},
      {"by variable", "($square := function($n){ $n * $n }; $square(5))", "25"},
      {"with the scope it was made in", "($n := 2; $add := function($x){ $x + $n }; ($n := 10; $add(1)))",
       "3"},
      {"arguments left out are nothing", "function($a, $b){ [$a, $exists($b)] }(1)", "[1,false]"},
      {"arguments too many are dropped", "function($a){ $a }(1, 2)", "1"},
      {"itself", "($fact := function($n){ $n <= 1 ? 1 : $n * $fact($n - 1) }; $fact(10))", "3628800"},
      {"in tail position as often as it wants",
       "($sum := function($n, $acc){ $n = 0 ? $acc : $sum($n - 1, $acc + $n) }; $sum(20000, 0))",
       "200010000"},
      {"functions that functions give", "function($a){ function($b){ $a - $b } }(5)(3)", "2"},
      {"only functions", "($x := 5; $x())", "T1006: Attempted to invoke a non-function"},
      {"the dollar forgotten", "sum([1])", "T1005: Attempted to invoke a non-function. Did you mean $sum?"},
      {"in part", "($take := $substring(?, 0, 2); $take('hello'))", R"("he")"},
      {"in part, own ones", "(function($a, $b){ $a - $b })(?, 1)(10)", "9"},
      {"in part, what is none", "5(?)", "T1008: Attempted to partially apply a non-function"},
      {"in part, the dollar forgotten", "sum(?)",
       "T1007: Attempted to partially apply a non-function. Did you mean $sum?"},
  });
}

TEST(FunctionTest, ChecksArgumentsAgainstSignatures) {
  check({
      {"a type that fits", "function($a)<n:n>{ $a }(1)", "1"},
      {"a type that does not", "function($a)<n:n>{ $a }('x')",
       "T0410: Argument 1 of function undefined does not match function signature"},
      {"the second argument", "$substring('abc', 'x')",
       R"(T0410: Argument 2 of function "substring" does not match function signature)"},
      {"one too many", "$abs(1, 2)",
       R"(T0410: Argument 2 of function "abs" does not match function signature)"},
      {"the context stands in", "['abc'].$length()", "3"},
      {"a context of another type", "[5].$uppercase()",
       R"(T0411: Context value is not a compatible type with argument 1 of function "uppercase")"},
      {"single values become arrays", "$count('x')", "1"},
      {"of the right items", "$sum(['a'])",
       R"(T0412: Argument 1 of function "sum" must be an array of "numbers")"},
      {"one of several types", "function($a)<(sn)>{ $a }(1)", "1"},
      {"none of several types", "($f := function($a)<(sn)>{ $a }; $f(true))",
       R"(T0410: Argument 1 of function "f" does not match function signature)"},
      {"types of what is no list", "function($a)<s<n>>{ $a }",
       "S0401: Type parameters can only be applied to functions and arrays"},
      {"choices with parameters", "function($a)<(a<n>)>{ $a }",
       "S0402: Choice groups containing parameterized types are not supported"},
  });
}

TEST(FunctionTest, TakesFunctions) {
  check({
      {"map gives what each item becomes", "$map([1, 2, 3], function($v){ $v * 2 })", "[2,4,6]"},
      {"with position and whole", "$map(['a', 'b'], function($v, $i, $all){ $v & $i & $count($all) })",
       R"(["a02","b12"])"},
      {"functions of the language count as functions", "$map([1, 'x', true], $string)",
       R"(["1","x","true"])"},
      {"what becomes nothing is left out", "$map([1, 2], function($v){ $v > 1 ? $v })", "2"},
      {"filter keeps", "$filter([1..6], function($v){ $v % 2 = 0 })", "[2,4,6]"},
      {"single wants one", "$single([1, 2, 3], function($v){ $v > 2 })", "3"},
      {"not two", "$single([1, 2, 3], function($v){ $v > 1 })",
       "D3138: The $single() function expected exactly 1 matching result.  Instead it matched more."},
      {"not none", "$single([1], function($v){ $v > 1 })",
       "D3139: The $single() function expected exactly 1 matching result.  Instead it matched 0."},
      {"reduce goes from the first", "$reduce([1, 2, 3], function($a, $v){ $a & '-' & $v })", R"("1-2-3")"},
      {"or from what is given", "$reduce([1, 2], function($a, $v){ $a + $v }, 10)", "13"},
      {"and needs two parameters", "$reduce([1, 2], function($a){ $a })",
       "D3050: The second argument of reduce function must be a function with at least two arguments"},
      {"each goes through members", "$each({'a': 1, 'b': 2}, function($v, $k){ $k & $v })", R"(["a1","b2"])"},
      {"sift keeps members", "$sift({'a': 1, 'b': 5}, function($v){ $v > 2 })", R"({"b":5})"},
      {"no member is nothing", "$sift({'a': 1}, function(){ false })", "undefined"},
      {"sort by what comes after what",
       "$sort([{'n': 2}, {'n': 3}, {'n': 1}], function($l, $r){ $l.n < $r.n }).n", "[3,2,1]"},
      {"errors inside name the place of the call", "$map(['a'], function($v){ $v + 1 })",
       R"(T2001: The left side of the "+" operator must evaluate to a number)"},
  });
}

TEST(FunctionTest, StopsOnPurpose) {
  check({
      {"with a text", "$error('out of stock')", "D3137: out of stock"},
      {"without", "$error()", "D3137: $error() function evaluated"},
      {"when a condition fails", "$assert(1 = 2, 'no')", "D3141: no"},
      {"without text", "$assert(false)", "D3141: $assert() statement failed"},
      {"not when it holds", "[$assert(true), 1]", "[1]"},
  });
}

TEST(FunctionTest, EvaluatesTextOutsideOfAws) {
  check({
      {"in the scope around", "($x := 2; $eval('$x + 1'))", "3"},
      {"with another context", "$eval('$count($)', [1, 2, 3])", "3"},
      {"errors of syntax", "$eval('1 +')",
       R"(D3120: Syntax error in expression passed to function eval: "Unexpected end of expression")"},
      {"errors inside", "$eval('1 + \"a\"')",
       R"(D3121: Dynamic error evaluating the expression passed to function eval: "The right side of the \"+\" operator must evaluate to a number")"},
  });
  check({{"in AWS it is none", "$eval('1')", "T1006: Attempted to invoke a non-function"}}, {},
        testing::aws_environment());
}

}  // namespace
}  // namespace stoker::jsonata
