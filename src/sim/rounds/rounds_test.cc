#include "sim/rounds/rounds.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "sim/run/archive.h"
#include "sim/run/traces.h"

namespace stoker::sim {
namespace {

SimJob job(Duration submit, Duration run, std::int64_t gpus) {
  SimJob one;
  one.submit = submit;
  one.run = run;
  one.gpus = gpus;
  return one;
}

RoundReport ran(const std::vector<SimJob>& jobs, RoundPolicy policy, std::int64_t gpus = 4) {
  return simulate_rounds(jobs, {.policy = policy, .gpus = gpus, .round = minutes(2)});
}

TEST(Rounds, one_job_alone_takes_its_time_whoever_orders) {
  for (std::size_t policy = 0; policy < std::size(kRoundPolicyNames); ++policy) {
    const RoundReport report = ran({job({}, minutes(7), 4)}, static_cast<RoundPolicy>(policy));
    EXPECT_EQ(report.makespan, minutes(7));
    EXPECT_EQ(report.fairness_worst_milli, 1000);
    EXPECT_EQ(report.unfair_permille, 0);
    EXPECT_EQ(report.utilisation_permille, 1000);
  }
}

TEST(Rounds, a_job_that_asks_for_more_than_there_is_is_left_out) {
  const RoundReport report = ran({job({}, minutes(7), 5), job({}, minutes(2), 1)}, RoundPolicy::Fifo);
  EXPECT_EQ(report.left_out, 1u);
  EXPECT_EQ(report.jobs, 1u);
  EXPECT_NE(rounds_text({report, report}).find("\n1 of 2 jobs were left out: "), std::string::npos);
  EXPECT_EQ(rounds_text({ran({job({}, minutes(2), 1)}, RoundPolicy::Fifo)}).find("left out"),
            std::string::npos);
}

TEST(Rounds, max_min_lets_equals_take_turns) {
  // Two jobs that need all GPUs for ten minutes each: done after 18 and 20 minutes, not after 10 and 20.
  const std::vector<SimJob> jobs = {job({}, minutes(10), 4), job({}, minutes(10), 4)};
  EXPECT_EQ(ran(jobs, RoundPolicy::MaxMin).mean_completion, minutes(19));
  EXPECT_EQ(ran(jobs, RoundPolicy::Fifo).mean_completion, minutes(15));
}

TEST(Rounds, max_min_by_gpu_time_gives_a_large_job_fewer_rounds) {
  // A job of four GPUs against four of one, on four GPUs: with rounds each runs in half of them, with GPU
  // time the large one in a fifth.
  std::vector<SimJob> jobs = {job({}, hours(10), 4)};
  for (int i = 0; i < 4; ++i) jobs.push_back(job({}, hours(10), 1));
  EXPECT_NEAR(static_cast<double>(ran(jobs, RoundPolicy::MaxMin).mean_completion.ms) / 3.6e6, 20, 0.1);
  const RoundReport report = ran(jobs, RoundPolicy::MaxMinGpuTime);
  EXPECT_EQ(report.makespan, hours(20));
  EXPECT_NEAR(static_cast<double>(report.mean_completion.ms) / 3.6e6, (4 * 12.5 + 20) / 5, 0.1);
}

TEST(Rounds, longest_left_ends_soonest_and_shortest_left_has_the_best_mean) {
  Rng rng(5);
  std::vector<SimJob> jobs;
  for (int i = 0; i < 60; ++i)
    jobs.push_back(job(minutes(static_cast<std::int64_t>(i)),
                       minutes(static_cast<std::int64_t>(5 + rng.below(200))),
                       static_cast<std::int64_t>(1 + rng.below(4))));
  RoundReport reports[std::size(kRoundPolicyNames)];
  for (std::size_t policy = 0; policy < std::size(kRoundPolicyNames); ++policy)
    reports[policy] = ran(jobs, static_cast<RoundPolicy>(policy), 8);
  const RoundReport& longest = reports[static_cast<std::size_t>(RoundPolicy::LongestLeft)];
  const RoundReport& shortest = reports[static_cast<std::size_t>(RoundPolicy::ShortestLeft)];
  for (const RoundReport& report : reports) {
    EXPECT_LE(longest.makespan, report.makespan);
    EXPECT_LE(shortest.mean_completion, report.mean_completion);
    EXPECT_EQ(report.jobs, 60u);
  }
}

TEST(Rounds, who_was_stopped_loses_time_when_it_goes_on) {
  // Two jobs in turns: each of their rounds of two minutes begins with half a minute of loading.
  const std::vector<SimJob> jobs = {job({}, minutes(6), 4), job({}, minutes(6), 4)};
  RoundSettings settings{
      .policy = RoundPolicy::MaxMin, .gpus = 4, .round = minutes(2), .restart = seconds(30)};
  EXPECT_EQ(simulate_rounds(jobs, settings).makespan, minutes(16));
  settings.policy = RoundPolicy::Fifo;
  EXPECT_EQ(simulate_rounds(jobs, settings).makespan, minutes(14) + seconds(30));
}

TEST(Rounds, who_comes_waits_for_its_share) {
  const std::vector<SimJob> jobs = {job({}, hours(1), 1), job(minutes(1), minutes(2), 1)};
  RoundSettings settings{.policy = RoundPolicy::MaxMinGpuTime, .gpus = 4, .round = minutes(2)};
  EXPECT_EQ(simulate_rounds(jobs, settings).mean_completion, seconds((60 + 3) * 60 / 2));
  settings.shares_every = minutes(15);  // next at 16
  EXPECT_EQ(simulate_rounds(jobs, settings).mean_completion, seconds((60 + 17) * 60 / 2));
}

// Shockwave's 120 jobs on 32 GPUs against its published table: within 10 % of its rows for Gavel and OSSP.
TEST(Rounds, shockwaves_jobs_take_what_was_published) {
  const char* traces = std::getenv("STOKER_TRACES");
  if (traces == nullptr) GTEST_SKIP() << "no traces";
  const auto text = read_trace_text(
      std::string(traces) +
      "/shockwave-2023/120_0.2_5_100_40_25_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace");
  if (!text) GTEST_SKIP() << text.error().message;
  const auto jobs = parse_trace(TraceKind::Shockwave, *text).value();
  const auto near = [&](const RoundSettings& settings, double makespan, double completion) {
    const RoundReport report = simulate_rounds(jobs, settings);
    EXPECT_NEAR(static_cast<double>(report.makespan.ms) / 1000, makespan, makespan / 10);
    EXPECT_NEAR(static_cast<double>(report.mean_completion.ms) / 1000, completion, completion / 10);
  };
  RoundSettings settings{.policy = RoundPolicy::LongestLeft};
  near(settings, 24'205, 19'807);
  settings = {.policy = RoundPolicy::MaxMinGpuTime, .restart = seconds(20), .shares_every = seconds(1000)};
  near(settings, 33'208, 11'274);
}

}  // namespace
}  // namespace stoker::sim
