#include "sim/run/engine.h"

#include <map>

#include <gtest/gtest.h>

#include "sim/run/report.h"
#include "sim/run/world.h"

namespace stoker::sim {
namespace {

struct Simulated {
  Scenario scenario;
  Workload workload;
  Outcome outcome;
  Report report;
};

// With jobs given by hand.
Simulated simulated(const std::string& environment, std::vector<SimJob> jobs, int day_count = 0,
                    std::uint64_t seed = 1, const std::string& queue = "") {
  const std::string text = R"({"name":"n","days":)" + std::to_string(day_count) +
                           R"(,"jobs":[{"trace":"itp","file":"none"}],
    "environments":[)" + environment +
                           R"(],"queues":[{"name":"default","environments":["e"])" + queue +
                           R"(}],"restartSeconds":60})";
  Simulated s;
  auto scenario = read_scenario(json::parse(text).value());
  EXPECT_TRUE(scenario) << (scenario ? "" : scenario.error().message);
  s.scenario = std::move(*scenario);
  s.workload.jobs = std::move(jobs);
  s.outcome = simulate(s.scenario, s.workload.jobs, seed, nullptr);
  s.report = make_report(s.scenario, s.workload, s.outcome);
  EXPECT_EQ(s.report.ledger_fault, "");
  return s;
}

SimJob job(Duration submit, Duration run, std::int64_t gpus = 1) {
  SimJob one;
  one.submit = submit;
  one.run = run;
  one.gpus = gpus;
  one.tenant = "t";
  one.queue = "default";
  return one;
}

TEST(Simulate, jobs_run_in_order_on_the_machines_there_are) {
  const auto s = simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})",
                           {job({}, minutes(10)), job(minutes(1), minutes(5)), job(minutes(30), minutes(1))});
  EXPECT_EQ(s.report.all.succeeded, 3);
  EXPECT_EQ(s.outcome.jobs[1].placed_at - s.outcome.started, minutes(10));
  EXPECT_EQ(s.outcome.jobs[1].ended_at - s.outcome.started, minutes(15));
  EXPECT_EQ(s.report.makespan, minutes(31));
  EXPECT_EQ(s.report.gpu_work, minutes(16));
  EXPECT_EQ(s.report.idle_permille(), 484) << "15 of 31 minutes";
  EXPECT_EQ(s.report.billed, cost_of(*parse_money("1.006"), minutes(31)));
}

TEST(Simulate, machines_that_are_there_have_a_type_and_a_price) {
  // Both types would do; the dearer one is not taken while the cheaper is free.
  const std::string mixed =
      R"({"name":"e","machines":[{"type":"g5.12xlarge","count":1},{"type":"g5.xlarge","count":1}]})";
  const auto s = simulated(mixed, {job({}, minutes(10))});
  EXPECT_EQ(s.outcome.machines[0].gpu_work, Duration{});
  EXPECT_EQ(s.outcome.machines[1].gpu_work, minutes(10)) << "the cheaper one";

  // A share by instance type is a share of these machines.
  const std::string text = R"({"name":"n","days":1,"jobs":[{"generate":{"jobsPerDay":0,"tenants":["t"]}}],
    "environments":[)" + mixed +
                           R"(],"queues":[{"name":"default","environments":["e"],"quotaShares":[
      {"quotaShareName":"t","capacityLimits":[{"maxCapacity":16,"capacityUnit":"g5.xlarge"}]}]}]})";
  const Scenario scenario = read_scenario(json::parse(text).value()).value();
  const Outcome outcome = simulate(scenario, {job({}, hours(1)), job({}, hours(1))}, 1, nullptr);
  EXPECT_EQ(outcome.machines[1].gpu_work, hours(2)) << "one after the other";
}

TEST(Simulate, machines_stand_in_racks) {
  const auto run = [](const std::string& racks) {
    std::vector<SimJob> jobs = {job({}, hours(1), 4), job(minutes(1), hours(1), 4)};
    jobs[1].nodes = 2;
    jobs[1].tags = {{"stoker:topology", "rack"}};
    return simulated(R"({"name":"e","machines":[{"type":"g5.12xlarge","count":4)" + racks + "}]}", jobs);
  };
  EXPECT_EQ(run("").report.all.succeeded, 1) << "nobody knows where they stand";
  EXPECT_EQ(run(R"(,"racks":4)").report.all.succeeded, 1) << "no rack has two";
  const auto s = run(R"(,"racks":2)");
  ASSERT_EQ(s.report.all.succeeded, 2);
  EXPECT_EQ(s.outcome.jobs[1].placed_at - s.outcome.started, minutes(1));
  EXPECT_EQ(
      (s.outcome.machines[0].gpu_work > Duration{}) + (s.outcome.machines[1].gpu_work > Duration{}) +
          2 * (s.outcome.machines[2].gpu_work > Duration{}) * (s.outcome.machines[3].gpu_work > Duration{}),
      3)
      << "the first job in one rack, both nodes of the second in the other";
}

SimJob part(const core::GpuAmount& amount) {
  SimJob one = job({}, hours(1), 0);
  one.gpu_milli = amount.gpu_milli;
  one.mig = amount.mig;
  one.mig_devices = amount.mig_devices;
  return one;
}

TEST(Simulate, jobs_have_shares_of_gpus_and_mig_devices) {
  const std::string one_gpu = R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})";
  const auto shares =
      simulated(one_gpu, {part({.gpu_milli = 500}), part({.gpu_milli = 500}), part({.gpu_milli = 500})});
  EXPECT_EQ(shares.report.makespan, hours(2)) << "two at a time";
  EXPECT_EQ(shares.report.gpu_work, minutes(90));

  const core::GpuAmount half = *core::parse_gpu_value("3g.20gb");
  const core::GpuAmount four = *core::parse_gpu_value("4x1g.5gb");
  const auto machines = [](const char* mig) {
    return std::string(R"({"name":"e","machines":[{"type":"p4d.24xlarge","count":1}])") + mig + "}";
  };
  std::vector<SimJob> jobs(17, part(half));
  const auto mig = simulated(machines(R"(,"mig":true)"), jobs);
  EXPECT_EQ(mig.report.all.succeeded, 17) << mig.report.refusal;
  EXPECT_EQ(mig.report.makespan, hours(2)) << "sixteen at a time, two on each of eight GPUs";
  EXPECT_NEAR(static_cast<double>(mig.report.all.cost.of(cost::Kind::Work).micros) * 32,
              static_cast<double>(mig.report.billed.micros) * 17, 100)
      << "two of them are the whole memory of a GPU, so nothing is idle beside sixteen";
  EXPECT_EQ(simulated(machines(R"(,"mig":true)"), {part(four), part(four)}).report.makespan, hours(1));
  EXPECT_EQ(simulated(machines(""), {part(half)}).report.all.waiting, 1) << "not switched on";
  EXPECT_EQ(simulated(machines(R"(,"mig":true)"), {job({}, hours(1))}).report.all.waiting, 1)
      << "switched on: they serve nothing else";
}

TEST(Simulate, a_team_takes_back_what_it_lent) {
  const auto run = [](const std::string& tags, std::int64_t nodes = 1) {
    const auto generated = [&](const std::string& tenant, const std::string& more) {
      return R"({"generate":{"jobsPerDay":0,"tenants":[")" + tenant + R"("])" + more + "}}";
    };
    const std::string text = R"({"name":"n","days":1,"jobs":[)" + generated("a", "") + "," +
                             generated("b", R"(,"tags":)" + tags) + R"(],
      "environments":[{"name":"e","machines":[{"type":"g5.xlarge","count":)" +
                             std::to_string(nodes) + R"(}]}],"restartSeconds":60,
      "queues":[{"name":"default","environments":["e"],"quotaShares":[
        {"quotaShareName":"a","capacityLimits":[{"maxCapacity":)" +
                             std::to_string(nodes) + R"(,"capacityUnit":"GPU"}],
         "resourceSharingConfiguration":{"strategy":"LEND"}},
        {"quotaShareName":"b","capacityLimits":[{"maxCapacity":0,"capacityUnit":"GPU"}],
         "resourceSharingConfiguration":{"strategy":"LEND_AND_BORROW"}}]}]})";
    Simulated s;
    s.scenario = read_scenario(json::parse(text).value()).value();
    const SimJob& form = s.scenario.jobs[1].generator->form;
    s.workload.jobs = {job({}, hours(1)), job(minutes(30), minutes(10))};
    s.workload.jobs[0].tenant = "b";
    s.workload.jobs[0].nodes = nodes;
    s.workload.jobs[0].tags = form.tags;
    s.workload.jobs[0].checkpoint = form.checkpoint;
    s.workload.jobs[0].saves_on_signal = form.saves_on_signal;
    s.workload.jobs[1].tenant = "a";
    s.outcome = simulate(s.scenario, s.workload.jobs, 1, nullptr);
    s.report = make_report(s.scenario, s.workload, s.outcome);
    EXPECT_EQ(s.report.all.succeeded, 2) << s.report.refusal;
    EXPECT_EQ(s.report.all.preemptions, 1);
    EXPECT_EQ(s.report.all.failures, 0);
    return s;
  };
  const auto nothing = run("{}");
  EXPECT_EQ(nothing.outcome.jobs[1].placed_at - nothing.outcome.started, minutes(30));
  EXPECT_EQ(nothing.outcome.jobs[0].lost, minutes(30));
  EXPECT_EQ(nothing.outcome.jobs[0].ended_at - nothing.outcome.started, minutes(30 + 10 + 1 + 60));
  const auto periodic = run(R"({"stoker:checkpoint":"20m"})");
  EXPECT_EQ(periodic.outcome.jobs[0].lost, minutes(10));
  // Saving takes the grace, and what was done until then is kept.
  const auto told = run(R"({"stoker:checkpoint":"signal"})");
  EXPECT_EQ(told.outcome.jobs[1].placed_at - told.outcome.started, minutes(30) + seconds(30));
  EXPECT_EQ(told.outcome.jobs[0].lost, Duration{});
  EXPECT_EQ(told.outcome.jobs[0].ended_at - told.outcome.started, minutes(30 + 10 + 1 + 30) + seconds(30));
  // All nodes stop for one GPU, and save together.
  const auto nodes = run(R"({"stoker:checkpoint":"signal"})", 3);
  EXPECT_EQ(nodes.outcome.jobs[1].placed_at - nodes.outcome.started, minutes(30) + seconds(30));
  EXPECT_EQ(nodes.outcome.jobs[0].lost, Duration{});
  EXPECT_EQ(nodes.outcome.jobs[0].ended_at, told.outcome.jobs[0].ended_at);
}

TEST(Simulate, an_image_is_pulled_once_or_for_every_run) {
  const std::string machines = R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}],"pullSeconds":120)";
  const std::vector<SimJob> jobs = {job({}, minutes(10)), job({}, minutes(10))};
  EXPECT_EQ(simulated(machines + "}", jobs).report.makespan, minutes(22));
  const auto s = simulated(machines + R"(,"keepsImages":false})", jobs);
  EXPECT_EQ(s.report.makespan, minutes(24));
  EXPECT_EQ(s.outcome.jobs[1].computes_at - s.outcome.started, minutes(14));
  EXPECT_NEAR(static_cast<double>(s.report.all.cost.of(cost::Kind::WarmUp).micros),
              static_cast<double>(cost_of(*parse_money("1.006"), minutes(4)).micros), 1);
}

// On two machines with a GPU each, two tenants have run at the same time; later the second one comes again.
Simulated after_both_have_run(const std::string& more, const std::string& placement) {
  const std::string text =
      R"({"name":"n","jobs":[{"trace":"itp","file":"none"}],"placement":")" + placement +
      R"(","environments":[{"name":"e","machines":[{"type":"g5.xlarge","count":2}],"pullSeconds":120)" +
      more + R"(}],"queues":[{"name":"default","environments":["e"]}]})";
  Simulated s;
  s.scenario = read_scenario(json::parse(text).value()).value();
  SimJob one = job({}, minutes(10));
  SimJob other = job({}, minutes(10));
  other.tenant = "second";
  SimJob again = other;
  again.submit = hours(1);
  s.workload.jobs = {one, other, again};
  s.outcome = simulate(s.scenario, s.workload.jobs, 1, nullptr);
  s.report = make_report(s.scenario, s.workload, s.outcome);
  EXPECT_EQ(s.report.all.succeeded, 3) << s.report.refusal;
  return s;
}

// Which machine a job ran on first.
std::string machine_of(const Simulated& s, const std::string& job) {
  for (const MachineOutcome& machine : s.outcome.machines)
    for (const cost::RunUse& run : machine.use.runs)
      if (run.payer.job == job) return machine.use.node;
  return "none";
}

TEST(Simulate, a_job_goes_to_the_machine_that_holds_its_image_and_starts_at_once) {
  const auto warm = after_both_have_run("", "stoker");
  EXPECT_EQ(machine_of(warm, "2"), machine_of(warm, "1"));
  EXPECT_EQ(warm.outcome.jobs[2].computes_at - warm.outcome.started, hours(1));
  // What does not weigh images takes the first machine, which pulls.
  const auto cold = after_both_have_run("", "bestfit");
  EXPECT_EQ(machine_of(cold, "2"), machine_of(cold, "0"));
  EXPECT_EQ(cold.outcome.jobs[2].computes_at - cold.outcome.started, hours(1) + minutes(2));
  // Where every run pulls, no machine is better than another.
  const auto never = after_both_have_run(R"(,"keepsImages":false)", "stoker");
  EXPECT_EQ(machine_of(never, "2"), machine_of(never, "0"));
}

TEST(Simulate, an_image_takes_the_time_of_its_size) {
  const std::string text =
      R"({"name":"n","jobs":[{"trace":"itp","file":"x","image":{"name":"train","mib":8000}}],
    "environments":[{"name":"e","machines":[{"type":"g5.xlarge","count":1}],"pullSeconds":60,"pullMiBPerSecond":100}],
    "queues":[{"name":"default","environments":["e"]}]})";
  const Scenario scenario = read_scenario(json::parse(text).value()).value();
  std::vector<SimJob> jobs(4, job({}, minutes(10)));
  jobs[0].image = jobs[1].image = "train";
  jobs[0].image_mib = jobs[1].image_mib = 8000;
  jobs[1].tenant = jobs[3].tenant = "u";
  const Outcome outcome = simulate(scenario, jobs, 1, nullptr);
  std::vector<Duration> pulls;
  for (const JobOutcome& one : outcome.jobs) pulls.push_back(one.computes_at - one.placed_at);
  EXPECT_EQ(pulls, (std::vector<Duration>{seconds(80), {}, minutes(1), minutes(1)}))
      << "one image of two tenants, and images of theirs whose size nobody told";
}

TEST(Simulate, machines_are_launched_for_jobs_and_go_after_their_window) {
  const auto s =
      simulated(R"({"name":"e","bootSeconds":180,
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"window":{"kind":"fixed","seconds":600}}})",
                {job({}, minutes(10)), job(minutes(5), minutes(10)), job(minutes(20), minutes(10))});
  EXPECT_EQ(s.report.launches, 2) << "the third finds a warm one";
  EXPECT_EQ(s.outcome.jobs[0].placed_at - s.outcome.started, minutes(3));
  EXPECT_EQ(s.outcome.jobs[2].placed_at - s.outcome.started, minutes(20));
  for (const MachineOutcome& machine : s.outcome.machines) EXPECT_TRUE(machine.use.ended);
  EXPECT_EQ(s.outcome.ended - s.outcome.started, minutes(40)) << "ten minutes after the last job";
}

SimJob of(const std::string& tenant, SimJob one) {
  one.tenant = tenant;
  return one;
}
// That costs as many minutes of g5.xlarge, to the millionth that rounding may give or take.
void expect_minutes(const Figures& figures, cost::Kind kind, std::int64_t time) {
  EXPECT_NEAR(static_cast<double>(figures.cost.of(kind).micros),
              static_cast<double>(cost_of(*parse_money("1.006"), minutes(time)).micros), 1)
      << cost::name_of(kind);
}

TEST(Simulate, a_warm_machine_is_paid_by_the_tenant_that_used_it_last) {
  const auto s = simulated(R"({"name":"e","bootSeconds":180,
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"window":{"kind":"fixed","seconds":600}}})",
                           {of("a", job({}, minutes(10))), of("b", job(minutes(20), minutes(10)))});
  ASSERT_EQ(s.report.machines, 1);
  expect_minutes(s.report.tenants.at("a"), cost::Kind::Idle, 7);   // from 13 to 20
  expect_minutes(s.report.tenants.at("b"), cost::Kind::Idle, 10);  // from 30 to 40
  expect_minutes(s.report.all, cost::Kind::Idle, 17);
  const json::Value report = to_json(s.scenario, 1, s.report);
  EXPECT_EQ(json::text(report.at("tenants").at("b").at("costDollars").at("idle")), "0.167667");
  EXPECT_NE(to_table(s.scenario, 1, s.report).find("0.17        0.00        0.00"), std::string::npos)
      << to_table(s.scenario, 1, s.report);
}

TEST(Simulate, a_machine_that_served_nobody_is_waste_of_those_for_whom_it_came) {
  const auto run = [](const std::string& queue) {
    auto s = simulated(R"({"name":"e","bootSeconds":180,
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"window":{"kind":"fixed","seconds":600}}})",
                       {of("a", job({}, seconds(30))), of("b", job(minutes(1), minutes(10)))}, 0, 1, queue);
    EXPECT_EQ(s.report.machines, 2);
    EXPECT_EQ(s.outcome.jobs[1].placed_at - s.outcome.started, minutes(3) + seconds(30)) << "on the first";
    expect_minutes(s.report.all, cost::Kind::Waste, 3);  // the second, from 1 to 4
    expect_minutes(s.report.all, cost::Kind::Idle, 20);  // ten minutes of each
    expect_minutes(s.report.tenants.at("a"), cost::Kind::Waste, 0);
    expect_minutes(s.report.tenants.at("a"), cost::Kind::Idle, 0);
    return s;
  };
  const auto shares = run(R"(,"schedulingPolicy":{"fairsharePolicy":{}})");
  expect_minutes(shares.report.tenants.at("b"), cost::Kind::Waste, 3);
  expect_minutes(shares.report.tenants.at("b"), cost::Kind::Idle, 20);
  // All jobs of a queue without shares are one demand: what nobody used is the queue's.
  const auto queue = run("");
  expect_minutes(queue.report.tenants.at("b"), cost::Kind::Waste, 0);
  expect_minutes(queue.report.tenants.at("b"), cost::Kind::Idle, 10);
}

TEST(Simulate, no_tenant_pays_for_machines_that_are_kept_whoever_works) {
  const std::vector<SimJob> jobs = {of("a", job(minutes(5), minutes(10))),
                                    of("b", job(hours(2), minutes(10)))};
  const auto minimum =
      simulated(R"({"name":"e","bootSeconds":180,"fleet":{"types":["g5.xlarge"],"zones":["a"],
    "limits":{"vcpusMin":4},"window":{"kind":"fixed","seconds":600}}})",
                jobs, 3);
  const auto own = simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})", jobs, 3);
  expect_minutes(minimum.report.all, cost::Kind::Idle, 3 * 24 * 60 - 20 - 3);
  expect_minutes(own.report.all, cost::Kind::Idle, 3 * 24 * 60 - 20);
  for (const auto* one : {&minimum, &own})
    for (const auto& [tenant, figures] : one->report.tenants) expect_minutes(figures, cost::Kind::Idle, 0);
}

TEST(Simulate, what_is_idle_beside_a_run_is_its_tenants_where_the_environment_says_so) {
  const std::string machine = R"({"name":"e","machines":[{"type":"g5.12xlarge","count":1}])";
  const auto idle_of_tenant = [&](const std::string& more) {
    return to_text(
        simulated(machine + more, {job({}, hours(1))}).report.tenants.at("t").cost.of(cost::Kind::Idle));
  };
  EXPECT_EQ(idle_of_tenant("}"), "0.000000");
  EXPECT_EQ(idle_of_tenant(R"(,"idleCost":"environment"})"), "0.000000");
  EXPECT_EQ(idle_of_tenant(R"(,"idleCost":"proportional"})"), "4.254000") << "three quarters of 5.672 USD";
}

TEST(Simulate, a_launch_that_fails_is_tried_again_after_a_while) {
  const auto s = simulated(R"({"name":"e","bootSeconds":60,"onDemandFailPermille":500,
    "fleet":{"types":["g5.xlarge"],"zones":["a"]}})",
                           {job({}, minutes(10)), job(hours(2), minutes(10)), job(hours(4), minutes(10)),
                            job(hours(6), minutes(10))},
                           0, 3);
  EXPECT_EQ(s.report.all.succeeded, 4);
  EXPECT_GT(s.report.launches_failed, 0);
  EXPECT_EQ(s.report.launches, 4);
  EXPECT_GT(s.report.all.wait.most, minutes(4)) << "the pool was parked for three minutes";
}

TEST(Simulate, an_interrupted_job_goes_on_from_its_checkpoint) {
  const std::string spot =
      R"({"name":"e","bootSeconds":60,"spotModel":{"pricePercent":50,"meanSecondsToInterruption":10800},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only"}}})";
  SimJob with = job({}, hours(12));
  with.checkpoint = minutes(10);
  const auto kept = simulated(spot, {with});
  EXPECT_EQ(kept.report.all.succeeded, 1);
  EXPECT_GT(kept.report.all.interruptions, 1);
  EXPECT_LE(kept.report.all.lost, minutes(10) * kept.report.all.interruptions);
  EXPECT_EQ(kept.report.gpu_work, hours(12)) << "work done twice is not of use";
  EXPECT_GT(kept.report.all.cost.of(cost::Kind::Waste), Money{});
}

TEST(Simulate, spot_costs_what_its_price_is_at_the_time) {
  const std::string spot = R"({"name":"e","bootSeconds":0,"spotModel":{"pricePercent":50,
    "prices":[{"afterSeconds":3600,"percent":20},{"afterSeconds":7200,"percent":80}]},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only")";
  const auto s = simulated(spot + "}}}", {job({}, hours(3))});
  EXPECT_EQ(s.report.billed, Money{1'006'000 / 10 * (5 + 2 + 8)});
}

TEST(Simulate, who_wants_it_cheap_waits_for_a_price_that_comes_round_again) {
  const auto s = simulated(R"({"name":"e","bootSeconds":0,"spotModel":{"pricePercent":90,
    "prices":[{"afterSeconds":3600,"percent":30},{"afterSeconds":5400,"percent":90}],"pricesRepeatSeconds":86400},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only","pricePercentMax":40}}})",
                           {job({}, minutes(10)), job(hours(2), minutes(10))});
  EXPECT_EQ(s.outcome.jobs[0].placed_at - s.outcome.started, hours(1));
  EXPECT_EQ(s.outcome.jobs[1].placed_at - s.outcome.started, hours(25)) << "the next day";
}

std::string spot_history(const std::string& more) {
  return R"({"name":"e","bootSeconds":60,"spotModel":{"events":"none")" + more +
         R"(},"fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only"}}})";
}

// With a recorded history given by hand: of two machines one goes after an hour, the other after three.
Simulated with_history(const std::string& environment, std::vector<SimJob> jobs) {
  Simulated s = simulated(environment, {});
  s.scenario.environments[0].spot.history =
      history_of({{{}, true, "a"}, {{}, true, "b"}, {hours(1), false, "a"}, {hours(3), false, "b"}});
  s.workload.jobs = std::move(jobs);
  s.outcome = simulate(s.scenario, s.workload.jobs, 7, nullptr);
  s.report = make_report(s.scenario, s.workload, s.outcome);
  return s;
}

TEST(Simulate, machines_go_as_recorded_ones_did_over_and_over) {
  SimJob one = job({}, hours(12));
  one.checkpoint = minutes(10);
  const auto s = with_history(spot_history(""), {one});
  EXPECT_EQ(s.report.all.succeeded, 1);
  // Every third hour whoever is there goes, and each time one hour after that with an even chance.
  EXPECT_GE(s.report.all.interruptions, 4);
  EXPECT_LE(s.report.all.interruptions, 9);
  for (const MachineOutcome& machine : s.outcome.machines)
    if (machine.use.reclaimed) {
      const std::int64_t at = (machine.use.ended - s.outcome.started).ms / hours(1).ms % 3;
      EXPECT_NE(at, 2);
      EXPECT_EQ((machine.use.ended - s.outcome.started).ms % hours(1).ms, 0);
    }
}

TEST(Simulate, who_is_told_in_time_saves_and_finds_another_machine_under_way) {
  SimJob one = job({}, hours(5));
  one.saves_on_signal = true;
  const auto silent = with_history(spot_history(""), {one});
  EXPECT_GT(silent.report.all.lost, hours(1)) << "it saves when it is told, and is not";
  const auto told = with_history(spot_history(R"(,"noticeSeconds":120)"), {one});
  EXPECT_EQ(told.report.all.lost, Duration{});
  EXPECT_GT(told.report.all.interruptions, 0);
  EXPECT_EQ(told.report.gpu_work, hours(5));
}

TEST(Simulate, tags_of_a_source_are_how_its_jobs_behave) {
  const auto scenario = read_scenario(json::parse(R"({"days":1,"jobs":[
    {"generate":{"tags":{"stoker:checkpoint":"20m","stoker:deadline":"3h"}}},{"generate":{"tags":{"stoker:checkpoint":"signal"}}}],
    "environments":[{"name":"e"}],"queues":[{"name":"default","environments":["e"]}]})")
                                          .value());
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->jobs[0].generator->form.checkpoint, minutes(20));
  EXPECT_EQ(scenario->jobs[0].generator->form.deadline_after, hours(3));
  EXPECT_TRUE(scenario->jobs[1].generator->form.saves_on_signal);
  const auto wrong =
      read_scenario(json::parse(R"({"days":1,"jobs":[{"generate":{"tags":{"stoker:spot":"maybe"}}}],
    "environments":[{"name":"e"}],"queues":[{"name":"default","environments":["e"]}]})")
                        .value());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("stoker:spot"), std::string::npos) << wrong.error().message;
}

TEST(TimeLimit, is_the_first_that_leaves_a_tenth_of_room) {
  const std::vector<Duration> limits = {hours(1), hours(4), hours(24)};
  EXPECT_EQ(time_limit_of(job({}, minutes(54)), limits), hours(1));
  EXPECT_EQ(time_limit_of(job({}, minutes(55)), limits), hours(4));
  EXPECT_EQ(time_limit_of(job({}, hours(23)), limits), Duration{});
  EXPECT_EQ(time_limit_of(job({}, hours(1)), {}), Duration{});
}

TEST(Simulate, jobs_that_keep_their_time_limit_are_not_stopped_by_it) {
  SimJob one = job({}, minutes(54));
  one.time_limit = hours(1);
  const auto s =
      simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}],"pullSeconds":1800})", {one, one});
  EXPECT_EQ(s.report.all.succeeded, 2) << "it counts from when they work, not from the pull";
}

SimJob on_nodes(std::int64_t nodes, SimJob one) {
  one.nodes = nodes;
  return one;
}

// How many runs each start of the first job had; all of a start begin and end together.
std::map<Instant, int> nodes_by_start(const Simulated& s) {
  std::map<Instant, int> nodes;
  std::map<Instant, Instant> ends;
  for (const MachineOutcome& machine : s.outcome.machines)
    for (const cost::RunUse& run : machine.use.runs) {
      if (run.payer.job != "0") continue;
      ++nodes[run.from];
      EXPECT_EQ(ends.try_emplace(run.from, run.to).first->second, run.to) << "they end together";
    }
  return nodes;
}

TEST(Simulate, nodes_of_a_job_start_when_all_have_room_and_work_when_all_have_the_image) {
  const auto s = simulated(
      R"({"name":"e","machines":[{"type":"g5.xlarge","count":4}],"pullSeconds":{"uniform":[60,600]}})",
      {job({}, minutes(30)), on_nodes(4, job(minutes(1), hours(1)))});
  EXPECT_EQ(s.report.all.succeeded, 2);
  EXPECT_EQ(s.report.all.submitted, 2) << "a job of four nodes is one job";
  const JobOutcome& wide = s.outcome.jobs[1];
  EXPECT_EQ(wide.placed_at, s.outcome.jobs[0].ended_at);
  EXPECT_EQ(wide.ended_at - wide.computes_at, hours(1));
  EXPECT_EQ(s.report.gpu_work, minutes(30) + hours(1) * 4);
  EXPECT_EQ(s.report.all.wait.most, wide.placed_at - s.outcome.started - minutes(1));
  EXPECT_EQ(s.report.all.cost.sum(), s.report.billed);
  EXPECT_EQ(s.report.billed, cost_of(*parse_money("1.006"), s.report.simulated) * 4);
}

TEST(Simulate, nodes_share_a_machine_that_has_room) {
  const auto s = simulated(R"({"name":"e","machines":[{"type":"g5.12xlarge","count":1}]})",
                           {on_nodes(2, job({}, hours(1), 2)), on_nodes(2, job({}, hours(1), 4))}, 1);
  EXPECT_EQ(s.outcome.jobs[0].ended_at - s.outcome.started, hours(1));
  EXPECT_EQ(s.report.gpu_work, hours(4));
  EXPECT_EQ(s.report.all.waiting, 1) << "two machines are not there";
  EXPECT_NE(s.report.waits, "");
}

TEST(Simulate, a_lost_machine_takes_all_nodes_back_to_the_checkpoint) {
  const std::string spot =
      R"({"name":"e","bootSeconds":60,"spotModel":{"pricePercent":50,"meanSecondsToInterruption":43200},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only"}}})";
  SimJob one = on_nodes(4, job({}, hours(12)));
  one.checkpoint = minutes(10);
  const auto s = simulated(spot, {one});
  EXPECT_EQ(s.report.all.succeeded, 1);
  EXPECT_GT(s.report.all.interruptions, 1);
  EXPECT_EQ(s.outcome.jobs[0].starts, 1 + s.report.all.interruptions) << "one loss, one start of all";
  EXPECT_GT(s.report.all.lost, Duration{});
  EXPECT_LE(s.report.all.lost, minutes(10) * s.report.all.interruptions) << "once for the job";
  EXPECT_EQ(s.report.gpu_work, hours(12) * 4) << "work done twice is not of use";
  const auto nodes = nodes_by_start(s);
  EXPECT_EQ(nodes.size(), static_cast<std::size_t>(s.outcome.jobs[0].starts));
  for (const auto& [from, count] : nodes) EXPECT_EQ(count, 4);
  Duration wasted;
  for (const MachineOutcome& machine : s.outcome.machines)
    for (const cost::RunUse& run : machine.use.runs) wasted = wasted + (run.to - run.kept_until);
  EXPECT_EQ(wasted, s.report.all.lost * 4) << "and on four machines in the bills";
  EXPECT_GT(s.report.all.cost.of(cost::Kind::Waste), Money{});
  EXPECT_EQ(s.report.all.cost.sum(), s.report.billed);
  EXPECT_EQ(s.report.tenants.at("t").cost.of(cost::Kind::Work), s.report.all.cost.of(cost::Kind::Work));
}

TEST(Simulate, a_job_of_nodes_that_fails_has_failed_once) {
  SimJob one = on_nodes(3, job({}, hours(10)));
  one.checkpoint = minutes(10);
  one.failures_per_million_hours = 300'000;
  const auto s = simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":3}]})", {one}, 0, 5);
  EXPECT_EQ(s.report.all.succeeded, 1);
  EXPECT_GT(s.report.all.failures, 0);
  EXPECT_EQ(s.outcome.jobs[0].starts, 1 + s.report.all.failures);
  EXPECT_EQ(s.report.gpu_work, hours(30));
}

TEST(Simulate, deadlines_are_counted) {
  SimJob late = job({}, minutes(10));
  late.deadline_after = minutes(15);
  SimJob by_the_clock = job({}, minutes(10));
  by_the_clock.deadline_at = kStart + minutes(35);
  const auto s = simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})",
                           {late, late, by_the_clock, by_the_clock});
  EXPECT_EQ(s.report.all.deadlines, 4);
  EXPECT_EQ(s.report.all.deadlines_met, 2) << "ends at 10, 20, 30 and 40 minutes";
}

TEST(Simulate, without_a_checkpoint_work_starts_over_until_the_attempts_are_used) {
  const auto s = simulated(R"({"name":"e","bootSeconds":60,"spotModel":{"meanSecondsToInterruption":600},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only"}}})",
                           {job({}, hours(20))});
  EXPECT_EQ(s.report.all.succeeded, 0);
  EXPECT_EQ(s.report.all.failed, 1);
  EXPECT_EQ(s.report.gpu_work, Duration{});
}

TEST(Simulate, what_never_fits_waits_and_says_so) {
  const auto s =
      simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})", {job({}, minutes(10), 2)}, 1);
  EXPECT_EQ(s.report.all.waiting, 1);
  EXPECT_NE(s.report.waits.find("higher than that can be met"), std::string::npos) << s.report.waits;
  EXPECT_EQ(s.report.simulated, days(1));
}

std::string transcript(std::uint64_t seed) {
  std::vector<SimJob> jobs;
  Generator generator;
  generator.jobs_per_day = 200;
  generator.run = {DrawKind::LogNormal, minutes(30), {}, 0.8};
  generator.sizes = {{{.gpus = 1}, 3}, {{.gpus = 4}, 1}, {{.gpus = 1}, 1, 3}};
  generator.tenants = {"a", "b"};
  generator.form = job({}, {});
  generator.form.checkpoint = minutes(5);
  generator.form.failures_per_million_hours = 50'000;
  Rng rng(seed);
  jobs = generate(generator, days(2), rng);
  const auto s = simulated(
      R"({"name":"e","bootSeconds":{"uniform":[180,360]},"pullSeconds":{"lognormal":{"median":300,"sigma":0.5}},
    "onDemandFailPermille":100,"spotModel":{"pricePercent":40,"failPermille":200,"meanSecondsToInterruption":20000},
    "fleet":{"types":["g5"],"zones":["a","b"],"spot":{"use":"first"},"window":{"kind":"learnt"},"limits":{"vcpusMax":400}}})",
      jobs, 0, seed);
  EXPECT_EQ(s.report.all.waiting + s.report.all.running, 0);
  EXPECT_GT(s.report.all.interruptions, 0);
  return json::write(to_json(s.scenario, seed, s.report)) + to_table(s.scenario, seed, s.report);
}

TEST(Simulate, the_same_seed_gives_the_same_bytes) {
  const std::string first = transcript(11);
  EXPECT_EQ(first, transcript(11));
  EXPECT_NE(first, transcript(12));
}

TEST(TimeSpread, of_times) {
  const TimeSpread spread = spread_of({seconds(4), seconds(1), seconds(3), seconds(2)});
  EXPECT_EQ(spread.mean, milliseconds(2500));
  EXPECT_EQ(spread.median, seconds(2));
  EXPECT_EQ(spread.p95, seconds(4));
  EXPECT_EQ(spread.deviation, milliseconds(1118));
  EXPECT_EQ(spread_of({}).most, Duration{});
}

TEST(Simulate, what_finds_no_end_is_cut) {
  // No launch ever brings a machine, and fleet sizing tries again and again.
  const auto s = simulated(R"({"name":"e","onDemandFailPermille":1000,
    "fleet":{"types":["g5.xlarge"],"zones":["a"]}})",
                           {job({}, minutes(10))});
  EXPECT_EQ(s.report.all.waiting, 1);
  EXPECT_GT(s.report.launches_failed, 100);
  EXPECT_GT(s.report.simulated, kStalledMax - days(1));
  EXPECT_LE(s.report.simulated, kStalledMax);
  EXPECT_EQ(s.report.billed, Money{});

  // Machines that are always there do not end it either; who comes late and runs long is waited for.
  SimJob late = job({}, days(50));
  late.submit = days(60);
  const auto kept = simulated(
      R"({"name":"e","fleet":{"types":["g5.xlarge"],"zones":["a"],"limits":{"vcpusMin":4}}})", {late});
  EXPECT_EQ(kept.report.all.succeeded, 1);
  EXPECT_GT(kept.report.simulated, days(110));
  EXPECT_LE(kept.report.simulated, days(111) + kStalledMax);
}

TEST(Simulate, budgets_that_warn_and_stop_are_told) {
  // 1.006 USD an hour: the warning at 80 % of 10 USD, the stop of launches at 100 %.
  const auto s = simulated(R"({"name":"e","bootSeconds":0,"fleet":{"types":["g5.xlarge"],"zones":["a"],
    "budget":{"limit":10}}})",
                           {job({}, hours(12))});
  ASSERT_EQ(s.report.budgets.size(), 2U);
  const BudgetNews& warning = s.report.budgets[0];
  EXPECT_EQ(warning.environment, "e");
  EXPECT_EQ(warning.level, fleet::BudgetLevel::Warn);
  // The look of the next minute finds it.
  EXPECT_NEAR(static_cast<double>((warning.at - kStart).ms), 8 / 1.006 * 3'600'000, 61'000)
      << "looked at each minute";
  EXPECT_EQ(warning.text.substr(0, 66), "8.02 of 10.00 USD are spent (80 %), all at this rate by 2026-01-05");
  EXPECT_EQ(s.report.budgets[1].level, fleet::BudgetLevel::StopLaunches);
  EXPECT_NE(to_table(s.scenario, 1, s.report).find("budget of e, 2026-01-05T07:5"), std::string::npos);
  EXPECT_EQ(to_json(s.scenario, 1, s.report).at("budgets").get_array().size(), 2U);
}

TEST(Simulate, jobs_that_are_refused_are_counted_once_each_and_say_why) {
  SimJob large = job({}, minutes(10));
  large.nodes = 1001;
  const auto s = simulated(R"({"name":"e","machines":[{"type":"g5.xlarge","count":1}]})",
                           {large, job({}, minutes(10)), large});
  EXPECT_EQ(s.report.refused, 2);
  EXPECT_EQ(s.report.all.failed, 2);
  EXPECT_EQ(s.report.all.succeeded, 1);
  EXPECT_NE(s.report.refusal.find("numNodes"), std::string::npos) << s.report.refusal;
}

}  // namespace
}  // namespace stoker::sim
