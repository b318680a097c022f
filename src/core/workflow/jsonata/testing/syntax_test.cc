// What is an expression, and what the errors say about what is none.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(SyntaxTest, ReadsLiterals) {
  check({
      {"numbers have fractions and exponents", "[0, 12, 1.5, 2e3, 1.5E-3]", "[0,12,1.5,2000,0.0015]"},
      {"either quote makes a text", R"(["a'b", 'c"d'])", R"(["a'b","c\"d"])"},
      {"escapes are those of JSON", R"("\t\n\"\\\/\u00e9\ud83d\ude00")", R"("\t\n\"\\/é😀")"},
      {"half a pair leaves as a replacement character", R"("\ud83d!")", "\"\xef\xbf\xbd!\""},
      {"true, false and null", "[true, false, null]", "[true,false,null]"},
      {"comments and blanks count for nothing", "/* one */ 1\n\t+ /* two */ 2", "3"},
      {"a zero in front ends the number", "01", "S0201: Syntax error: 1"},
      {"a number beyond all doubles", "1e999", R"(S0102: Number out of range: "1e999")"},
      {"an unknown escape", R"("\q")", R"(S0103: Unsupported escape sequence: \"q")"},
      {"too few hex digits", R"("\u12")",
       R"(S0104: The escape sequence \u must be followed by 4 hex digits)"},
      {"a text without end", "\"abc", "S0101: String literal must be terminated by a matching quote"},
      {"a name without end", "`abc", "S0105: Quoted property name must be terminated with a backquote (`)"},
      {"a comment without end", "1 /* x", "S0106: Comment has no closing tag"},
  });
}

TEST(SyntaxTest, BindsOperatorsByTheirPower) {
  check({
      {"products before sums", "1 + 2 * 3", "7"},
      {"from the left", "10 - 3 - 2", "5"},
      {"a sign binds before a product", "-2 * -3", "6"},
      {"comparisons before 'and' before 'or'", "1 = 2 or 2 < 3 and true", "true"},
      {"joining text before comparing", "'a' & 'b' = 'ab'", "true"},
      {"assignments group from the right", "($a := $b := 4; $a + $b)", "8"},
      {"a condition takes all on its left", "1 < 2 and true ? 'y' : 'n'", "\"y\""},
      {"else may be a condition again", "0 ? 1 : 0 ? 2 : 3", "3"},
      {"brackets first", "(1 + 2) * 3", "9"},
      {"the keywords may name members", "{'and': 1, 'or': 2, 'in': 3}.(and + or + in)", "6"},
  });
}

TEST(SyntaxTest, SaysWhatIsWrong) {
  check({
      {"nothing at all", "", "S0207: Unexpected end of expression"},
      {"an operand is missing at the end", "1 +", "S0207: Unexpected end of expression"},
      {"an operand is missing in front", "* / 2 =", "S0207: Unexpected end of expression"},
      {"an operator that needs a left side", "+ 1",
       R"(S0211: The symbol "+" cannot be used as a unary operator)"},
      {"two operands side by side", "1 2", "S0201: Syntax error: 2"},
      {"another bracket than the one wanted", "[1, 2)", R"json(S0202: Expected "]", got ")")json"},
      {"a bracket that is never closed", "(1; 2", R"json(S0203: Expected ")" before end of expression)json"},
      {"no such operator", "1 ! 2", R"(S0204: Unknown operator: "!")"},
      {"a trailing comma", "[1,]", R"(S0211: The symbol "]" cannot be used as a unary operator)"},
      {"parameters are variables", "function(x){1}",
       "S0208: Parameter 1 of function definition must be a variable name (start with $)"},
      {"only variables are assigned to", "x := 1",
       "S0212: The left side of := must be a variable name (start with $)"},
      {"a number is no step", "a.1",
       "S0213: The literal value 1 cannot be used as a step within a path expression"},
      {"a step binds to a variable", "a@b",
       R"(S0214: The right side of "@" must be a variable name (start with $))"},
      {"binding comes before predicates", "a[0]@$x",
       "S0215: A context variable binding must precede any predicates on a step"},
      {"binding comes before ordering", "a^(b)@$x",
       "S0216: A context variable binding must precede the 'order-by' clause on a step"},
      {"one group a step", "[1]{'a': 1}{'b': 2}", "S0210: Each step can only have one grouping expression"},
      {"no predicate behind a group", "[1]{'a': 1}[0]",
       "S0209: A predicate cannot follow a grouping expression in a step"},
      {"the top has no parent", "%",
       "S0217: The object representing the 'parent' cannot be derived from this expression"},
      {"an empty regular expression", "$match('a', //)", "S0301: Empty regular expressions are not allowed"},
      {"a regular expression without end", "$match('a', /b)",
       "S0302: No terminating / in regular expression"},
      {"a regular expression that is none", "$match('a', /(b/)",
       "S0302: No terminating / in regular expression"},
      {"and one that only looks like it", "$match('a', /+/)",
       "S0303: Invalid regular expression: Nothing to repeat"},
  });
}

TEST(SyntaxTest, TellsWhereTheErrorIs) {
  const auto position = [](std::string_view text) { return Expression::parse(text).error().position; };
  EXPECT_EQ(position("1 +"), 3U);
  EXPECT_EQ(position("[1, 2)"), 6U);
  EXPECT_EQ(position("'abc"), 4U);
  const auto failed = Expression::parse("1 + 'a'")->evaluate(nullptr, {}, testing::plain_environment());
  EXPECT_EQ(failed.error().position, 3U);
}

}  // namespace
}  // namespace stoker::jsonata
