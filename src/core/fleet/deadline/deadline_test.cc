#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/fleet/deadline/replay.h"

namespace stoker::fleet {
namespace {

constexpr DeadlinePolicy kAll[] = {DeadlinePolicy::OnDemandOnly, DeadlinePolicy::Greedy,
                                   DeadlinePolicy::SpotElseOnDemand, DeadlinePolicy::UniformProgress,
                                   DeadlinePolicy::UniformProgressEager};
constexpr DeadlineTask kTask{.work = hours(10), .allowed = hours(20), .overhead = minutes(6)};
constexpr GroundPrices kPrices{.on_demand = dollars(3), .spot = dollars(1)};

DeadlineView view(Duration elapsed, Duration done, Ground on, bool spot) {
  return {.elapsed = elapsed, .done = done, .on = on, .overhead_left = {}, .spot_available = spot};
}

struct Row {
  const char* says;
  DeadlinePolicy policy;
  DeadlineView view;
  DeadlineChoice choice;
};

TEST(ChooseGround, follows_its_rules) {
  constexpr auto kUp = DeadlinePolicy::UniformProgress;
  constexpr auto kEager = DeadlinePolicy::UniformProgressEager;
  const Row rows[] = {
      {"spot is taken when it is there",
       kUp,
       view({}, {}, Ground::Nothing, true),
       {Ground::Spot, DeadlineRule::UseSpot}},
      {"a job ahead of even progress waits",
       kUp,
       view(hours(4), hours(2), Ground::Nothing, false),
       {Ground::Nothing, DeadlineRule::Wait}},
      {"a job behind takes on-demand",
       kUp,
       view(hours(4), hours(1), Ground::Nothing, false),
       {Ground::OnDemand, DeadlineRule::CatchUp}},
      {"spot is kept even when behind",
       kUp,
       view(hours(4), {}, Ground::Spot, true),
       {Ground::Spot, DeadlineRule::KeepSpot}},
      {"on-demand is kept until ahead by two starts",
       kUp,
       view(hours(4), hours(2) + minutes(5), Ground::OnDemand, true),
       {Ground::OnDemand, DeadlineRule::KeepOnDemand}},
      {"then spot is preferred",
       kUp,
       view(hours(4), hours(2) + minutes(6), Ground::OnDemand, true),
       {Ground::Spot, DeadlineRule::UseSpot}},
      {"or it waits for spot",
       kUp,
       view(hours(4), hours(2) + minutes(6), Ground::OnDemand, false),
       {Ground::Nothing, DeadlineRule::LeaveOnDemand}},
      {"the eager one changes to spot at once",
       kEager,
       view(hours(4), hours(1), Ground::OnDemand, true),
       {Ground::Spot, DeadlineRule::UseSpot}},
      {"the safety net acts two starts and a tick before it is too late",
       kUp,
       view(hours(10) - minutes(12), {}, Ground::Nothing, true),
       {Ground::OnDemand, DeadlineRule::SafetyNet}},
      {"not earlier",
       kUp,
       view(hours(10) - minutes(13), {}, Ground::Nothing, true),
       {Ground::Spot, DeadlineRule::UseSpot}},
      {"greedy waits however far behind",
       DeadlinePolicy::Greedy,
       view(hours(9), {}, Ground::Nothing, false),
       {Ground::Nothing, DeadlineRule::Wait}},
      {"spot else on-demand never waits",
       DeadlinePolicy::SpotElseOnDemand,
       view({}, {}, Ground::Nothing, false),
       {Ground::OnDemand, DeadlineRule::CatchUp}},
      {"what is done is done",
       kUp,
       view(hours(1), hours(10), Ground::Spot, true),
       {Ground::Nothing, DeadlineRule::Finished}},
  };
  for (const Row& row : rows) {
    const DeadlineChoice choice = choose_ground(row.policy, kTask, row.view, minutes(1));
    EXPECT_EQ(choice, row.choice) << row.says << ", but: " << name_of(choice.on) << " by "
                                  << name_of(choice.rule);
  }
}

TEST(ChooseGround, leaves_spot_when_an_interruption_would_come_too_late_and_a_move_would_not) {
  // 10 h of work, a start of 6 min, a tick of one.
  const auto on_spot = [](Duration elapsed, Duration done, std::optional<Duration> move, Duration loss = {}) {
    DeadlineTask task = kTask;
    task.loss = loss;
    DeadlineView at = view(elapsed, done, Ground::Spot, true);
    at.move = move;
    return choose_ground(DeadlinePolicy::UniformProgress, task, at, minutes(1)).rule;
  };
  const Duration late = hours(10) - minutes(6);  // 6 min of slack are left when nothing is done by then
  EXPECT_EQ(on_spot(late, {}, minutes(2)), DeadlineRule::LeaveSpot);
  EXPECT_EQ(on_spot(late - minutes(1), {}, minutes(2)), DeadlineRule::KeepSpot) << "time for another start";
  EXPECT_EQ(on_spot(late, {}, std::nullopt), DeadlineRule::KeepSpot) << "it cannot be moved";
  EXPECT_EQ(on_spot(late, {}, minutes(6)), DeadlineRule::KeepSpot) << "moved it would be late for sure";
  EXPECT_EQ(on_spot(late + hours(9) + minutes(55), hours(9) + minutes(55), minutes(2)),
            DeadlineRule::KeepSpot)
      << "done before another machine is there";
  EXPECT_EQ(on_spot(late - minutes(30), {}, minutes(2), minutes(30)), DeadlineRule::LeaveSpot)
      << "an interruption takes half an hour of work as well";
}

TEST(ChooseGround, counts_what_an_interruption_takes_before_it_goes_to_spot) {
  DeadlineTask task = kTask;
  task.loss = task.work;  // it keeps nothing
  const auto at = [&](Duration elapsed) {
    return choose_ground(DeadlinePolicy::Greedy, task, view(elapsed, {}, Ground::Nothing, true), {}).rule;
  };
  EXPECT_EQ(at({}), DeadlineRule::SafetyNet);
  task.allowed = task.work * 2 + minutes(12);
  EXPECT_EQ(at({}), DeadlineRule::UseSpot) << "time to do it twice";
  EXPECT_EQ(at(milliseconds(1)), DeadlineRule::SafetyNet);
}

TEST(ExplainChoice, says_how_much_time_is_left_for_how_much_work) {
  const DeadlineView at = view(hours(9) + minutes(20), {}, Ground::Nothing, false);
  EXPECT_EQ(explain_choice(kTask, at, {Ground::OnDemand, DeadlineRule::SafetyNet}),
            "on-demand: 40 min of slack are left for 10 h of work (safety-net)");
  EXPECT_EQ(explain_choice(kTask, view(hours(11), minutes(30), Ground::Nothing, false),
                           {Ground::OnDemand, DeadlineRule::SafetyNet}),
            "on-demand: 30 min too late for 9 h 30 min of work (safety-net)");
  EXPECT_EQ(explain_choice(kTask, view(seconds(20), {}, Ground::Nothing, false),
                           {Ground::Nothing, DeadlineRule::Wait}),
            "waits for spot: 9 h 59 min of slack are left for 10 h of work (wait)");
}

SpotSeries random_series(Rng& rng) {
  SpotSeries series;
  series.gap = seconds(static_cast<std::int64_t>(1 + rng.below(1200)));
  const std::uint64_t stay = 1 + rng.below(100);
  bool now = rng.chance(1, 2);
  for (int i = 0; i < 600; ++i) {
    if (rng.chance(1, stay)) now = !now;
    series.available.push_back(now);
  }
  return series;
}

TEST(ReplayDeadline, every_policy_is_in_time_whenever_on_demand_alone_could_be) {
  Rng rng(2024);
  for (int i = 0; i < 800; ++i) {
    const SpotSeries series = random_series(rng);
    DeadlineTask task;
    task.work = seconds(static_cast<std::int64_t>(1 + rng.below(200'000)));
    task.overhead = seconds(static_cast<std::int64_t>(rng.below(3000)));
    task.allowed =
        task.work + task.overhead * 2 + series.gap + seconds(static_cast<std::int64_t>(rng.below(100'000)));
    for (const DeadlinePolicy policy : kAll) {
      const DeadlineOutcome outcome = replay_deadline(policy, task, series, rng.below(600), kPrices);
      ASSERT_TRUE(outcome.met) << name_of(policy) << " in walk " << i;
      ASSERT_LE(outcome.finished, task.allowed);
      ASSERT_GE(outcome.on_spot + outcome.on_demand, task.work + task.overhead);
    }
  }
}

TEST(ReplayDeadline, with_spot_always_there_all_cost_one_start_and_the_work_on_spot) {
  const SpotSeries series{.gap = minutes(3), .available = {true}};
  for (const DeadlinePolicy policy : kAll) {
    const DeadlineOutcome outcome = replay_deadline(policy, kTask, series, 0, kPrices);
    EXPECT_EQ(outcome.starts, 1);
    EXPECT_EQ(outcome.interruptions, 0);
    EXPECT_EQ(outcome.cost, policy == DeadlinePolicy::OnDemandOnly ? Money{30'300'000} : Money{10'100'000});
  }
}

TEST(ReplayDeadline, without_spot_all_cost_the_work_on_demand_and_greedy_starts_late) {
  const SpotSeries series{.gap = minutes(3), .available = {false}};
  const DeadlineOutcome greedy = replay_deadline(DeadlinePolicy::Greedy, kTask, series, 0, kPrices);
  EXPECT_EQ(greedy.cost, Money{30'300'000});
  EXPECT_EQ(greedy.starts, 1);
  EXPECT_GT(greedy.finished, hours(19));
  EXPECT_GT(greedy.decisions[static_cast<std::size_t>(DeadlineRule::SafetyNet)], 0);
  EXPECT_EQ(replay_deadline(DeadlinePolicy::SpotElseOnDemand, kTask, series, 0, kPrices).finished,
            hours(10) + minutes(6));
}

TEST(ReplayDeadline, a_deadline_that_cannot_be_met_is_said_to_be_missed) {
  const SpotSeries series{.gap = minutes(3), .available = {false}};
  const DeadlineTask task{.work = hours(10), .allowed = hours(9), .overhead = minutes(6)};
  const DeadlineOutcome outcome = replay_deadline(DeadlinePolicy::UniformProgress, task, series, 0, kPrices);
  EXPECT_FALSE(outcome.met);
  EXPECT_EQ(outcome.on_demand, hours(9));
}

TEST(PolicyFor, much_slack_is_for_greedy_and_little_for_even_progress) {
  constexpr auto kEager = DeadlinePolicy::UniformProgressEager;
  const std::tuple<int, int, DeadlinePolicy> rows[] = {
      // hours allowed for 48 hours of work, minutes of a start
      {52, 3, kEager},
      {52, 12, kEager},
      {60, 12, kEager},
      {70, 3, kEager},
      {92, 12, DeadlinePolicy::Greedy},
      {120, 0, DeadlinePolicy::Greedy},
      {48, 12, kEager},
      {40, 12, kEager},
      {70, 12, DeadlinePolicy::Greedy}};  // 458 + 271 permille
  for (const auto& [allowed, start, policy] : rows)
    EXPECT_EQ(policy_for({.work = hours(48), .allowed = hours(allowed), .overhead = minutes(start)}), policy)
        << allowed << " hours";
  EXPECT_EQ(explain_policy({.work = hours(48), .allowed = hours(60), .overhead = minutes(12)}),
            "slack is 25 % of the work and 60 starts long: uniform-progress-eager");
}

}  // namespace
}  // namespace stoker::fleet
