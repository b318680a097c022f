#include "core/workflow/digest/digest.h"

#include <gtest/gtest.h>

namespace stoker {
namespace {

TEST(Digest, KnowsTheFiveAlgorithms) {
  EXPECT_EQ(hex_digest("MD5", "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex_digest("SHA-1", "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_digest("SHA-256", ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_digest("SHA-384", "abc")->size(), 96U);
  EXPECT_EQ(hex_digest("SHA-512", "abc")->size(), 128U);
}

TEST(Digest, GivesNothingForOtherNames) {
  EXPECT_EQ(hex_digest("sha-256", "abc"), std::nullopt);
  EXPECT_EQ(hex_digest("", "abc"), std::nullopt);
}

}  // namespace
}  // namespace stoker
