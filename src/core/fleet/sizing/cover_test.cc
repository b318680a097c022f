#include "core/fleet/sizing/cover.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::fleet {
namespace {

using Counts = std::vector<std::int64_t>;
// g5.xlarge and g5.12xlarge on demand.
const std::vector<CoverType> kG5 = {{1, *parse_money("1.006")}, {4, *parse_money("5.672")}};

TEST(Cover, four_single_machines_beat_one_with_four_gpus_when_its_gpus_are_dearer) {
  EXPECT_EQ(cover(kG5, 4, {.time = hours(1), .launch_fee = {}}), (Counts{4, 0}));
}

TEST(Cover, a_fee_for_each_launch_turns_it_round_for_short_runs) {
  const Money fee = *parse_money("0.6");
  EXPECT_EQ(cover(kG5, 4, {.time = minutes(30), .launch_fee = fee}), (Counts{0, 1}));
  EXPECT_EQ(cover(kG5, 3, {.time = minutes(30), .launch_fee = fee}), (Counts{3, 0}))
      << "a slot would be empty";
  EXPECT_EQ(cover(kG5, 4, {.time = hours(10), .launch_fee = fee}), (Counts{4, 0}));
  EXPECT_EQ(cover(kG5, 9, {.time = minutes(30), .launch_fee = fee}), (Counts{1, 2}));
}

TEST(Cover, mixes_sizes) {
  const std::vector<CoverType> types = {{1, dollars(3)}, {4, dollars(9)}, {8, dollars(17)}};
  EXPECT_EQ(cover(types, 13, {.time = hours(1), .launch_fee = {}}), (Counts{1, 1, 1}));
  EXPECT_EQ(cover(types, 12, {.time = hours(1), .launch_fee = {}}), (Counts{0, 1, 1}));
  EXPECT_EQ(cover(types, 7, {.time = hours(1), .launch_fee = {}}), (Counts{0, 0, 1}))
      << "one of 17 against 18";
}

TEST(Cover, of_equal_choices_fewer_machines) {
  const std::vector<CoverType> types = {{1, dollars(1)}, {4, dollars(4)}};
  EXPECT_EQ(cover(types, 6, {.time = hours(1), .launch_fee = {}}), (Counts{2, 1}));
}

TEST(Cover, of_nothing_is_nothing) {
  EXPECT_EQ(cover({}, 5, {}), Counts{});
  EXPECT_EQ(cover(kG5, 0, {}), (Counts{0, 0}));
}

TEST(Cover, a_great_many_runs_go_to_the_cheapest_slot_but_for_the_rest) {
  const Counts counts = cover(kG5, 100'000, {.time = hours(1), .launch_fee = {}});
  EXPECT_EQ(counts, (Counts{100'000, 0}));
}

// Tries every combination of two types.
std::int64_t by_trying(const std::vector<CoverType>& types, std::int64_t runs, const CoverTerms& terms) {
  std::int64_t best = INT64_MAX;
  for (std::int64_t a = 0; a <= runs; ++a)
    for (std::int64_t b = 0; b <= runs; ++b) {
      if (a * types[0].slots + b * types[1].slots < runs) continue;
      best =
          std::min(best, a * cost_of_one(types[0], terms).micros + b * cost_of_one(types[1], terms).micros);
      break;
    }
  return best;
}

TEST(Cover, is_as_cheap_as_the_best_of_all_combinations) {
  Rng rng(17);
  for (int i = 0; i < 500; ++i) {
    std::vector<CoverType> types;
    for (int t = 0; t < 2; ++t)
      types.push_back({static_cast<std::int64_t>(1 + rng.below(9)),
                       Money{static_cast<std::int64_t>(1 + rng.below(9'000'000))}});
    const CoverTerms terms{minutes(static_cast<std::int64_t>(1 + rng.below(300))),
                           Money{static_cast<std::int64_t>(rng.below(1'000'000))}};
    const auto runs = static_cast<std::int64_t>(1 + rng.below(40));
    const Counts counts = cover(types, runs, terms);
    ASSERT_GE(counts[0] * types[0].slots + counts[1] * types[1].slots, runs);
    ASSERT_EQ(
        counts[0] * cost_of_one(types[0], terms).micros + counts[1] * cost_of_one(types[1], terms).micros,
        by_trying(types, runs, terms));
  }
}

}  // namespace
}  // namespace stoker::fleet
