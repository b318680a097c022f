#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(TextTest, WritesValues) {
  check({
      {"numbers with up to 15 digits", "[$string(0.1 + 0.2), $string(1/3), $string(1e21), $string(1e-7)]",
       R"(["0.3","0.333333333333333","1e+21","1e-7"])"},
      {"halves go up at the last digit", "$string(100000000000000.5)", R"("100000000000001")"},
      {"arrays and objects as JSON", "$string({'a': [1, null, 'x']})", R"("{\"a\":[1,null,\"x\"]}")"},
      {"indented", "$string({'a': [1]}, true)", R"("{\n  \"a\": [\n    1\n  ]\n}")"},
      {"functions as empty text", "[$string($sum), $string([$sum])]", R"(["","[\"\"]"])"},
      {"not infinity", "$string(1/0)", "D3001: Attempting to invoke string function on Infinity or NaN"},
  });
}

TEST(TextTest, CutsByCodePoint) {
  check({
      {"from a position", "$substring('hello', 3)", R"("lo")"},
      {"so many", "$substring('hello', 1, 3)", R"("ell")"},
      {"from the end", "$substring('hello', -3, 2)", R"("ll")"},
      {"before the beginning", "$substring('hello', -9, 2)", R"("he")"},
      {"none", "$substring('hello', 1, 0)", R"("")"},
      {"what needs two units counts once", "$substring('a\xf0\x9f\x98\x80z', 1, 1)", "\"\xf0\x9f\x98\x80\""},
      {"lengths count code points", "$length('a\xf0\x9f\x98\x80z')", "3"},
      {"before and after", "[$substringBefore('a=b', '='), $substringAfter('a=b', '=')]", R"(["a","b"])"},
      {"without the mark the whole", "[$substringBefore('ab', '='), $substringAfter('ab', '=')]",
       R"(["ab","ab"])"},
  });
}

TEST(TextTest, ChangesText) {
  check({
      {"upper case",
       "$uppercase('stra\xc3\x9f"
       "e \xc3\xa9')",
       "\"STRASSE \xc3\x89\""},
      {"lower case, with the sigma of word ends", "$lowercase('\xce\x91\xce\xa3 \xce\xa3\xce\x91')",
       "\"\xce\xb1\xcf\x82 \xcf\x83\xce\xb1\""},
      {"blanks", "$trim('  a \\t b\\n')", R"("a b")"},
      {"filled on the right and the left", "[$pad('x', 3), $pad('x', -3, '0'), $pad('x', 4, 'ab')]",
       R"(["x  ","00x","xaba"])"},
      {"joined", "[$join(['a', 'b']), $join(['a', 'b'], ', ')]", R"(["ab","a, b"])"},
      {"split", "[$split('a,b,c', ','), $split('a,b', ',', 1)]", R"(["a","b","c","a"])"},
      {"split into units", "$count($split('a\xf0\x9f\x98\x80', ''))", "3"},
      {"nothing stays nothing", "[$uppercase(nothing), $trim(nothing), $split(nothing, ',')]", "[]"},
  });
}

TEST(TextTest, Encodes) {
  check({
      {"to base 64 and back", "[$base64encode('h\xc3\xa9'), $base64decode('aOk=')]",
       "[\"aOk=\",\"h\xc3\xa9\"]"},
      {"forgiving what lacks", "$base64decode('aGVs bG8')", R"("hello")"},
      {"parts of URLs", "$encodeUrlComponent('a b/\xc3\xbc?')", R"("a%20b%2F%C3%BC%3F")"},
      {"whole URLs", "$encodeUrl('http://x/\xc3\xbc?a=b c#d')", R"("http://x/%C3%BC?a=b%20c#d")"},
      {"parts back", "$decodeUrlComponent('%3A%20%C3%BC')", "\": \xc3\xbc\""},
      {"whole back, structure escaped", "$decodeUrl('%3A%20%C3%BC')", "\"%3A \xc3\xbc\""},
      {"broken ones", "$decodeUrl('%ff')", R"(D3140: Malformed URL passed to $decodeUrl(): "%ff")"},
      {"half a pair", R"($encodeUrlComponent('\ud800'))",
       R"(D3140: Malformed URL passed to $encodeUrlComponent(): "\ud800")"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
