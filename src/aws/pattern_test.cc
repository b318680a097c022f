#include "aws/pattern.h"

#include <gtest/gtest.h>

namespace stoker::aws {
namespace {

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> yes;
  std::vector<std::string_view> no;
};

TEST(Pattern, WholeTextsMatchOrNot) {
  const std::vector<Case> cases = {
      {"[\\.\\-_/#A-Za-z0-9]+", {"/aws/batch/job", "a#b"}, {"", "a b", "ü", "a\\"}},
      {"[^:*]*", {"", "job/default/1", "ü€"}, {"a:b", "*"}},
      {"^\\d{12}$", {"000000000000"}, {"00000000000", "0000000000000", "00000000000a"}},
      {"\\S{3,5}", {"abc", "äöüäö"}, {"ab", "a c", "abcdef"}},
      {"^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$", {"a1", "1-", "v.2"}, {"123", "", "a b"}},
      {"\\p{ASCII}*", {"", "Root=1-2"}, {"é"}},
      {"^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+)$", {"team a", "größe"}, {"", "a!", "a\tb"}},
      {"[!-~]+", {"abc~!"}, {"a b", ""}},
      {"(\\^?[a-z]{3,24})(\\|\\^?[a-z]{3,24}){0,4}",
       {"abc", "^abc|def", "abc|def|ghi|jkl|mno"},
       {"ab", "abc|", "abc|de", "abc|def|ghi|jkl|mno|pqr", "a^bc"}},
      {"s3://[a-z0-9][\\.\\-a-z0-9]{1,61}[a-z0-9](/.*)?",
       {"s3://abc", "s3://abc/d/e"},
       {"s3://ab", "s3://abc-"}},
      {"^\\d+\\.\\d+(\\.\\d+)?$", {"1.2", "1.2.34"}, {"1", "1.", "1.2.3.4", "1x2"}},
      {"(?:a|bc)*", {"", "abca", "bcbc"}, {"b", "ac"}},
      {"[\\w-_]*", {"a-b_c"}, {"a b"}},
  };
  for (const Case& row : cases) {
    const auto pattern = Pattern::compile(row.pattern);
    ASSERT_TRUE(pattern) << pattern.error().message;
    for (const auto text : row.yes) EXPECT_TRUE(pattern->matches(text)) << row.pattern << " on " << text;
    for (const auto text : row.no) EXPECT_FALSE(pattern->matches(text)) << row.pattern << " on " << text;
  }
}

TEST(Pattern, WhatIsNotUnderstoodIsRefused) {
  for (const std::string_view text : {"(", ")", "a(?!b)", "(?<n>a)", "[a", "\\", "\\b", "a{2", "a{3,2}", "*a",
                                      "\\p{Lu}", "[z-a]", "a**", "(a", "a$b"}) {
    EXPECT_FALSE(Pattern::compile(text)) << text;
  }
  EXPECT_EQ(Pattern::compile("(a{900}){900}").error().code, Code::NotSupported);
  EXPECT_FALSE(Pattern::compile(std::string(100, '(')));
}

TEST(Pattern, TakesLinearTimeWhereBacktrackingWouldNot) {
  const auto pattern = Pattern::compile("(a*)*(a|aa)+b");
  ASSERT_TRUE(pattern);
  EXPECT_FALSE(pattern->matches(std::string(20000, 'a')));
}

}  // namespace
}  // namespace stoker::aws
