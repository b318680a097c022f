// The server and the simulator are two shells of one core: what reached the core of a simulation, given to
// the server's loop turn by turn at the same instants, leads to the same messages, answers and records.
#include <gtest/gtest.h>

#include "base/text.h"
#include "server/turn.h"
#include "sim/run/engine.h"
#include "sim/run/variants.h"
#include "sim/run/workload.h"
#include "sim/run/world.h"
#include "sim/table.h"

namespace stoker::server {
namespace {

using Lines = std::vector<std::string>;

std::string start_line(const std::string& node, const std::string& token, const auto& run) {
  std::string line = "start " + token + " on " + node + " of " + run.job_id + " " + run.job_name;
  for (const std::string& gpu : run.gpus) line += " " + gpu;
  for (const auto& [name, value] : run.environment) line += " " + name + "=" + value;
  return line;
}
std::string stop_line(const std::string& node, const std::string& token, Duration grace) {
  return "stop " + token + " on " + node + " within " + std::to_string(grace.ms);
}
std::string forget_line(const std::string& node, const std::string& token) {
  return "forget " + token + " on " + node;
}
std::string answer_line(const Result<core::Answer>& answer) {
  return answer ? "answer " + std::to_string(answer->index()) : "refused: " + answer.error().message;
}

// What the core wants of agents.
std::string message_line(const core::Action& action) {
  if (const auto* start = std::get_if<core::StartRun>(&action))
    return start_line(start->node, start->token.str(), *start);
  if (const auto* stop = std::get_if<core::StopRun>(&action))
    return stop_line(stop->node, stop->token.str(), stop->grace);
  if (const auto* forget = std::get_if<core::ForgetRun>(&action))
    return forget_line(forget->node, forget->token.str());
  return "";
}

// Of everything that it wants.
std::string line_of(const core::Action& action) {
  if (const auto* replied = std::get_if<core::Replied>(&action))
    return "to " + std::to_string(replied->request.value) + " " + answer_line(replied->answer);
  if (const auto* launch = std::get_if<core::LaunchNodes>(&action)) {
    std::string line = "launch " + launch->pool.type + " in " + launch->pool.zone + ": " + launch->why;
    for (const std::string& node : launch->nodes) line += " " + node;
    return line;
  }
  if (const auto* retire = std::get_if<core::RetireNode>(&action))
    return "retire " + retire->node + ": " + retire->why;
  const std::string message = message_line(action);
  return message.empty() ? "other " + std::to_string(action.index()) : message;
}

// A core and nothing around it.
class Bare {
 public:
  explicit Bare(core::Settings settings) : core(std::move(settings)) {}
  core::Actions turn(const sim::Turn& turn) {
    core::Actions actions;
    for (const core::Event& event : turn.events) core.apply(turn.at, event, actions);
    if (const auto due = core.next_wakeup(); due && *due <= turn.at)
      core.apply(turn.at, core::TimerFired{}, actions);
    core.schedule(turn.at, actions);
    static_cast<void>(core.take_changes());
    return actions;
  }
  core::Core core;
};

// Agents that write down what they are told.
class Told : public NodeMessages {
 public:
  void send(NodeMessage message) override {
    if (const auto* start = std::get_if<wire::StartRun>(&message.message))
      lines.push_back(start_line(message.node, start->token, *start));
    else if (const auto* stop = std::get_if<wire::StopRun>(&message.message))
      lines.push_back(stop_line(message.node, stop->token, stop->grace));
    else if (const auto* forget = std::get_if<wire::ForgetRun>(&message.message))
      lines.push_back(forget_line(message.node, forget->token));
    else
      lines.emplace_back("another message");
  }
  Lines lines;  // read them when the commit thread has ended
};

// The server's loop with a clock that stands where the simulation's stood.
struct Served {
  explicit Served(core::Settings settings) : core(std::move(settings)) {}
  void run(const sim::EventLog& log) {
    CommitThread commits(*store, told);
    Instant now;
    TurnLoop loop(core, commits, [&now] { return now; });
    for (const sim::Turn& turn : log) {
      now = turn.at;
      for (const core::Event& event : turn.events) {
        const auto* asked = std::get_if<core::Requested>(&event);
        if (asked == nullptr)
          loop.event(event);
        else
          loop.request(asked->request,
                       [this](Result<core::Answer> answer) { answers.push_back(answer_line(answer)); });
      }
      loop.turn({});
    }
  }
  core::Core core;
  std::unique_ptr<store::Store> store = store::open_memory();
  Told told;
  Lines answers;
};

sim::EventLog simulated(const sim::Scenario& scenario, std::uint64_t seed) {
  Rng rng(seed);
  const auto workload = sim::load_workload(scenario, ".", rng);
  EXPECT_TRUE(workload) << (workload ? "" : workload.error().message);
  sim::EventLog log;
  sim::simulate(scenario, workload->jobs, seed, nullptr, &log);
  log.pop_back();  // what no turn has seen
  return log;
}

void expect_the_same(const sim::Scenario& scenario, std::uint64_t seed) {
  const sim::EventLog log = simulated(scenario, seed);
  const core::Settings settings = sim::core_settings(scenario);
  ASSERT_GT(log.size(), 100u);

  // 1. In a bare core, action by action.
  Bare bare(settings);
  Lines messages;
  Lines answers;
  for (const sim::Turn& turn : log) {
    Lines wanted;
    Lines seen;
    for (const core::Action& action : turn.actions) wanted.push_back(line_of(action));
    for (const core::Action& action : bare.turn(turn)) {
      seen.push_back(line_of(action));
      if (const std::string line = message_line(action); !line.empty()) messages.push_back(line);
      if (const auto* replied = std::get_if<core::Replied>(&action))
        answers.push_back(answer_line(replied->answer));
    }
    ASSERT_EQ(seen, wanted) << scenario.name << " at " << turn.at.ms;
  }
  ASSERT_GT(messages.size(), 100u);

  // 2. In the server's loop: what leaves it, and what it leaves on disk.
  Served served(settings);
  served.run(log);
  EXPECT_EQ(served.told.lines, messages) << scenario.name;
  EXPECT_EQ(served.answers, answers) << scenario.name;
  core::Core again(settings);
  ASSERT_TRUE(again.load(served.store->load().value()));
  EXPECT_TRUE(again.all_records() == bare.core.all_records()) << scenario.name;
}

void expect_the_same(const std::string& text) {
  const auto scenarios = sim::read_scenarios(json::parse(text).value());
  ASSERT_TRUE(scenarios) << scenarios.error().message;
  for (const sim::Scenario& scenario : *scenarios) expect_the_same(scenario, 1);
}
std::string shipped(const std::string& file) {
  return sim::read_text(std::string(STOKER_SOURCE_DIR) + "/examples/scenarios/" + file).value();
}

TEST(Replay, quota_shares_that_lend_and_take_back) {
  expect_the_same(shipped("two-teams.json"));
}
TEST(Replay, spot_machines_that_come_and_go) {
  expect_the_same(shipped("team-month-after.json"));
}
TEST(Replay, a_burst_on_machines_that_stay_warm) {
  expect_the_same(shipped("burst-of-four.json"));
}
TEST(Replay, multi_node_jobs_fair_share_and_deadlines) {
  expect_the_same(R"({"name": "mixed", "story": "All kinds.", "days": 7, "restartSeconds": 60,
    "jobs": [
      {"generate": {"jobsPerDay": 30, "gpus": [{"gpus": 8, "nodes": 2, "weight": 20}, {"gpus": 2, "weight": 80}],
                    "runSeconds": {"exponential": {"mean": 7200}}, "tenants": ["a", "b"],
                    "checkpointSeconds": 600, "timeLimitsSeconds": [3600, 14400, 86400]}},
      {"generate": {"jobsPerDay": 10, "gpus": [{"gpus": 4, "weight": 1}],
                    "runSeconds": {"exponential": {"mean": 7200}}, "tenants": ["c"],
                    "tags": {"stoker:checkpoint": "signal", "stoker:deadline": "6h"}}}],
    "environments": [
      {"name": "own", "machines": [{"type": "p4d.24xlarge", "count": 2}], "pullSeconds": 300},
      {"name": "cloud", "fleet": {"types": ["g5.12xlarge"], "zones": ["us-east-1a"], "spot": {"use": "first"}}, "pullSeconds": 300,
       "spotModel": {"pricePercent": 40, "meanSecondsToInterruption": 36000, "noticeSeconds": 120}}],
    "queues": [{"name": "default", "environments": ["own", "cloud"],
                "schedulingPolicy": {"fairsharePolicy": {"shareDecaySeconds": 3600}}}]})");
}

}  // namespace
}  // namespace stoker::server
