#include <gtest/gtest.h>

#include "core/fleet/keep/consolidate.h"
#include "core/fleet/keep/forgotten.h"
#include "core/fleet/keep/retire.h"
#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using namespace testing;

struct Keeping : ::testing::Test {
  FleetPolicy policy = a_policy();
  FleetState state;
  Keeping() { policy.window.fixed = minutes(10); }
  Retirements retire() {
    return retire_nodes(catalogue(), policy, state, std::vector<bool>(state.nodes.size(), false), {}, kNow);
  }
  // "1 idle, 2 silent"
  std::string gone() {
    std::string text;
    for (const Retire& one : retire().retirements)
      text += (text.empty() ? "" : ", ") + one.node + " " + std::string(name_of(one.reason)) +
              (one.drain ? " drain" : "") + (one.move ? " move" : "");
    return text;
  }
};

TEST_F(Keeping, an_idle_machine_goes_after_its_window) {
  state.nodes = {a_node("1").idle(minutes(10)), a_node("2").idle(minutes(9)), a_node("3").runs(gpu_jobs(1))};
  EXPECT_EQ(gone(), "1 idle");
  EXPECT_EQ(retire().look_again, kNow + minutes(1));
  EXPECT_EQ(retire().retirements[0].text, "idle for 600 s, fixed window 600 s");
  policy.window.fixed = {};
  EXPECT_EQ(gone(), "1 idle, 2 idle");
}

TEST_F(Keeping, the_minimum_is_kept_on_the_cheapest) {
  policy.limits.vcpus_min = 6;
  state.nodes = {a_node("1").idle(hours(1)), a_node("2").idle(hours(2)),
                 a_node("3", "g5.12xlarge").idle(hours(1))};
  EXPECT_EQ(gone(), "3 idle");
}

TEST_F(Keeping, who_stays_for_the_minimum_alone_is_who_would_go_last) {
  const auto kept = [&] {
    std::string text;
    const std::vector<bool> all = kept_by_minimum(catalogue(), policy, state);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]) text += (text.empty() ? "" : " ") + state.nodes[i].id;
    return text;
  };
  state.nodes = {a_node("1").idle(hours(1)), a_node("2").idle(hours(2)),
                 a_node("3", "g5.12xlarge").idle(minutes(1))};
  EXPECT_EQ(kept(), "") << "there is no minimum";
  policy.limits.vcpus_min = 6;
  EXPECT_EQ(kept(), "1 2") << "the dear one is in its window, and not for the minimum";
  policy.limits.vcpus_min = 4;
  EXPECT_EQ(kept(), "1") << "the other is idle longer";
  state.nodes = {a_node("1").idle(hours(1)), a_node("2").runs(gpu_jobs(1)), a_node("3").launching()};
  EXPECT_EQ(kept(), "2") << "one that runs something is enough, of those the oldest";
  policy.limits.vcpus_min = 12;
  EXPECT_EQ(kept(), "1 2 3");
  state.nodes = {a_node("1").draining().idle(hours(1)), a_node("2").rebalance().idle(hours(1))};
  EXPECT_EQ(kept(), "") << "who leaves is not kept";
}

TEST_F(Keeping, machines_of_no_use_go_whatever_the_minimum) {
  policy.limits.vcpus_min = 1000;
  state.nodes = {a_node("1").launching(minutes(20)),       a_node("2").launching(minutes(19)),
                 a_node("3").heard(minutes(15)),           a_node("4").draining().idle(seconds(1)),
                 a_node("5").draining().runs(gpu_jobs(1)), a_node("6").rebalance().runs(gpu_jobs(1)),
                 a_node("7").rebalance().idle(seconds(1))};
  EXPECT_EQ(gone(), "1 never-joined, 3 silent, 4 drained, 6 rebalance drain move, 7 rebalance");
  EXPECT_EQ(retire().look_again, kNow + minutes(1));
}

TEST_F(Keeping, an_old_machine_goes_when_it_is_idle) {
  policy.age_max = minutes(30);
  state.nodes = {a_node("1").idle(seconds(1)), a_node("2").runs(gpu_jobs(1))};
  EXPECT_EQ(gone(), "1 too-old");
}

TEST_F(Keeping, a_budget_can_stop_the_fleet) {
  state.budget = judge({.limit = dollars(1), .stop_fleet_percent = 100}, dollars(1), {}, kNow);
  policy.limits.vcpus_min = 1000;
  state.nodes = {a_node("1").idle(seconds(1)), a_node("2").runs(gpu_jobs(1)), a_node("3").launching()};
  EXPECT_EQ(gone(), "1 budget, 2 budget drain move, 3 budget");
  EXPECT_EQ(retire().retirements[1].deadline, kNow + policy.stop_grace);
}

TEST_F(Keeping, a_learnt_window_counts_the_price_of_the_market) {
  policy.window.kind = WindowKind::Learnt;
  policy.wait_per_minute = *parse_money("0.10");
  state.nodes = {a_node("1").idle(minutes(100)), a_node("2").spot().idle(minutes(100))};
  EXPECT_EQ(gone(), "1 idle") << "break-even is 84 minutes on demand, 187 on spot";
}

// ---- consolidation ----

TEST_F(Keeping, a_machine_whose_runs_fit_elsewhere_is_emptied) {
  state.nodes = {a_node("1", "g5.12xlarge").runs(gpu_jobs(1), true).underused(minutes(15)),
                 a_node("2", "g5.12xlarge").runs(gpu_jobs(2))};
  auto emptied = consolidate(catalogue(), policy, state, kNow);
  ASSERT_TRUE(emptied);
  EXPECT_EQ(emptied->node, "1");
  EXPECT_TRUE(emptied->drain && emptied->move);
  state.nodes[0].runs[0].movable = false;
  emptied = consolidate(catalogue(), policy, state, kNow);
  ASSERT_TRUE(emptied);
  EXPECT_FALSE(emptied->move) << "it ends by itself; only nothing new comes";
  state.nodes[0].runs[0].movable = true;
  state.nodes[0].runs[0].left = state.nodes[0].runs[0].redone;
  emptied = consolidate(catalogue(), policy, state, kNow);
  ASSERT_TRUE(emptied);
  EXPECT_FALSE(emptied->move) << "moving would save no more than it costs";
}

TEST_F(Keeping, nothing_is_emptied_onto_idle_or_full_machines_nor_too_soon_nor_below_the_minimum) {
  const FleetNode half = a_node("1", "g5.12xlarge").runs(gpu_jobs(2), true).underused(minutes(15));
  const FleetNode other = a_node("2", "g5.12xlarge").runs(gpu_jobs(2));
  const auto emptied = [&](std::vector<FleetNode> nodes) {
    state.nodes = std::move(nodes);
    return consolidate(catalogue(), policy, state, kNow).has_value();
  };
  EXPECT_TRUE(emptied({half, other}));
  EXPECT_FALSE(emptied({half, a_node("2", "g5.12xlarge").idle(minutes(1))}));
  EXPECT_FALSE(emptied({half, a_node("2", "g5.12xlarge").runs(gpu_jobs(3))}));
  EXPECT_FALSE(emptied({half, other, a_node("3").launching()})) << "quiet times only";
  EXPECT_FALSE(emptied({a_node("1", "g5.12xlarge").runs(gpu_jobs(2), true).underused(minutes(14)), other}));
  policy.limits.vcpus_min = 49;
  EXPECT_FALSE(emptied({half, other}));
}

// ---- forgotten ----

TEST(Forgotten, compares_what_the_engine_lists_with_what_is_known) {
  const std::vector<FleetNode> nodes = {a_node("i-1").runs(gpu_jobs(1)), a_node("i-2").idle(hours(13)),
                                        a_node("i-3").launching(minutes(5)),
                                        a_node("i-4").launching(minutes(1))};
  const std::vector<Sighting> listed = {
      {"i-9", kNow - hours(70)}, {"i-8", kNow - minutes(9)}, {"i-1", kNow}, {"i-2", kNow}};
  const auto found = find_forgotten(nodes, listed, {}, kNow);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].node + std::string(name_of(found[0].kind)), "i-2long-idle");
  EXPECT_FALSE(found[0].terminate);
  EXPECT_EQ(found[1].node + std::string(name_of(found[1].kind)), "i-3vanished");
  EXPECT_EQ(found[2].node + std::string(name_of(found[2].kind)), "i-9unknown");
  EXPECT_TRUE(found[2].terminate);
  EXPECT_EQ(found[2].for_long, hours(70));
}

}  // namespace
}  // namespace stoker::fleet
