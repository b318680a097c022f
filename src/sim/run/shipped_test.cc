// The scenarios that are shipped in examples/scenarios still show what their stories say.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "sim/run/compare.h"
#include "sim/run/engine.h"
#include "sim/run/variants.h"
#include "sim/table.h"

namespace stoker::sim {
namespace {

std::string folder() {
  return std::string(STOKER_SOURCE_DIR) + "/examples/scenarios/";
}

std::vector<Scenario> load(const std::string& file) {
  const json::Value value = json::parse(read_text(folder() + file).value()).value();
  auto scenarios = read_scenarios(value);
  EXPECT_TRUE(scenarios) << file << ": " << (scenarios ? "" : scenarios.error().message);
  return scenarios ? std::move(*scenarios) : std::vector<Scenario>{};
}

// A report for each variant. Nothing where traces are needed and are not there.
std::vector<Report> reports(const std::string& file, std::uint64_t seed = 1) {
  const char* traces = std::getenv("STOKER_TRACES");
  std::vector<Report> all;
  for (Scenario& scenario : load(file)) {
    Rng rng(seed);
    if (!load_spot_history(scenario, traces == nullptr ? "." : traces)) return {};
    const auto workload = load_workload(scenario, traces == nullptr ? "." : traces, rng);
    if (!workload) return {};
    const Outcome outcome = simulate(scenario, workload->jobs, seed, nullptr);
    all.push_back(make_report(scenario, *workload, outcome));
    EXPECT_EQ(all.back().ledger_fault, "") << scenario.name;
    EXPECT_EQ(all.back().refused, 0) << scenario.name << ": " << all.back().refusal;
  }
  return all;
}

double measured(const Report& report, std::string_view key) {
  const auto found = std::ranges::find(measures(), key, &Measure::key);
  EXPECT_NE(found, measures().end()) << key;
  return found == measures().end() ? 0 : found->of(report);
}

std::vector<double> column(const std::vector<Report>& all, std::string_view key) {
  std::vector<double> values;
  for (const Report& report : all) values.push_back(measured(report, key));
  return values;
}

TEST(Shipped, every_file_can_be_read_and_tells_its_story) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    for (const Scenario& scenario : load(entry.path().filename())) {
      EXPECT_FALSE(scenario.name.empty());
      EXPECT_GT(scenario.story.size(), 20u) << scenario.name;
    }
  }
  EXPECT_GE(files, 8);
}

TEST(Shipped, one_pool_on_spot_doubles_the_jobs_and_halves_the_bill) {
  double spread_before = 0;  // a month without a failure has little; most have one
  constexpr std::uint64_t kSeeds = 6;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Report before = reports("team-month-before.json", seed).at(0);
    const Report after = reports("team-month-after.json", seed).at(0);
    EXPECT_NEAR(measured(before, "jobsPerDay"), 13.2, 1);
    EXPECT_NEAR(measured(after, "jobsPerDay"), 24, 1.5);
    EXPECT_NEAR(measured(before, "idlePercent"), 32.7, 3);
    EXPECT_LT(measured(after, "idlePercent"), 11);
    EXPECT_LT(measured(after, "billedDollars"), measured(before, "billedDollars") * 0.65);
    EXPECT_LT(measured(after, "overheadDeviationMinutes"), 14);
    spread_before += measured(before, "overheadDeviationMinutes") / kSeeds;
  }
  EXPECT_GT(spread_before, 30);
}

TEST(Shipped, each_step_from_own_instances_to_a_pool_on_spot_brings_what_it_is_for) {
  std::vector<double> cost(6);
  std::vector<double> spread(6);
  std::vector<double> idle(6);
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto all = reports("team-month-steps.json", seed);
    ASSERT_EQ(all.size(), 6u);
    for (std::size_t i = 0; i < all.size(); ++i) {
      cost[i] += measured(all[i], "dollarsPerJob") / kSeeds;
      spread[i] += measured(all[i], "overheadDeviationMinutes") / kSeeds;
      idle[i] += measured(all[i], "idlePercent") / kSeeds;
    }
  }
  EXPECT_LT(cost[1], cost[0] * 0.9) << "a pool: no begun hours, nothing forgotten";
  EXPECT_LT(spread[2], spread[1] / 4) << "checkpoints: even times";
  EXPECT_LT(idle[3], idle[2] / 1.8) << "packing: idle GPUs";
  EXPECT_NEAR(cost[4] / cost[3], 1, 0.03) << "a window costs little here";
  EXPECT_LT(cost[5], cost[4] * 0.5) << "spot: the bill";
}

TEST(Shipped, real_jobs_cost_a_fraction_in_one_pool) {
  const auto all = reports("itp-before-after.json");
  if (all.empty()) GTEST_SKIP() << "no traces";
  ASSERT_EQ(all.size(), 4u);
  for (const std::size_t before : {0u, 2u}) {
    const Report& one = all[before];
    const Report& pool = all[before + 1];
    EXPECT_NEAR(measured(pool, "jobsPerDay"), measured(one, "jobsPerDay"), 1);
    EXPECT_LT(measured(pool, "billedDollars"), measured(one, "billedDollars") / 4);
    EXPECT_LT(measured(pool, "idlePercent"), 15);
    EXPECT_GT(measured(one, "idlePercent"), 50);
    EXPECT_LT(measured(pool, "overheadDeviationMinutes"), 15);
    EXPECT_EQ(pool.left_out, 0);
  }
  const auto& [single, multi] = std::tie(all[1].single_node, all[1].multi_node);
  EXPECT_EQ(multi.submitted, 238);
  EXPECT_GT(multi.gpu_work, single.gpu_work);
  EXPECT_GT(multi.interruptions * 4, multi.submitted) << "each of its machines may go";
  EXPECT_LT(single.interruptions * 25, single.submitted);
}

double hours_of(Duration time) {
  return static_cast<double>(time.ms) / 3'600'000;
}

TEST(Shipped, fair_share_serves_the_small_and_limits_the_wide) {
  const auto all = reports("philly.json");
  if (all.empty()) GTEST_SKIP() << "no traces";
  ASSERT_EQ(all.size(), 4u);
  enum { FirstCome, FirstComeTold, Fair, FairTold };
  std::vector<double> single;  // mean hours until the first start
  std::vector<double> multi;
  for (const Report& report : all) {
    EXPECT_EQ(report.all.succeeded, report.all.submitted);
    EXPECT_EQ(report.left_out, 0);
    EXPECT_EQ(report.multi_node.submitted, 289);
    EXPECT_EQ(report.billed, all[0].billed) << "the machines are there anyway";
    single.push_back(hours_of(report.single_node.wait.mean));
    multi.push_back(hours_of(report.multi_node.wait.mean));
  }
  const auto slowdown = column(all, "slowdown");
  EXPECT_LT(slowdown[Fair], slowdown[FirstCome] / 3);
  EXPECT_LT(single[Fair], single[FirstCome] / 2);
  EXPECT_NEAR(multi[Fair] / multi[FirstCome], 1, 0.1) << "it does not help who needs several machines";
  EXPECT_LT(multi[FirstComeTold], multi[FirstCome] / 3) << "limits do";
  EXPECT_GT(single[FirstComeTold], single[FirstCome] * 1.1) << "and the others wait for them";
  EXPECT_LT(multi[FairTold], multi[Fair] / 2);
  EXPECT_LT(single[FairTold], single[Fair] * 1.05) << "but hardly with fair share";
}

TEST(Shipped, jobs_on_several_machines_are_few_and_as_much_work_again) {
  const auto all = reports("itp-cluster04.json");
  if (all.empty()) GTEST_SKIP() << "no traces";
  ASSERT_EQ(all.size(), 6u);
  enum { Narrow, NarrowTold, Few, FewTold, Enough, EnoughTold };
  std::vector<double> single;  // mean hours until the first start
  std::vector<double> multi;
  for (const Report& one : all) {
    EXPECT_EQ(one.all.succeeded, one.all.submitted);
    EXPECT_EQ(one.left_out + one.multi_node.submitted, 442);
    single.push_back(hours_of(one.has_multi_node() ? one.single_node.wait.mean : one.all.wait.mean));
    multi.push_back(hours_of(one.multi_node.wait.mean));
  }
  EXPECT_EQ(all[Narrow].left_out, 442);
  EXPECT_EQ(all[Enough].left_out, 0);
  EXPECT_NEAR(hours_of(all[Enough].gpu_work) / hours_of(all[Narrow].gpu_work), 1.95, 0.02);
  EXPECT_GT(single[Few], single[Narrow] * 20) << "too few machines for all of them";
  EXPECT_GT(multi[Few], single[Few] * 3) << "who needs few passes who needs many";
  EXPECT_LT(multi[FewTold], multi[Few] * 0.8) << "the machines of the head are free when it was told";
  EXPECT_GT(single[FewTold], single[Few] * 2);
  EXPECT_LT(all[FewTold].idle_permille(), all[Few].idle_permille() / 2);
  EXPECT_LT(single[Enough], 1);
  EXPECT_LT(multi[EnoughTold], multi[Enough] * 0.95);
  EXPECT_NEAR(single[EnoughTold], single[Enough], 0.1);
}

TEST(Shipped, a_burst_on_one_machine_boots_and_pulls_once_and_is_dearer_all_the_same) {
  const auto all = reports("burst-of-four.json");
  ASSERT_EQ(all.size(), 4u);
  const auto launches = column(all, "launches");
  EXPECT_NEAR(launches[0] / launches[1], 4, 0.1);
  const auto cost = column(all, "dollarsPerJob");
  EXPECT_NEAR(cost[1] / cost[0], 1.42 / 1.01, 0.05) << "as the prices of a GPU hour";
  EXPECT_NEAR(cost[2], cost[0], 0.001) << "sizing takes what is cheaper";
  EXPECT_EQ(all[2].launches, all[0].launches);
  EXPECT_GT(measured(all[3], "toComputeMinutes"), measured(all[1], "toComputeMinutes"));
  for (const Report& report : all) EXPECT_EQ(report.all.waiting, 0);
}

TEST(Shipped, longer_windows_buy_time_for_money_and_the_learnt_one_finds_its_place) {
  const auto all = reports("warm-windows.json");
  if (all.empty()) GTEST_SKIP() << "no traces";
  ASSERT_EQ(all.size(), 7u);
  const auto waits = column(all, "toComputeMinutes");
  const auto idle = column(all, "idlePercent");
  const auto cost = column(all, "dollarsPerJob");
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_LT(waits[i], waits[i - 1]);
    EXPECT_GT(idle[i], idle[i - 1]);
    EXPECT_GT(cost[i], cost[i - 1]);
  }
  std::vector<double> with_waiting;
  for (std::size_t i = 0; i < all.size(); ++i) with_waiting.push_back(cost[i] + 0.10 * waits[i]);
  EXPECT_LT(with_waiting[6], *std::min_element(with_waiting.begin(), with_waiting.end() - 1) * 1.02);
}

TEST(Shipped, checkpoints_are_what_makes_spot_cheap) {
  const auto all = reports("spot-interruptions.json");
  if (all.empty()) GTEST_SKIP() << "no traces";
  ASSERT_EQ(all.size(), 5u);
  const auto lost = column(all, "lostHours");
  const auto cost = column(all, "dollarsPerJob");
  EXPECT_EQ(lost[0], 0);
  EXPECT_GT(lost[1], lost[2] * 5);
  EXPECT_GT(lost[2], lost[3] * 2);
  EXPECT_EQ(lost[4], 0) << "told in time, nothing is lost";
  EXPECT_GT(cost[1], cost[2] * 1.5);
  EXPECT_LT(cost[2], cost[0] * 0.4);
  EXPECT_GT(all[1].all.failed, all[2].all.failed) << "attempts are used up";
  EXPECT_GT(all[1].all.interruptions, 500);
}

TEST(Shipped, what_is_lent_is_used_and_comes_back_at_once) {
  std::vector<double> idle(5), lost(5), vision(5), speech(5), preemptions(5);
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto all = reports("two-teams.json", seed);
    ASSERT_EQ(all.size(), 5u);
    for (std::size_t i = 0; i < all.size(); ++i) {
      idle[i] += measured(all[i], "idlePercent") / kSeeds;
      lost[i] += measured(all[i], "lostHours") / kSeeds;
      preemptions[i] += measured(all[i], "preemptions") / kSeeds;
      const auto minutes = [](Duration time) { return static_cast<double>(time.ms) / 60'000 / kSeeds; };
      vision[i] += minutes(all[i].tenants.at("vision").wait.mean);
      speech[i] += minutes(all[i].tenants.at("speech").wait.mean);
    }
  }
  enum { Lend, Signal, Nothing, Halves, None };
  EXPECT_LT(idle[Lend], idle[Halves] - 5) << "what vision leaves idle is used";
  EXPECT_LT(speech[Lend], speech[Halves] / 2);
  EXPECT_NEAR(vision[Lend], vision[Halves], 2) << "it waits for its own work only";
  EXPECT_LT(vision[Lend], vision[None] / 2);
  EXPECT_NEAR(vision[Signal], vision[Halves], 2) << "the grace is half a minute";
  EXPECT_EQ(lost[Signal], 0) << "told in time, nothing is lost";
  EXPECT_GT(lost[Lend], 0);
  EXPECT_LT(lost[Lend], lost[Nothing] / 5);
  EXPECT_GT(preemptions[Lend], 20);
  for (const std::size_t without : {Halves, None}) {
    EXPECT_EQ(preemptions[without], 0);
    EXPECT_EQ(lost[without], 0);
  }
}

}  // namespace
}  // namespace stoker::sim
