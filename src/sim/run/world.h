#pragma once
// A simulation under way: the core, and around it what servers, agents and EC2 would know. Plain data; what
// happens to it is in jobs.h, machines.h and engine.cc.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "core/core.h"
#include "core/fleet/sizing/state.h"
#include "sim/run/engine.h"
#include "sim/run/heap.h"
#include "sim/run/machine.h"
#include "sim/run/outcome.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

inline constexpr Instant kStart{1'767'571'200'000};  // Monday, 2026-01-05

// A run of the core: of a job, or of one node of a multi-node job.
struct JobRun {
  core::RunToken token;
  std::size_t machine = 0;
};

struct JobState {
  Duration done;  // work that is kept
  core::JobNo number;
  std::vector<JobRun> runs;  // of the present start: one for each node, which start and end together
  Instant from;              // of the present start
  Duration restart;          // load of the checkpoint
  Instant works_from;        // when all of its nodes have the image
  bool fails = false;        // its present start will fail by itself
  bool stops = false;        // its present start is told to end
  Instant told_at;           // to save, and saves since then; 0: it is not told, or saves nothing then
  bool preempted = false;    // its present start ends so that another job can run
};

struct EnvironmentState {
  std::map<std::pair<std::string, std::string>, fleet::SpotQuote> quotes;
  std::vector<std::size_t> machines;                     // not gone
  std::size_t losses = 0;                                // of the recorded history that have come
  std::size_t prices = 0;                                // of the series of spot prices that have come
  fleet::BudgetLevel budget = fleet::BudgetLevel::Fine;  // as it was noted last
};

struct World {
  World(const Scenario& the_scenario, const std::vector<SimJob>& the_jobs, std::uint64_t seed,
        Progress* the_progress);

  const Scenario& scenario;
  const std::vector<SimJob>& jobs;
  Rng rng;
  Progress* progress;
  core::Core core;
  core::Actions actions;    // of this turn, not yet carried out
  bool turn_owed = false;   // the core knows something on which it has made no pass
  EventLog* log = nullptr;  // null: nobody wants it
  Heap heap;
  Instant now = kStart;
  Instant progressed = kStart;   // when something ran last, and not before the last job is submitted
  std::vector<JobState> states;  // of jobs
  std::vector<Machine> machines;
  std::map<std::string, std::size_t> machine_names;
  std::vector<EnvironmentState> environments;
  std::map<std::string, const SimQueue*> queues;                        // by name
  std::map<std::pair<std::string, int>, json::Shared> share_overrides;  // by queue and tenant, priority
  std::map<std::string, std::string> definitions;                       // by what they need
  // Their full names, of named ones (true) and of tenants (false).
  std::map<std::pair<bool, std::string>, std::string> images;
  std::map<std::uint64_t, std::size_t> submissions;  // not yet answered, by request
  std::map<core::JobNo, std::size_t> by_number;  // jobs that run, by the numbers of their runs in the core
  std::uint64_t requests = 0;
  std::size_t ended = 0;
  std::int64_t launched_alive = 0;
  Outcome outcome;
};

// How the core of a simulation is set.
core::Settings core_settings(const Scenario& scenario);

void apply(World& world, core::Event event);
void ask(World& world, core::Request request);

}  // namespace stoker::sim
