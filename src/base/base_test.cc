#include <gtest/gtest.h>

#include "base/ids.h"
#include "base/result.h"
#include "base/text.h"

namespace stoker {
namespace {

TEST(Text, base64_matches_the_vectors_of_rfc_4648) {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"f", "Zg=="},
                                                      {"fo", "Zm8="},
                                                      {"foo", "Zm9v"},
                                                      {"foob", "Zm9vYg=="},
                                                      {"fooba", "Zm9vYmE="},
                                                      {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : rows) {
    EXPECT_EQ(base64_encode(plain), encoded);
    EXPECT_EQ(base64_decode(encoded), plain);
  }
  for (const char* bad : {"Zg", "Zg=x", "====", "Z===", "Zm9v!m8="}) EXPECT_FALSE(base64_decode(bad)) << bad;
}

TEST(Text, percent_encoding_goes_there_and_back) {
  EXPECT_EQ(percent_encode("a b/c~é"), "a%20b%2Fc~%C3%A9");
  EXPECT_EQ(percent_encode("a/b", true), "a/b");
  EXPECT_EQ(percent_decode("a%20b%2f+"), "a b/+");
  for (const char* bad : {"%", "%2", "%zz"}) EXPECT_FALSE(percent_decode(bad)) << bad;
}

TEST(Text, invalid_utf8_becomes_replacement_characters) {
  EXPECT_EQ(to_valid_utf8("ok é"), "ok é");
  EXPECT_EQ(to_valid_utf8("a\xff\xc3"), "a\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_FALSE(is_valid_utf8("\xed\xa0\x80")) << "a surrogate";
  EXPECT_FALSE(is_valid_utf8("\xc0\x80")) << "an overlong form";
}

TEST(Text, a_star_matches_any_run) {
  EXPECT_TRUE(glob_match("Host EC2*", "Host EC2 (instance i-1) terminated."));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*a*b", "xxaxxbab"));
  EXPECT_FALSE(glob_match("a", "ab"));
  EXPECT_FALSE(glob_match("*ab", "abc"));
}

TEST(Text, times_are_iso_8601_in_utc) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(1786104000123, true), "2026-08-07T12:00:00.123Z");
}

TEST(Uuid, text_goes_there_and_back) {
  const Uuid id = Uuid::from_random(0x0123456789abcdefULL, 0xfedcba9876543210ULL);
  EXPECT_EQ(id.str(), "01234567-89ab-4def-bedc-ba9876543210");
  EXPECT_EQ(Uuid::parse(id.str()), id);
  EXPECT_EQ(Uuid::parse("01234567-89AB-4DEF-BEDC-BA9876543210"), id);
  for (const char* bad : {"", "0123456789ab4defbedcba9876543210", "01234567-89ab-4def-bedc-ba987654321g",
                          "01234567_89ab-4def-bedc-ba9876543210"})
    EXPECT_FALSE(Uuid::parse(bad)) << bad;
}

Result<int> half(int n) {
  if (n % 2 != 0) return fail(Code::InvalidArgument, "odd");
  return n / 2;
}
Result<int> quarter(int n) {
  return half(TRY(half(n)));
}

TEST(Result, try_returns_the_first_error) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_EQ(quarter(6).error().message, "odd");
}

}  // namespace
}  // namespace stoker
