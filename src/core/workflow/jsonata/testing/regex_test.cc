#include "core/workflow/jsonata/regex/regex.h"

#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {
namespace {

using testing::check;

// The first match and its groups: "ab|b|-" where a group took no part.
std::string matched(std::string_view pattern, std::string_view subject, Regex::Flags flags = {}) {
  const auto regex = Regex::compile(pattern, flags);
  if (!regex) return "bad: " + regex.error();
  const std::u16string units = to_utf16(subject);
  std::int64_t steps = 100'000;
  Regex::Groups groups;
  switch (regex->search(units, 0, steps, groups)) {
    case Regex::Found::No:
      return "none";
    case Regex::Found::OutOfSteps:
      return "too long";
    case Regex::Found::Yes:
      break;
  }
  std::string out;
  for (std::size_t i = 0; i < groups.size(); i += 2) {
    if (i > 0) out += '|';
    const bool took_part = groups[i] != Regex::npos && groups[i + 1] != Regex::npos;
    out += took_part ? to_utf8(std::u16string_view(units).substr(groups[i], groups[i + 1] - groups[i])) : "-";
  }
  return out;
}

TEST(RegexTest, MatchesAsJavaScriptDoes) {
  struct Row {
    std::string_view rule, pattern, subject, found;
  };
  const Row rows[] = {
      {"units stand for themselves", "bc", "abcd", "bc"},
      {"a point is all but a line end", "a.c", "a\nc abc", "abc"},
      {"the first alternative that leads on", "a|ab", "ab", "a"},
      {"as much as possible", "a+", "baaa", "aaa"},
      {"as little as possible", "a+?", "baaa", "a"},
      {"any number", "ba*", "abaa", "baa"},
      {"perhaps", "colou?r", "color", "color"},
      {"so many", "a{2}", "aaa", "aa"},
      {"from so many to so many", "a{2,3}", "aaaa", "aaa"},
      {"at least so many", "a{2,}", "aaaa", "aaaa"},
      {"lazily so many", "a{2,3}?", "aaaa", "aa"},
      {"a brace that is no quantifier", "a{x", "a{x", "a{x"},
      {"classes", "[a-c1]+", "xxb1cz", "b1c"},
      {"their opposites", "[^a-c]+", "abxyc", "xy"},
      {"a bracket in a class", "[\\]]", "a]", "]"},
      {"a hyphen at its end", "[a-]+", "-a-", "-a-"},
      {"digits, words, blanks", "\\d\\w\\s", "a1b c", "1b "},
      {"and what is none of them", "\\D\\W\\S", "1a-b", "a-b"},
      {"in classes too", "[\\d.]+", "v1.25x", "1.25"},
      {"begin and end", "^a$", "a", "a"},
      {"not in the middle", "^b", "a\nb", "none"},
      {"edges of words", "\\bcat\\b", "concat cat", "cat"},
      {"groups", "(a)(b)?", "ac", "a|a|-"},
      {"groups without number", "(?:a)(b)", "ab", "ab|b"},
      {"groups with name", "(?<x>a)\\k<x>", "aa", "aa|a"},
      {"the same again", "(a|b)\\1", "abb", "bb|b"},
      {"a group forgets at each round", "(?:(a)|b)*", "ab", "ab|-"},
      {"ahead without taking", "foo(?=bar)", "foobar", "foo"},
      {"ahead there must not be", "foo(?!bar)", "foobar foobaz", "foo"},
      {"groups ahead are kept", "(?=(a+))a", "aaa", "a|aaa"},
      {"rounds that take nothing end", "(a*)*b", "b", "b|-"},
      {"escapes", "\\t\\x41\\u0042\\.", "\tAB.", "\tAB."},
      {"beyond the plane in two units", "^..$", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
      {"nested quantifiers", "(?:a{1,2}){2}", "aaaa", "aaaa"},
      {"backtracking into a quantifier", "a+ab", "aaab", "aaab"},
      {"backtracking into a lazy one", "a+?b", "aaab", "aaab"},
  };
  for (const Row& row : rows) EXPECT_EQ(matched(row.pattern, row.subject), row.found) << row.rule;
  EXPECT_EQ(matched("h\xc3\x89", "H\xc3\xa9", {.ignore_case = true}), "H\xc3\xa9");
  EXPECT_EQ(matched("[a-c]+", "xABCx", {.ignore_case = true}), "ABC");
  EXPECT_EQ(matched("^b$", "a\nb\nc", {.multiline = true}), "b");
}

TEST(RegexTest, RefusesWhatIsNone) {
  EXPECT_EQ(matched("(a", ""), "bad: Unterminated group");
  EXPECT_EQ(matched("a)", ""), "bad: Unmatched ')'");
  EXPECT_EQ(matched("[a", ""), "bad: Unterminated character class");
  EXPECT_EQ(matched("*", ""), "bad: Nothing to repeat");
  EXPECT_EQ(matched("a**", ""), "bad: Nothing to repeat");
  EXPECT_EQ(matched("[b-a]", ""), "bad: Range out of order in character class");
  EXPECT_EQ(matched("a{3,2}", ""), "bad: numbers out of order in {} quantifier");
  EXPECT_EQ(matched("(?<=a)b", ""), "bad: Look-behind is not supported");
  EXPECT_EQ(matched("\\", ""), "bad: \\ at end of pattern");
}

TEST(RegexTest, EndsWhateverThePattern) {
  EXPECT_EQ(matched("(a+)+$", std::string(60, 'a') + "!"), "too long");
  EXPECT_EQ(matched("((a{100}){100}){100}", "a"), "bad: Regular expression too large");
  EXPECT_EQ(matched(std::string(500, '(') + std::string(500, ')'), ""),
            "bad: Regular expression nested too deeply");
  check({{"within an expression as well", "$contains('" + std::string(60, 'a') + "!', /(a|aa)+$/)",
          "U1001: Regular expression takes too many steps to match"}});
}

TEST(RegexTest, ServesTheFunctionsOfText) {
  check({
      {"all matches", "$match('ab12c3', /[0-9]+/)",
       R"([{"match":"12","index":2,"groups":[]},{"match":"3","index":5,"groups":[]}])"},
      {"so many at most", "$match('a1b2', /\\d/, 1).match", R"("1")"},
      {"positions count units",
       "$match('\xf0\x9f\x98\x80"
       "a', /a/).index",
       "2"},
      {"contained or not", "[$contains('abc', /B/i), $contains('abc', 'z')]", "[true,false]"},
      {"split", "$split('a1b22c', /\\d+/)", R"(["a","b","c"])"},
      {"replaced with groups", "$replace('John Smith', /(\\w+)\\s(\\w+)/, '$2, $1')", R"("Smith, John")"},
      {"a dollar is written twice", "$replace('5', /5/, '$$$0')", R"("$5")"},
      {"a function replaces", "$replace('ab', /[a-z]/, function($m){ $uppercase($m.match) })", R"("AB")"},
      {"with text only", "$replace('a', /a/, function(){ 1 })",
       "D3012: Attempted to replace a matched string with a non-string value"},
      {"so often at most", "$replace('aaa', 'a', 'b', 2)", R"("bba")"},
      {"empty text is not replaced", "$replace('a', '', 'b')",
       "D3010: Second argument of replace function cannot be an empty string"},
      {"a match of nothing would not end", "$match('ab', /x*/)",
       "D1004: Regular expression matches zero length string"},
      {"a match by itself", "/b(c)/('abcd').[match, start, end, groups]", R"(["bc",1,3,"c"])"},
      {"functions may match",
       R"($match('abc', function($s){ {'match': 'a', 'start': 0, 'end': 1, 'groups': [],
          'next': function(){ () }} }))",
       R"({"match":"a","index":0,"groups":[]})"},
      {"when they give what a match is", "$match('abc', function(){ 5 })",
       R"(T1010: The matcher function argument passed to function "match" does not return the correct object structure)"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
