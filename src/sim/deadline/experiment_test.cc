#include "sim/deadline/experiment.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/table.h"

namespace stoker::sim {
namespace {

const fleet::GroundPrices kPrices{.on_demand = *parse_money("3.06"), .spot = *parse_money("0.97")};

TEST(SpotSeries, is_read_from_its_json) {
  const auto series = parse_spot_series(R"({"metadata":{"gap_seconds":195},"data":[1,0,4]})");
  ASSERT_TRUE(series);
  EXPECT_EQ(series->gap, seconds(195));
  EXPECT_EQ(series->available, (std::vector<bool>{true, false, true}));
}

TEST(SpotSeries, what_is_none_is_said) {
  for (const char* text :
       {"", "[]", R"({"data":[1]})", R"({"metadata":{"gap_seconds":0},"data":[1]})",
        R"({"metadata":{"gap_seconds":9},"data":[]})", R"({"metadata":{"gap_seconds":9},"data":["1"]})"})
    EXPECT_FALSE(parse_spot_series(text)) << text;
}

TEST(Deadlines, where_spot_never_goes_all_policies_pay_the_spot_price) {
  const fleet::SpotSeries series{.gap = minutes(5), .available = std::vector<bool>(2000, true)};
  const auto rows = run_deadlines(
      {series},
      {.work = hours(48), .deadlines = {hours(60)}, .starts = {seconds(0)}, .prices = kPrices, .points = 4});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].cost_permille[0], 1000);
  for (std::size_t policy = 1; policy < kDeadlinePolicyCount; ++policy)
    EXPECT_EQ(rows[0].cost_permille[policy], 317);
  EXPECT_EQ(rows[0].runs, 4);
  EXPECT_EQ(rows[0].missed(), 0);
  EXPECT_EQ(rows[0].met[0], 4);
}

TEST(Deadlines, say_how_many_were_met) {
  DeadlineRow row{.deadline = hours(60), .start = minutes(12), .runs = 4, .met = {4, 4, 4, 4, 4}};
  EXPECT_EQ(row.missed(), 0);
  EXPECT_TRUE(deadlines_text({row}).ends_with("  20 of 20\n")) << deadlines_text({row});
  row.met = {4, 2, 4, 4, 3};
  EXPECT_EQ(row.missed(), 3);
  EXPECT_TRUE(
      deadlines_text({row}).ends_with("  17 of 20; greedy missed 2, uniform-progress-eager missed 1\n"))
      << deadlines_text({row});
  const json::Value json = deadlines_json({row});
  EXPECT_EQ(json.at(0).at("met").at("greedy").as_int64(), 2);
  EXPECT_EQ(json.at(0).at("missed").as_int64(), 3);
}

TEST(Deadlines, that_nobody_can_meet_are_refused) {
  const auto fault = [](Duration deadline, Duration start) {
    const auto checked = check_deadlines({.work = hours(48),
                                          .deadlines = {hours(60), deadline},
                                          .starts = {seconds(0), start},
                                          .prices = kPrices});
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(fault(hours(49), hours(1)), "");
  EXPECT_EQ(fault(hours(40), {}),
            "a deadline of 40.00 h leaves no time for 48.00 h of work and a start of "
            "0.00 h: nobody can meet it");
  EXPECT_NE(fault(hours(49), minutes(61)), "");
}

// The nine zones of reference; their licence is not stated, so they are never part of this repository.
TEST(Deadlines, on_nine_zones_they_cost_what_was_published) {
  const char* traces = std::getenv("STOKER_TRACES");
  if (traces == nullptr) GTEST_SKIP() << "no traces";
  std::vector<fleet::SpotSeries> series;
  for (const char* zone : {"us-east-1a", "us-east-1c", "us-east-1d", "us-east-1f", "us-east-2a", "us-east-2b",
                           "us-west-2a", "us-west-2b", "us-west-2c"}) {
    const auto text =
        read_text(std::string(traces) + "/spot-cantbelate-2022/availability/1-node/aws-02-15-2023/" + zone +
                  "_v100_1.json");
    if (!text) GTEST_SKIP() << "no series of " << zone;
    series.push_back(parse_spot_series(*text).value());
  }
  // Greedy, spot else on-demand, uniform progress with hysteresis, at once; by deadline and start.
  const std::pair<std::pair<int, int>, std::array<int, 4>> published[] = {
      {{52, 3}, {721, 580, 627, 574}},  {{52, 12}, {746, 675, 697, 679}}, {{60, 3}, {608, 582, 575, 553}},
      {{60, 12}, {638, 624, 641, 609}}, {{70, 3}, {563, 585, 551, 540}},  {{70, 12}, {591, 625, 607, 596}},
      {{92, 12}, {525, 636, 579, 575}}};
  for (const auto& [hours_and_minutes, costs] : published) {
    const auto rows = run_deadlines(series, {.work = hours(48),
                                             .deadlines = {hours(hours_and_minutes.first)},
                                             .starts = {minutes(hours_and_minutes.second)},
                                             .prices = kPrices});
    EXPECT_EQ(rows[0].missed(), 0);
    for (std::size_t policy = 0; policy < costs.size(); ++policy)
      EXPECT_NEAR(static_cast<double>(rows[0].cost_permille[policy + 1]), costs[policy], 12)
          << hours_and_minutes.first << " h, policy " << policy;
  }
}

}  // namespace
}  // namespace stoker::sim
