// Random scenarios: whatever is asked for, the books are right, every job has an end, and the same seed gives
// the same bytes.
#include <map>

#include <gtest/gtest.h>

#include "base/testing/walks.h"
#include "base/text.h"
#include "sim/run/bills.h"
#include "sim/run/engine.h"
#include "sim/run/report.h"
#include "sim/run/spread.h"
#include "sim/run/timeline.h"

namespace stoker::sim {
namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : rng_(seed) {}

  Scenario scenario() {
    json::Object object{{"name", "walk"}, {"days", 2}, {"restartSeconds", number(0, 900)}};
    json::Array sources;
    for (int i = 0, n = number(1, 3); i < n; ++i) sources.push_back(json::Object{{"generate", source(i)}});
    json::Array environments;
    environments.push_back(environment("first"));
    if (rng_.chance(1, 3)) environments.push_back(environment("second"));
    json::Array names;
    for (const json::Value& one : environments) names.push_back(*json::find(one, "name"));
    json::Object queue{{"name", "default"}, {"environments", names}};
    if (rng_.chance(1, 3))
      queue["schedulingPolicy"] =
          json::Object{{"fairsharePolicy", json::Object{{"shareDecaySeconds", 3600}}}};
    object["jobs"] = std::move(sources);
    object["environments"] = std::move(environments);
    object["queues"] = json::Array{std::move(queue)};
    text_ = json::write(object);
    auto read = read_scenario(json::parse(text_).value());
    EXPECT_TRUE(read) << text_ << (read ? "" : read.error().message);
    Scenario made = std::move(*read);
    for (SimEnvironment& one : made.environments)
      if (rng_.chance(1, 4) && one.spot.mean_to_interruption == Duration{})
        one.spot.history =
            history_of({{{}, true, "a"}, {{}, true, "b"}, {hours(1), false, "a"}, {hours(2), false, "b"}});
    return made;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  int number(int least, int most) {
    return least + static_cast<int>(rng_.below(static_cast<std::uint64_t>(most - least + 1)));
  }

  json::Object source(int index) {
    json::Object object{
        {"jobsPerDay", number(1, 60)},
        {"burst", number(1, 5)},
        {"runSeconds", json::Object{{"exponential", json::Object{{"mean", number(60, 20'000)}}}}},
        {"gpus", json::Array{json::Object{{"gpus", number(0, 4)}, {"weight", 1}},
                             json::Object{{"gpus", 1}, {"weight", number(1, 5)}},
                             json::Object{{"gpus", "0." + std::to_string(number(1, 9))}, {"weight", 1}},
                             json::Object{{"gpus", number(0, 4)}, {"nodes", number(2, 4)}, {"weight", 1}}}},
        {"tenants", json::Array{"team " + std::to_string(index)}},
        {"failuresPerMillionHours", number(0, 1) * number(1, 100'000)}};
    if (rng_.chance(1, 2)) object["checkpointSeconds"] = number(60, 3600);
    if (rng_.chance(1, 3))
      object["tags"] = json::Object{{"stoker:checkpoint", "signal"}, {"stoker:deadline", "3h"}};
    return object;
  }

  json::Object environment(const std::string& name) {
    json::Object object{{"name", name},
                        {"bootSeconds", number(0, 600)},
                        {"pullSeconds", json::Object{{"uniform", json::Array{0, number(1, 900)}}}},
                        {"keepsImages", rng_.chance(1, 2)},
                        {"oneRunAMachine", rng_.chance(1, 5)},
                        {"onDemandFailPermille", number(0, 300)},
                        {"billing", rng_.chance(1, 4) ? "hour" : "second"},
                        {"idleCost", rng_.chance(1, 3) ? "proportional" : "environment"}};
    if (rng_.chance(1, 4))
      object["machines"] = json::Array{json::Object{{"type", "g5.12xlarge"}, {"count", number(1, 2)}}};
    if (rng_.chance(1, 5)) object["leftRunning"] = json::Object{{"permille", 300}, {"meanSeconds", 7200}};
    json::Object spot{{"pricePercent", number(20, 100)},
                      {"failPermille", number(0, 200)},
                      {"noticeSeconds", number(0, 1) * 120}};
    if (rng_.chance(1, 2)) spot["meanSecondsToInterruption"] = number(600, 40'000);
    if (rng_.chance(1, 3)) {
      spot["prices"] = json::Array{json::Object{{"afterSeconds", 3600}, {"percent", number(20, 120)}},
                                   json::Object{{"afterSeconds", 30'000}, {"percent", number(20, 120)}}};
      spot["pricesRepeatSeconds"] = 86'400;
    }
    object["spotModel"] = std::move(spot);
    constexpr const char* kUses[] = {"first", "only", "never"};
    object["fleet"] = json::Object{
        {"types", rng_.chance(1, 2) ? json::Array{"g5"} : json::Array{"g5.xlarge", "g5.12xlarge"}},
        {"zones", json::Array{"a", "b"}},
        {"spot", json::Object{{"use", kUses[number(0, 2)]}}},
        {"cold", json::Object{{"launchFee", "0." + std::to_string(number(0, 9))}}},
        {"limits", json::Object{{"vcpusMin", number(0, 1) * 40}, {"vcpusMax", number(50, 2000)}}},
        {"window", rng_.chance(1, 3) ? json::Object{{"kind", "learnt"}}
                                     : json::Object{{"kind", "fixed"}, {"seconds", number(0, 3600)}}}};
    return object;
  }

  Rng rng_;
  std::string text_;
};

struct Ran {
  Scenario scenario;
  Workload workload;
  Outcome outcome;
  Report report;
};

Ran ran(std::uint64_t seed, std::string& text) {
  Maker maker(seed);
  Ran all{maker.scenario(), {}, {}, {}};
  text = maker.text();
  Rng rng(seed);
  all.workload = load_workload(all.scenario, ".", rng).value();
  all.outcome = simulate(all.scenario, all.workload.jobs, seed, nullptr);
  all.report = make_report(all.scenario, all.workload, all.outcome);
  return all;
}

// Nodes of a job begin and end together, and all or none run.
void check_nodes(const Ran& all) {
  std::map<std::pair<std::size_t, Instant>, std::pair<std::int64_t, Instant>> starts;
  for (const MachineOutcome& machine : all.outcome.machines)
    for (const cost::RunUse& run : machine.use.runs) {
      const auto index = static_cast<std::size_t>(parse_int(run.payer.job).value());
      auto& [runs, to] = starts[{index, run.to}];
      EXPECT_TRUE(runs == 0 || to == run.from) << index;
      to = run.from;
      ++runs;
    }
  for (const auto& [start, found] : starts)
    EXPECT_EQ(found.first, all.workload.jobs[start.first].nodes) << start.first;
}

// What jobs pay is of one part or the other, and so is everything that is counted. Tenants also pay for
// machines that idle, or never served anybody, on their account.
void check_parts(const Report& report) {
  if (!report.has_multi_node()) return;
  const Figures& single = report.single_node;
  const Figures& multi = report.multi_node;
  for (const auto member : {&Figures::submitted, &Figures::succeeded, &Figures::failed, &Figures::waiting,
                            &Figures::interruptions, &Figures::failures, &Figures::deadlines_met})
    EXPECT_EQ(single.*member + multi.*member, report.all.*member);
  EXPECT_EQ(single.lost + multi.lost, report.all.lost);
  EXPECT_EQ(single.gpu_work + multi.gpu_work, report.gpu_work);
  cost::Totals tenants;
  for (const auto& [tenant, figures] : report.tenants)
    for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
      tenants.by_kind[kind] += figures.cost.by_kind[kind];
  const auto of_jobs = [&](cost::Kind kind) { return single.cost.of(kind) + multi.cost.of(kind); };
  EXPECT_EQ(of_jobs(cost::Kind::Work), tenants.of(cost::Kind::Work));
  for (const auto kind : {cost::Kind::WarmUp, cost::Kind::Idle, cost::Kind::Waste})
    EXPECT_LE(of_jobs(kind), tenants.of(kind));
}

// The rows of the CSV: each within its month, together the bill.
void check_focus(const Ran& all) {
  Money sum;
  const std::string csv = focus_csv(all.scenario, all.outcome);
  for (const std::string_view row : split(csv, '\n')) {
    const auto cells = split(row, ',');
    if (row.empty() || cells[0] == "BilledCost") continue;
    sum += parse_money(cells[0]).value();
    EXPECT_TRUE(cells[9] <= cells[7] && cells[7] <= cells[8] && cells[8] <= cells[10]) << row;
    EXPECT_EQ(cells[7].substr(0, 10) == cells[8].substr(0, 10) || cells[8].ends_with("T00:00:00Z"), true)
        << row;
  }
  EXPECT_EQ(sum, all.report.billed);
}

// Each launch that came costs its fee, in lines that have no time.
void check_launch_fees(const Ran& all) {
  Money fees;
  Money lines;
  for (const MachineOutcome& machine : all.outcome.machines) {
    const auto environment =
        std::ranges::find(all.scenario.environments, machine.use.environment, &SimEnvironment::name);
    if (machine.launched) fees += environment->policy->cold.launch_fee;
    EXPECT_EQ(machine.use.launch_fee, machine.launched ? environment->policy->cold.launch_fee : Money{});
    lines += machine.use.launch_fee;
  }
  EXPECT_EQ(lines, fees);
  EXPECT_LE(fees, all.report.billed);
}

void check(const Ran& all) {
  check_launch_fees(all);
  check_focus(all);
  check_nodes(all);
  check_parts(all.report);
  const Figures& figures = all.report.all;
  EXPECT_EQ(all.report.ledger_fault, "");
  EXPECT_EQ(all.report.refused, 0) << all.report.refusal;
  EXPECT_EQ(figures.submitted, figures.succeeded + figures.failed + figures.running + figures.waiting);
  EXPECT_EQ(figures.cost.sum(), all.report.billed);
  EXPECT_LE(all.report.gpu_work, all.report.gpu_time);
  EXPECT_EQ(figures.gpu_work, all.report.gpu_work);
  Money days;
  for (const Day& day : make_timeline(all.scenario, all.workload, all.outcome).days)
    for (const Money part : day.cost) days += part;
  EXPECT_EQ(days, all.report.billed);
  for (std::size_t i = 0; i < all.workload.jobs.size(); ++i) {
    const JobOutcome& one = all.outcome.jobs[i];
    if (one.end != JobEnd::Succeeded) continue;
    EXPECT_GE(one.ended_at - one.placed_at, all.workload.jobs[i].run) << "nobody is faster than the work";
    EXPECT_GE(one.placed_at, all.outcome.started + all.workload.jobs[i].submit);
  }
}

TEST(SimulatedWalk, the_books_are_right_whatever_happens) {
  const stoker::testing::WalkSeeds seeds = stoker::testing::walk_seeds(40);
  for (auto seed = static_cast<std::uint64_t>(seeds.first); seed <= static_cast<std::uint64_t>(seeds.last);
       ++seed) {
    std::string text;
    const Ran all = ran(seed, text);
    check(all);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ": " << text;
    if (seed % 8 != 0) continue;
    const Ran again = ran(seed, text);
    ASSERT_EQ(json::write(to_json(all.scenario, seed, all.report)),
              json::write(to_json(again.scenario, seed, again.report)));
    ASSERT_EQ(focus_csv(all.scenario, all.outcome), focus_csv(again.scenario, again.outcome))
        << "every line of it";
  }
}

}  // namespace
}  // namespace stoker::sim
