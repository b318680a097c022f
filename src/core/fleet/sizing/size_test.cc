#include "core/fleet/sizing/size.h"

#include <gtest/gtest.h>

#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using namespace testing;

// "2 g5.xlarge in a, on-demand; 1 g5.12xlarge in b, spot"
std::string launches(const Plan& plan) {
  std::string text;
  for (const Launch& launch : plan.launches)
    text += (text.empty() ? "" : "; ") + std::to_string(launch.count) + " " + describe(launch.pool);
  return text;
}
std::string hold(const Plan& plan, std::size_t demand = 0) {
  const Fate& fate = plan.fates.at(demand);
  return fate.hold == HoldKind::None ? "" : std::to_string(fate.held) + " " + std::string(name_of(fate.hold));
}

struct Sizing : ::testing::Test {
  FleetPolicy policy = a_policy();
  FleetState state;
  Instant now = kNow;
  Plan size(std::vector<Demand> demands) { return size_fleet(catalogue(), policy, state, demands, now); }
};

TEST_F(Sizing, without_demand_nothing_happens) {
  EXPECT_EQ(size({}), Plan{});
}

TEST_F(Sizing, launches_what_is_cheapest_for_the_runs_and_takes_zones_in_turn) {
  const Plan plan = size({gpu_jobs(4)});
  EXPECT_EQ(launches(plan), "2 g5.xlarge in a, on-demand; 2 g5.xlarge in b, on-demand");
  EXPECT_EQ(plan.fates[0].on_launches, 4);
  EXPECT_EQ(plan.launches[0].text, "runs of 1 vCPU, 1000 MiB, 1 GPU; on-demand only");
}

TEST_F(Sizing, one_machine_with_four_gpus_wins_where_a_launch_costs_much) {
  policy.cold.launch_fee = *parse_money("1.35");
  Demand demand = gpu_jobs(4);
  demand.run = minutes(12);
  EXPECT_EQ(launches(size({demand})), "1 g5.12xlarge in a, on-demand");
  demand.run = hours(12);
  EXPECT_EQ(launches(size({demand})), "2 g5.xlarge in a, on-demand; 2 g5.xlarge in b, on-demand");
}

TEST_F(Sizing, runs_that_fit_on_machines_there_or_under_way_launch_nothing) {
  state.nodes = {a_node("1").idle(seconds(1)), a_node("2", "g5.12xlarge").launching()};
  Plan plan = size({gpu_jobs(5)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(plan.fates[0].on_ready, 1);
  EXPECT_EQ(plan.fates[0].on_launching, 4);
  plan = size({gpu_jobs(6)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in b, on-demand");
}

TEST_F(Sizing, a_draining_machine_serves_nobody) {
  state.nodes = {a_node("1").draining().runs(gpu_jobs(1))};
  EXPECT_EQ(launches(size({gpu_jobs(1)})), "1 g5.xlarge in b, on-demand");
}

TEST_F(Sizing, what_a_planned_machine_has_left_serves_the_next_shape) {
  Demand three = gpu_jobs(1, 3);
  Demand one = gpu_jobs(1);
  const Plan plan = size({three, one});
  EXPECT_EQ(launches(plan), "1 g5.12xlarge in a, on-demand");
  EXPECT_EQ(plan.fates[1].on_launching, 1);
}

TEST_F(Sizing, each_machine_is_asked_for_by_those_without_whom_it_would_not_be_launched) {
  Demand three = gpu_jobs(1, 3);
  three.asker = 7;
  Demand one = gpu_jobs(2);
  one.asker = 8;
  Demand same = gpu_jobs(1);
  same.asker = 9;
  policy.zones = {"a"};
  policy.limits.vcpus_min = 60;
  const Plan plan = size({three, one, same});
  EXPECT_EQ(launches(plan),
            "1 g5.12xlarge in a, on-demand; 2 g5.xlarge in a, on-demand; 1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.launches[0].askers, (std::vector<std::uint64_t>{7})) << "one of the second fills it up";
  EXPECT_EQ(plan.launches[1].askers, (std::vector<std::uint64_t>{8, 9}));
  EXPECT_EQ(plan.launches[2].askers, (std::vector<std::uint64_t>{0})) << "the minimum";
  policy.limits.vcpus_min = 0;
  state.nodes = {a_node("1").rebalance().runs(gpu_jobs(1), true)};
  state.nodes[0].runs[0].asker = 5;
  EXPECT_EQ(size({}).launches.at(0).askers, (std::vector<std::uint64_t>{5}))
      << "a run that is about to lose its machine";
}

TEST_F(Sizing, a_machine_under_way_is_counted_for_the_runs_it_was_launched_for) {
  // By turns of zones and sizes the small run could be put on the large machine and leave no room for the
  // large.
  Demand small = gpu_jobs(1);
  Demand large = gpu_jobs(1, 4);
  FleetNode first = a_node("1", "g5.12xlarge").launching();
  FleetNode second = a_node("2").launching();
  first.runs = {{large.need, 1, false}};
  second.runs = {{small.need, 1, false}};
  state.nodes = {first, second};
  EXPECT_EQ(launches(size({small, large})), "");
  for (FleetNode& node : state.nodes) node.runs.clear();
  EXPECT_EQ(launches(size({small, large})), "1 g5.12xlarge in b, on-demand") << "nobody knows what it is for";
  state.nodes = {first, second};
  EXPECT_EQ(launches(size({small, gpu_jobs(4)})), "") << "the large one was cancelled: free for others";
}

TEST_F(Sizing, what_can_never_run_launches_nothing_and_says_why) {
  const Plan plan = size({gpu_jobs(1, 5)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(hold(plan), "1 never-fits");
  EXPECT_NE(plan.fates[0].text.find("has only 4 GPU"), std::string::npos) << plan.fates[0].text;
}

TEST_F(Sizing, limits_hold_back_what_passes_them) {
  policy.limits.vcpus_max = 10;
  Plan plan = size({gpu_jobs(5)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand");
  EXPECT_EQ(hold(plan), "3 limit");
  EXPECT_EQ(plan.fates[0].text, "the environment is at its limit: 8 of 10 vCPU, 2 of 10000 machines");
  policy.limits = {.gpus_max = 3};
  EXPECT_EQ(hold(size({gpu_jobs(5)})), "2 limit");
  policy.limits = {.nodes_max = 1};
  EXPECT_EQ(hold(size({gpu_jobs(5)})), "4 limit");
  policy.limits = {.launches_max = 2};
  plan = size({gpu_jobs(5)});
  EXPECT_EQ(plan.fates[0].text, "as many launches as one pass makes (2)");
}

TEST_F(Sizing, where_a_large_machine_passes_the_limit_small_ones_are_taken) {
  policy.cold.launch_fee = dollars(10);
  policy.limits.vcpus_max = 20;
  EXPECT_EQ(launches(size({gpu_jobs(4)})), "2 g5.xlarge in a, on-demand; 2 g5.xlarge in b, on-demand");
}

TEST_F(Sizing, a_gang_is_launched_whole_and_in_one_zone_or_not_at_all) {
  policy.types = {"g5.xlarge"};
  Demand gang = gpu_jobs(2);
  gang.gang = 3;
  EXPECT_EQ(launches(size({gang})), "6 g5.xlarge in a, on-demand");
  policy.limits.vcpus_max = 20;
  Plan plan = size({gang});
  EXPECT_EQ(launches(plan), "3 g5.xlarge in a, on-demand") << "the second has no room for its third";
  EXPECT_EQ(hold(plan), "3 limit");
}

TEST_F(Sizing, patience_leaves_some_to_the_slots_there_are) {
  policy.patience_milli = 500;
  for (int i = 0; i < 10; ++i) state.nodes.push_back(a_node(std::to_string(i)).runs(gpu_jobs(1)));
  Plan plan = size({gpu_jobs(5)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(hold(plan), "5 patience");
  EXPECT_EQ(plan.look_again, kNow + policy.patience_max);
  plan = size({gpu_jobs(8)});
  EXPECT_EQ(plan.fates[0].on_launches, 2) << "6 wait for 12 slots then";
  EXPECT_EQ(hold(plan), "6 patience");
  now = kNow + policy.patience_max;
  for (FleetNode& node : state.nodes) node.heard_at = now;
  EXPECT_EQ(size({gpu_jobs(8)}).fates[0].on_launches, 8) << "nobody is left to it for ever";
}

TEST_F(Sizing, spot_first_spreads_over_zones_and_falls_back_when_it_is_dear) {
  policy.market.use = SpotUse::First;
  EXPECT_EQ(launches(size({gpu_jobs(6)})), "3 g5.xlarge in a, spot; 3 g5.xlarge in b, spot");
  state.quotes[{"g5.xlarge", "b"}] = {dollars(2), 0};
  EXPECT_EQ(launches(size({gpu_jobs(2)})), "2 g5.xlarge in a, spot") << "b is above on-demand";
  state.quotes[{"g5.xlarge", "a"}] = {dollars(2), 0};
  policy.types = {"g5.xlarge"};
  const Plan plan = size({gpu_jobs(1)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.launches[0].text, "runs of 1 vCPU, 1000 MiB, 1 GPU; spot is too dear");
}

TEST_F(Sizing, spot_machines_are_spread_over_types_and_zones_where_that_is_not_dear) {
  policy.market.use = SpotUse::Only;
  policy.zones = {"a"};
  policy.types = {"g6.xlarge", "g5.xlarge"};
  state.quotes[{"g6.xlarge", "a"}] = {*parse_money("0.40"), 5};
  state.quotes[{"g5.xlarge", "a"}] = {*parse_money("0.42"), 5};
  EXPECT_EQ(launches(size({gpu_jobs(12)})), "6 g6.xlarge in a, spot; 6 g5.xlarge in a, spot");
  policy.market.pool_share_percent_max = 75;
  EXPECT_EQ(launches(size({gpu_jobs(12)})), "9 g6.xlarge in a, spot; 3 g5.xlarge in a, spot");
  policy.market.pool_share_percent_max = 10;
  policy.zones = {"a", "b"};
  for (const char* type : {"g6.xlarge", "g5.xlarge"}) state.quotes[{type, "b"}] = state.quotes[{type, "a"}];
  EXPECT_EQ(launches(size({gpu_jobs(12)})),
            "3 g6.xlarge in a, spot; 3 g6.xlarge in b, spot; 3 g5.xlarge in a, spot; 3 g5.xlarge in b, spot")
      << "there are not enough pools for ten percent each";
  EXPECT_EQ(launches(size({gpu_jobs(2)})), "1 g6.xlarge in a, spot; 1 g6.xlarge in b, spot");
  // A machine on demand of the cheapest type costs 0.8048 an hour: what is dearer on spot is no choice.
  policy.market.pool_share_percent_max = 50;
  policy.zones = {"a"};
  state.quotes[{"g5.xlarge", "a"}] = {*parse_money("0.81"), 5};
  EXPECT_EQ(launches(size({gpu_jobs(12)})), "12 g6.xlarge in a, spot");
  // Nor is what a limit forbids.
  policy.types = {"g6.xlarge", "g5.2xlarge"};
  policy.limits.vcpus_max = 20;
  EXPECT_EQ(launches(size({gpu_jobs(12)})), "3 g6.xlarge in a, spot; 1 g5.2xlarge in a, spot");
  state.nodes = {a_node("1", "g6.xlarge").spot().runs(gpu_jobs(1)),
                 a_node("2", "g6.xlarge").spot().runs(gpu_jobs(1))};
  policy.limits.vcpus_max = 12;
  EXPECT_EQ(launches(size({gpu_jobs(12)})), "1 g6.xlarge in a, spot");
  state.nodes.clear();
  // Gangs are near each other.
  policy.limits = {};
  policy.types = {"g6.xlarge", "g5.xlarge"};
  state.quotes[{"g5.xlarge", "a"}] = {*parse_money("0.42"), 5};
  Demand gang = gpu_jobs(1);
  gang.gang = 8;
  EXPECT_EQ(launches(size({gang})), "8 g6.xlarge in a, spot");
}

TEST_F(Sizing, a_parked_pool_is_avoided_and_when_all_are_parked_it_waits_then_goes_on_demand) {
  policy.market.use = SpotUse::First;
  policy.types = {"g5.xlarge"};
  state.pools.failed({"g5.xlarge", "a", Market::Spot}, LaunchFailure::Capacity, kNow);
  EXPECT_EQ(launches(size({gpu_jobs(3)})), "3 g5.xlarge in b, spot");
  state.pools.failed({"g5.xlarge", "b", Market::Spot}, LaunchFailure::Capacity, kNow);
  const Plan plan = size({gpu_jobs(3)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(hold(plan), "3 no-capacity");
  EXPECT_EQ(plan.fates[0].text,
            "no pool can be used now; g5.xlarge in a, spot is tried again first (no capacity)");
  EXPECT_EQ(plan.look_again, kNow + minutes(3));
  policy.market.failures_max = 2;
  EXPECT_EQ(launches(size({gpu_jobs(1)})), "1 g5.xlarge in a, on-demand") << "two failures in a row";
}

TEST_F(Sizing, wishes_about_spot_are_kept) {
  policy.market.use = SpotUse::First;
  Demand demand = gpu_jobs(1);
  demand.need.spot = SpotWish::Never;
  EXPECT_EQ(launches(size({demand})), "1 g5.xlarge in a, on-demand");
  demand.need.spot = SpotWish::Only;
  demand.interruption_percent_max = 20;
  policy.types = {"g5.xlarge", "g5.2xlarge"};
  EXPECT_EQ(launches(size({demand})), "1 g5.2xlarge in a, spot") << "g5.xlarge is interrupted more often";
  policy.types = {"g5.xlarge"};
  const Plan plan = size({demand});
  EXPECT_EQ(hold(plan), "1 no-spot");
  EXPECT_EQ(plan.fates[0].text, "no spot pool will do: interrupted too often");
  policy.market.use = SpotUse::Never;
  EXPECT_EQ(hold(size({demand})), "1 not-for-spot");
}

TEST_F(Sizing, a_near_deadline_is_not_for_spot) {
  policy.market.use = SpotUse::First;
  Demand demand = gpu_jobs(1);
  demand.due = Due{.clock = kNow, .deadline = kNow + hours(2) + minutes(20), .work = hours(2)};
  Plan plan = size({demand});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.fates[0].due, "on-demand: 20 min of slack are left for 2 h of work (safety-net)");
  EXPECT_EQ(plan.launches[0].text, "runs of 1 vCPU, 1000 MiB, 1 GPU; for its deadline; " + plan.fates[0].due);
  demand.due->deadline = kNow + hours(3);
  EXPECT_EQ(launches(size({demand})), "1 g5.xlarge in a, spot");
  demand.due->loss = hours(2);  // it keeps nothing
  EXPECT_EQ(launches(size({demand})), "1 g5.xlarge in a, on-demand") << "no time to do it twice";
  demand.due->loss = {};
  state.nodes = {a_node("1").spot().launching()};
  EXPECT_EQ(launches(size({demand})), "") << "it is under way";
  demand.due->deadline = kNow + hours(2) + minutes(20);
  EXPECT_EQ(launches(size({demand})), "1 g5.xlarge in a, on-demand") << "what is under way is spot";
}

TEST_F(Sizing, who_is_ahead_of_a_deadline_waits_for_spot_and_who_is_behind_does_not) {
  policy.market.use = SpotUse::First;
  policy.types = {"g5.xlarge"};
  for (const char* zone : {"a", "b"})
    state.pools.failed({"g5.xlarge", zone, Market::Spot}, LaunchFailure::Capacity, kNow);
  Demand demand = gpu_jobs(1);
  demand.due = Due{.clock = kNow, .deadline = kNow + hours(20), .work = hours(2)};
  Plan plan = size({demand});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(hold(plan), "1 no-spot");
  EXPECT_EQ(plan.fates[0].text, "waits for spot: 18 h of slack are left for 2 h of work (wait)");
  EXPECT_EQ(plan.look_again, kNow + minutes(1));
  demand.due = Due{.clock = kNow - hours(1), .deadline = kNow + hours(11), .work = hours(10)};
  plan = size({demand});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.fates[0].due, "on-demand: 1 h of slack are left for 10 h of work (catch-up)");
  policy.market.use = SpotUse::Only;
  EXPECT_EQ(hold(size({demand})), "1 no-capacity") << "an environment of spot only has nothing else";
}

TEST_F(Sizing, runs_that_want_certain_types_get_those) {
  policy.types = {"g5.xlarge", "g5.2xlarge"};
  Demand demand = gpu_jobs(1);
  demand.need.instance_types = {"g5.2xlarge"};
  state.nodes = {a_node("1").idle({})};
  EXPECT_EQ(launches(size({demand})), "1 g5.2xlarge in a, on-demand");
  demand.need.instance_types = {"p5.48xlarge"};
  const Plan plan = size({demand});
  EXPECT_EQ(hold(plan), "1 never-fits");
  EXPECT_EQ(
      plan.fates[0].text,
      "asks 1 vCPU, 1000 MiB, 1 GPU on p5.48xlarge; of 2 allowed instance types g5.xlarge comes nearest and "
      "has only another name than those");
}

TEST_F(Sizing, no_known_price_is_a_reason) {
  policy.region = "eu-north-1";
  const Plan plan = size({gpu_jobs(1)});
  EXPECT_EQ(hold(plan), "1 no-price");
  EXPECT_EQ(plan.fates[0].text, "no price is known in eu-north-1 for what could hold them");
}

struct StrategyRow {
  const char* says;
  Strategy strategy;
  std::vector<std::string> types;
  bool parked;  // the spot pools of g6.xlarge
  const char* launches;
};

TEST_F(Sizing, strategies_choose_as_batch_describes_them) {
  // Spot an hour: g5.xlarge 0.4125 and above 20 % a month, g6.xlarge 0.4104 and above 20 %, g6e.xlarge 0.7816
  // and 5 to 10 %, g6e.2xlarge 0.8296 and 10 to 15 %.
  const StrategyRow rows[] = {
      {"best fit: the cheapest",
       Strategy::BestFit,
       {"g5.xlarge", "g6.xlarge"},
       false,
       "1 g6.xlarge in a, spot"},
      {"best fit waits when it is sold out", Strategy::BestFit, {"g5.xlarge", "g6.xlarge"}, true, ""},
      {"progressive takes the next",
       Strategy::BestFitProgressive,
       {"g5.xlarge", "g6.xlarge"},
       true,
       "1 g5.xlarge in a, spot"},
      {"ordered: the list, not the price",
       Strategy::BestFitProgressiveOrdered,
       {"g5.xlarge", "g6.xlarge"},
       false,
       "1 g5.xlarge in a, spot"},
      {"ordered: the next of the list",
       Strategy::BestFitProgressiveOrdered,
       {"g6.xlarge", "g5.xlarge"},
       true,
       "1 g5.xlarge in a, spot"},
      {"capacity: interrupted least",
       Strategy::SpotCapacityOptimized,
       {"g5.xlarge", "g6e.2xlarge", "g6e.xlarge"},
       false,
       "1 g6e.xlarge in a, spot"},
      {"capacity and price: a much lower price outweighs interruptions",
       Strategy::SpotPriceCapacityOptimized,
       {"g5.xlarge", "g6e.xlarge"},
       false,
       "1 g5.xlarge in a, spot"},
      {"capacity, then the list",
       Strategy::SpotCapacityOptimizedPrioritized,
       {"g5.xlarge", "p4de.24xlarge", "p5en.48xlarge"},
       false,
       "1 p4de.24xlarge in a, spot"},
  };
  for (const StrategyRow& row : rows) {
    policy.strategy = row.strategy;
    policy.types = row.types;
    policy.market.use = SpotUse::Only;
    state.pools = {};
    if (row.parked)
      for (const char* zone : {"a", "b"})
        state.pools.failed({"g6.xlarge", zone, Market::Spot}, LaunchFailure::Capacity, kNow);
    EXPECT_EQ(launches(size({gpu_jobs(1)})), row.launches) << row.says;
  }
}

TEST_F(Sizing, capacity_and_price_pays_a_little_more_for_a_steadier_pool) {
  policy.types = {"g5.xlarge"};
  policy.market.use = SpotUse::Only;
  state.quotes[{"g5.xlarge", "a"}] = {*parse_money("0.50"), 5};
  state.quotes[{"g5.xlarge", "b"}] = {*parse_money("0.45"), 20};
  EXPECT_EQ(launches(size({gpu_jobs(1)})), "1 g5.xlarge in b, spot");
  policy.strategy = Strategy::SpotPriceCapacityOptimized;
  EXPECT_EQ(launches(size({gpu_jobs(1)})), "1 g5.xlarge in a, spot");
}

TEST_F(Sizing, the_minimum_is_kept_without_demand_and_when_disabled) {
  policy.limits.vcpus_min = 10;
  Plan plan = size({});
  EXPECT_EQ(launches(plan), "2 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand") << "12 vCPU";
  EXPECT_EQ(plan.launches[0].reason, LaunchReason::Minimum);
  state.enabled = false;
  EXPECT_EQ(launches(size({})), launches(plan));
  EXPECT_EQ(hold(size({gpu_jobs(9)})), "9 disabled");
}

TEST_F(Sizing, a_dear_machine_does_not_stay_for_a_minimum_that_a_cheap_one_would_keep) {
  policy.limits.vcpus_min = 4;
  const auto retired = [](const Plan& plan) {
    std::string text;
    for (const Retire& one : plan.retirements)
      text +=
          (text.empty() ? "" : "; ") + one.node + " " + std::string(name_of(one.reason)) + ": " + one.text;
    return text;
  };
  // 12 minutes of a g5.xlarge are spent at 5.672 - 1.006 an hour in 155.2 seconds.
  state.nodes = {a_node("1", "g5.12xlarge").idle(seconds(155))};
  Plan plan = size({});
  EXPECT_EQ(launches(plan) + retired(plan), "");
  EXPECT_EQ(plan.look_again, kNow + milliseconds(233));
  state.nodes = {a_node("1", "g5.12xlarge").idle(seconds(156))};
  plan = size({});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.launches[0].reason, LaunchReason::Minimum);
  EXPECT_EQ(
      retired(plan),
      "1 makes-room: the minimum of vCPUs is kept by cheaper machines, at 1.01 instead of 5.67 USD an hour");
  // Not in its warm window, not when it runs something or is about to, and not in vain.
  policy.window.fixed = minutes(10);
  EXPECT_EQ(retired(size({})), "");
  EXPECT_EQ(size({}).look_again, kNow + minutes(10) - seconds(156));
  policy.window.fixed = {};
  EXPECT_EQ(retired(size({gpu_jobs(1, 4)})), "");
  policy.limits.vcpus_min = 40;
  EXPECT_EQ(retired(size({})), "") << "ten g5.xlarge are dearer";
  policy.limits.vcpus_min = 4;
  policy.types = {"g5.12xlarge"};
  EXPECT_EQ(retired(size({})), "") << "there is nothing cheaper";
  policy = a_policy();
  policy.limits = {.vcpus_min = 8, .vcpus_max = 52};
  state.nodes = {a_node("1", "g5.12xlarge").idle(hours(1)), a_node("2").runs(gpu_jobs(1))};
  plan = size({});
  EXPECT_EQ(retired(plan).substr(0, 12), "1 makes-room");
  EXPECT_EQ(launches(plan), "") << "at the limit as long as the other is not gone";
  state.nodes[0].phase = NodePhase::Draining;
  EXPECT_EQ(launches(size({})), "");
  state.nodes.erase(state.nodes.begin());
  EXPECT_EQ(launches(size({})), "1 g5.xlarge in b, on-demand");
  // Of two one goes first.
  state.nodes = {a_node("1", "g5.12xlarge").idle(hours(1)), a_node("2", "g5.12xlarge").idle(hours(2))};
  policy.limits = {.vcpus_min = 8};
  plan = size({});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(plan.retirements.size(), 1);
  state.nodes.pop_back();
  plan = size({});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand");
  EXPECT_EQ(plan.retirements.size(), 1);
  state.budget.level = BudgetLevel::StopLaunches;
  EXPECT_EQ(retired(size({})), "") << "nothing could be launched instead";
}

TEST_F(Sizing, a_wish_for_capacity_is_fulfilled_once) {
  state.vcpus_desired = 8;
  Plan plan = size({});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand");
  EXPECT_TRUE(plan.desired_reached);
  policy.limits.vcpus_max = 6;
  EXPECT_FALSE(size({}).desired_reached);
}

TEST_F(Sizing, a_spent_budget_stops_launches) {
  state.budget = judge({.limit = dollars(10)}, dollars(10), {}, kNow);
  policy.limits.vcpus_min = 4;
  const Plan plan = size({gpu_jobs(1)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(hold(plan), "1 budget");
}

TEST_F(Sizing, runs_of_a_machine_that_is_to_be_left_get_a_replacement_at_once) {
  policy.market.use = SpotUse::First;
  state.nodes = {a_node("1").spot().runs(gpu_jobs(1), true).rebalance()};
  Plan plan = size({});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in b, spot");
  ASSERT_EQ(plan.retirements.size(), 1U);
  EXPECT_EQ(plan.retirements[0].reason, RetireReason::Rebalance);
  EXPECT_TRUE(plan.retirements[0].drain);
  EXPECT_TRUE(plan.fates.empty());
  state.nodes = {a_node("1").spot().draining().runs(gpu_jobs(1), true).rebalance(),
                 a_node("2").spot("b").launching()};
  plan = size({});
  EXPECT_EQ(launches(plan), "") << "it is under way";
  EXPECT_TRUE(plan.retirements.empty());
}

TEST_F(Sizing, an_idle_machine_that_waiting_runs_can_use_stays) {
  state.nodes = {a_node("1").idle(hours(9)), a_node("2").idle(hours(8))};
  policy.types = {"g5.xlarge"};
  const Plan plan = size({gpu_jobs(1)});
  ASSERT_EQ(plan.retirements.size(), 1U);
  EXPECT_EQ(plan.retirements[0].node, "1") << "the one that became idle last is used";
}

TEST_F(Sizing, a_large_fleet_costs_by_kinds_of_machines) {
  policy.limits = {.vcpus_max = 1'000'000, .nodes_max = 100'000, .launches_max = 10'000};
  for (int i = 0; i < 10'000; ++i) state.nodes.push_back(a_node(std::to_string(i)).runs(gpu_jobs(1)));
  std::vector<Demand> demands;
  for (int i = 0; i < 300; ++i) {
    demands.push_back(gpu_jobs(1));
    demands.back().need.memory_mib = 1000 + i;
  }
  const Plan plan = size(demands);
  std::int64_t count = 0;
  for (const Launch& launch : plan.launches) count += launch.count;
  EXPECT_EQ(count, 300);
}

}  // namespace
}  // namespace stoker::fleet
