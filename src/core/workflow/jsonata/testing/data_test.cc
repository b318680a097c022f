// The functions of arrays, objects and types.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(ArrayTest, CountsAndChangesArrays) {
  check({
      {"counts", "[$count([1, 2]), $count('x'), $count([]), $count(nothing)]", "[2,1,0,0]"},
      {"appends", "[$append([1], [2, 3]), $append(4, nothing)]", "[1,2,3,4]"},
      {"reverses", "$reverse([1, 2, 3])", "[3,2,1]"},
      {"sorts numbers and texts", "[$sort([3, 1, 2]), $sort(['b', 'a', 'C'])]", R"([1,2,3,"C","a","b"])"},
      {"sorts nothing else by itself", "$sort([1, 'a'])",
       "D3070: The single argument form of the sort function can only be applied to an array of strings or "
       "an array of "
       "numbers.  Use the second argument to specify a comparison function"},
      {"keeps the order of equals",
       "$sort([[1, 'a'], [0, 'b'], [1, 'c']], function($l, $r){ $l[0] > $r[0] }).$[1]", R"(["b","a","c"])"},
      {"drops what is there twice", "$distinct([1, '1', 1, {'a': 1, 'b': [2]}, {'b': [2], 'a': 1}])",
       R"([1,"1",{"a":1,"b":[2]}])"},
      {"zips up to the shortest", "$zip([1, 2, 3], ['a', 'b'])", R"([[1,"a"],[2,"b"]])"},
      {"shuffles without loss", "$sort($shuffle([1..20])) = [1..20]", "true"},
  });
}

TEST(ObjectTest, TakesObjectsApart) {
  check({
      {"keys", "$keys({'a': 1, 'b': 2})", R"(["a","b"])"},
      {"keys of all", "$keys([{'a': 1}, {'b': 2, 'a': 3}])", R"(["a","b"])"},
      {"in the order they came", "$keys({'b': 1, '10': 2, '2': 3})", R"(["b","10","2"])"},
      {"by name", "[$lookup({'a': 1}, 'a'), $lookup([{'a': 2}, {'a': 3}], 'a')]", "[1,2,3]"},
      {"spread", "$spread({'a': 1, 'b': 2})", R"([{"a":1},{"b":2}])"},
      {"merged, the later wins", "$merge([{'a': 1, 'b': 2}, {'b': 3}])", R"({"a":1,"b":3})"},
      {"copied", "($o := {'a': [1]}; $clone($o) = $o)", "true"},
      {"of many members", "$count($keys($merge([1..500].{$string($): $})))", "500"},
      {"found among many", "$merge([1..500].{$string($): $ * 2}).'321'", "642"},
  });
}

TEST(TypeTest, NamesTypes) {
  check({
      {"of every value", "[null, 1, 'a', true, [[]], {}].{'t': $type($)}.t",
       R"(["null","number","string","boolean","array","object"])"},
      {"of functions", "[$type($sum), $type(function(){1}), $type(/a/)]",
       R"(["function","function","function"])"},
      {"of nothing there is none", "$type(nothing)", "undefined"},
      {"there or not", "[$exists(nothing), $exists(null)]", "[false,true]"},
      {"not", "[$not(0), $not('a')]", "[true,false]"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
