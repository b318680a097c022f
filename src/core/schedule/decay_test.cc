#include "core/schedule/decay.h"

#include <gtest/gtest.h>

namespace stoker::core {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << kDecayBits;

struct Row {
  const char* name;
  std::int64_t passed_ms;
  std::int64_t window_ms;
  std::uint64_t parts_per_billion;
};

TEST(Decay, is_e_to_the_power_of_what_has_passed) {
  const Row rows[] = {
      {"nothing has passed", 0, 600'000, 1'000'000'000},
      {"the clock went back", -5, 600'000, 1'000'000'000},
      {"half a window", 300'000, 600'000, 606'530'659},
      {"one window", 600'000, 600'000, 367'879'441},
      {"two and a half", 1'500'000, 600'000, 82'084'998},
      {"ten", 6'000'000, 600'000, 45'399},
      {"a week's window, an hour later", 3'600'000, 604'800'000, 994'065'299},
      {"for ever", INT64_MAX, 600'000, 0},
  };
  for (const Row& row : rows) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t factor = decay(milliseconds(row.passed_ms), milliseconds(row.window_ms));
    EXPECT_EQ(static_cast<std::uint64_t>(static_cast<Wide>(factor) * 1'000'000'000 / kOne),
              row.parts_per_billion)
        << row.name;
  }
}

TEST(Decay, never_grows_with_time) {
  std::uint64_t before = kOne;
  for (std::int64_t ms = 1; ms < 60'000'000; ms += 7919) {
    const std::uint64_t now = decay(milliseconds(ms), seconds(600));
    EXPECT_LE(now, before) << ms;
    before = now;
  }
}

TEST(Decay, draws_a_value_towards_another_and_reaches_it) {
  EXPECT_EQ(drawn_towards(1000, 0, seconds(600), seconds(600)), 367);
  EXPECT_EQ(drawn_towards(0, 1000, seconds(600), seconds(600)), 632);
  EXPECT_EQ(drawn_towards(1000, 1000, seconds(77), seconds(600)), 1000);
  EXPECT_EQ(drawn_towards(1000, 400, hours(20), seconds(600)), 400);
}

}  // namespace
}  // namespace stoker::core
