#pragma once
// What a simulation leaves behind: the fate of every job and the use of every machine.
#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/node_use.h"
#include "core/fleet/budget/budget.h"
#include "sim/run/job.h"

namespace stoker::sim {

enum class JobEnd : std::uint8_t { Waiting, Running, Succeeded, Failed };

struct JobOutcome {
  JobEnd end = JobEnd::Waiting;
  bool placed = false;  // at least once
  Instant placed_at;    // first
  Instant computes_at;  // first: its image was there
  Instant ended_at;
  int starts = 0;
  int interruptions = 0;  // lost with its machine
  int preemptions = 0;    // stopped so that another job could run
  int failures = 0;       // by itself
  Duration lost;          // work that was done again
  std::string waits;      // of a job that waits at the end: why
};

// A machine and what it is for the report.
struct MachineOutcome {
  cost::NodeUse use;
  std::string type;
  std::string region;
  std::string zone;
  Money list_price;  // on-demand, per hour
  bool spot = false;
  std::int64_t gpus = 0;
  bool launched = false;  // by fleet sizing
  Duration gpu_work;      // GPU time of runs that was of use
};

// The budget of an environment warned, or stopped something.
struct BudgetNews {
  std::string environment;
  Instant at;
  fleet::BudgetLevel level = fleet::BudgetLevel::Warn;
  std::string text;
  bool operator==(const BudgetNews&) const = default;
};

struct Outcome {
  Instant started;
  Instant ended;
  std::vector<JobOutcome> jobs;  // in the order of the workload
  std::vector<MachineOutcome> machines;
  std::vector<BudgetNews> budgets;
  std::int64_t launches_failed = 0;
  std::int64_t refused = 0;  // submissions that the core did not take
  std::string refusal;       // the first, in words
  std::uint64_t turns = 0;
};

}  // namespace stoker::sim
