#pragma once
// Seeded walks: which seeds a walk takes, and what every walk must do.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text.h"

namespace stoker::testing {

// STOKER_WALK_SEEDS is "500", for 1 to 500, or "665-665", for those that failed.
struct WalkSeeds {
  std::int64_t first = 1, last = 0;
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(last - first + 1); }
};
inline WalkSeeds walk_seeds(std::int64_t usual) {
  const char* const asked = std::getenv("STOKER_WALK_SEEDS");
  const std::string_view text = asked == nullptr ? "" : asked;
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return {.first = 1, .last = parse_int(text).value_or(usual)};
  return {.first = parse_int(text.substr(0, dash)).value_or(1),
          .last = parse_int(text.substr(dash + 1)).value_or(usual)};
}

// Walks with each seed until one fails. An aborted run shows where it was.
template <class Walk>
void walk_each(std::string_view name, const WalkSeeds& seeds, Walk walk) {
  for (std::int64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::fprintf(stderr, "%s walk seed %d\r", std::string(name).c_str(), static_cast<int>(seed));
    walk(static_cast<std::uint64_t>(seed));
    if (::testing::Test::HasFailure()) break;
  }
}

// The same seed gives the same transcript: nothing depends on addresses, clocks or chance. A Walk is made of
// a seed, has run(turns) and transcript().
template <class Walk>
void expect_reproducible() {
  const auto walk = [] {
    Walk one(42);
    one.run(200);
    return one.transcript();
  };
  const auto first = walk();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, walk());
}

}  // namespace stoker::testing
