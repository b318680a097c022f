#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(OperatorTest, CalculatesWithDoubles) {
  check({
      {"sums", "0.1 + 0.2", "0.30000000000000004"},
      {"quotients", "7 / 2", "3.5"},
      {"the rest has the sign of the left side", "[10 % 3, -10 % 3, 10.5 % 3]", "[1,-1,1.5]"},
      {"whole numbers are written without a point", "1.5 * 2", "3"},
      {"zero has no sign", "-0", "0"},
      {"nothing on a side gives nothing", "1 + nothing", "undefined"},
      {"texts are no numbers", "'5' + 1",
       R"(T2001: The left side of the "+" operator must evaluate to a number)"},
      {"on the right neither", "1 - true",
       R"(T2002: The right side of the "-" operator must evaluate to a number)"},
      {"infinity is no operand", "1 / (10e300 * 10e100)", "D1001: Number out of range: null"},
      {"nor a result", "1 / 0", "D1001: Number out of range: null"},
      {"only numbers have a negative", "-'a'", R"(D1002: Cannot negate a non-numeric value: "a")"},
  });
  check({{"to AWS infinity goes out as text", "[1 / 0, -1 / 0]", R"(["Infinity","-Infinity"])"}}, {},
        testing::aws_environment());
}

TEST(OperatorTest, Compares) {
  check({
      {"numbers", "[1 < 2, 2 <= 2, 3 > 4, 4 >= 4]", "[true,true,false,true]"},
      {"texts by UTF-16 units", R"(['a' < 'b', 'Z' < 'a', '\ud83d\ude00' < '\ue000'])", "[true,true,true]"},
      {"never both", "1 < 'a'",
       R"(T2009: The values 1 and "a" either side of operator "<" must be of the same data type)"},
      {"nothing else", "null < 1",
       R"(T2010: The expressions either side of operator "<" must evaluate to numeric or string values)"},
      {"nothing on a side gives nothing", "1 < nothing", "undefined"},
      {"equality looks into arrays and objects", "[[1, [2]] = [1, [2]], {'a': 1, 'b': 2} = {'b': 2, 'a': 1}]",
       "[true,true]"},
      {"types matter", "['1' = 1, null = false, 1 != '1']", "[false,false,true]"},
      {"nothing equals nothing", "[nothing = nothing, nothing != nothing]", "[false,false]"},
      {"members of an array", "[2 in [1, 2], 3 in [1, 2], 'a' in 'a', 1 in nothing]",
       "[true,false,true,false]"},
  });
}

TEST(OperatorTest, DecidesWithTruth) {
  check({
      {"of values of every type", "[0, 1, '', 'a', null, [], [0], [0, 1], {}, {'a': 0}].{'v': $boolean($)}.v",
       "[false,true,false,true,false,false,true,false,true]"},
      {"the right side only when it is needed", "[false and $error('no'), true or $error('no')]",
       "[false,true]"},
      {"nothing is false", "[nothing and true, nothing or true]", "[false,true]"},
      {"conditions without else may give nothing", "false ? 1", "undefined"},
  });
}

TEST(OperatorTest, JoinsText) {
  check({
      {"with everything as text", "'a' & 1 & true & null & [1, 'b'] & {'c': 2}",
       R"("a1truenull[1,\"b\"]{\"c\":2}")"},
      {"nothing is empty text", "nothing & 'x'", R"("x")"},
      {"halves of a pair meet", R"($length('\ud83d' & '\ude00'))", "1"},
  });
}

TEST(OperatorTest, MakesRanges) {
  check({
      {"of whole numbers", "[1..4, 9]", "[1,2,3,4,9]"},
      {"downwards is empty", "[4..1]", "[]"},
      {"of nothing is empty", "[nothing..3]", "[]"},
      {"only of whole numbers on the left", "[1.5..3]",
       "T2003: The left side of the range operator (..) must evaluate to an integer"},
      {"and on the right", "[1..'a']",
       "T2004: The right side of the range operator (..) must evaluate to an integer"},
      {"of at most ten millions", "[1..10000001]",
       "D2014: The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted "
       "to "
       "allocate 10000001."},
  });
}

TEST(OperatorTest, BindsInBlocks) {
  check({
      {"the last expression counts", "(1; 2; 3)", "3"},
      {"an empty block gives nothing", "()", "undefined"},
      {"variables end with their block", "($a := 1; ($a := 2; $b := 3); [$a, $b])", "[1]"},
      {"an assignment has its value", "[($a := 5), $a := 6, $a]", "[5,6,6]"},
      {"a name without value hides the one outside", "($a := 1; function($a){ $exists($a) }())", "false"},
  });
}

TEST(OperatorTest, ChainsAndTransforms) {
  check({
      {"a value into a function", "'ab' ~> $uppercase", R"("AB")"},
      {"as the first argument", "'ab' ~> $substring(1)", R"("b")"},
      {"functions into one", "($f := $trim ~> $uppercase; $f(' x '))", R"("X")"},
      {"only into functions", "1 ~> 2",
       "T2006: The right side of the function application operator ~> must be a function"},
      {"members set", "{'a': {'b': 1}, 'c': 2} ~> |a|{'b': 9, 'd': $.b}|", R"({"a":{"b":9,"d":1},"c":2})"},
      {"in every match", "[{'n': 1}, {'n': 2}] ~> |$|{'n': n + 1}|", R"([{"n":2},{"n":3}])"},
      {"members removed", "{'a': 1, 'b': 2, 'c': 3} ~> |$|{}, ['a', 'c']|", R"({"b":2})"},
      {"the original stays", "($o := {'a': 1}; $p := $o ~> |$|{'a': 2}|; [$o.a, $p.a])", "[1,2]"},
      {"nothing lies within itself", "{'a': 1} ~> |$|{'me': $}|", R"({"a":1,"me":{"a":1}})"},
      {"an update is an object", "{'a': 1} ~> |$|5|",
       "T2011: The insert/update clause of the transform expression must evaluate to an object: 5"},
      {"removed are names", "{'a': 1} ~> |$|{}, 5|",
       "T2012: The delete clause of the transform expression must evaluate to a string or array of strings: "
       "5"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
