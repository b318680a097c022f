#pragma once
// The outcome in figures: in all, per tenant, of single-node and multi-node jobs, and where the money went.
#include <map>
#include <string>
#include <vector>

#include "core/cost/summary.h"
#include "json/json.h"
#include "sim/run/outcome.h"
#include "sim/run/workload.h"

namespace stoker::sim {

// Of a set of times. All 0 when the set is empty, which reports show as nothing and not as 0.
struct TimeSpread {
  std::int64_t count = 0;
  Duration mean;
  Duration deviation;  // standard deviation
  Duration median;
  Duration p95;
  Duration most;
};
TimeSpread spread_of(std::vector<Duration> times);

struct Figures {
  std::int64_t submitted = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  TimeSpread wait;        // submission to the first placement, of those placed
  TimeSpread to_compute;  // submission to the first computation
  TimeSpread run;         // work without interruptions, of those that succeeded
  TimeSpread turnaround;  // submission to the end, of those that succeeded
  TimeSpread overhead;    // end - placement - run: pulls, restarts, work done twice; of those that succeeded
  // Bounded slowdown: turnaround against run, both at least 10 s; in thousandths.
  std::int64_t slowdown_milli = 0;      // mean
  std::int64_t slowdown_p95_milli = 0;  // of 95 of 100, at most
  std::int64_t interruptions = 0;
  std::int64_t preemptions = 0;
  std::int64_t failures = 0;
  std::int64_t deadlines = 0;      // jobs that had one
  std::int64_t deadlines_met = 0;  // and were done by then
  Duration lost;                   // work done twice
  Duration gpu_work;               // GPU time that was of use
  cost::Totals cost;
};

struct Report {
  Figures all;
  std::map<std::string, Figures> tenants;
  // The two parts of all jobs, where there are multi-node jobs; else both are empty.
  Figures single_node;
  Figures multi_node;
  std::int64_t left_out = 0;  // jobs of traces that are too large, or of unknown length
  std::int64_t refused = 0;
  std::string refusal;
  std::vector<BudgetNews> budgets;
  Duration simulated;
  Duration makespan;  // first submission to the last end
  std::int64_t machines = 0;
  std::int64_t launches = 0;
  std::int64_t launches_failed = 0;
  std::int64_t spot_machines = 0;
  std::int64_t machines_taken_back = 0;  // by the seller
  Duration machine_time;                 // paid
  Duration gpu_time;                     // of paid machines
  Duration gpu_work;                     // of use
  Money billed;
  std::string ledger_fault;  // "": every machine second has its line and lines add up to bills
  std::string waits;         // why the first job that waits at the end does so

  [[nodiscard]] bool has_multi_node() const { return multi_node.submitted > 0; }
  // Thousandths of paid GPU time that did no useful work; 0 where none was paid.
  [[nodiscard]] std::int64_t idle_permille() const;
  // Thousandths of paid GPU time that were of use to those of the figures.
  [[nodiscard]] std::int64_t use_permille(const Figures& figures) const;
};

Report make_report(const Scenario& scenario, const Workload& workload, const Outcome& outcome);

json::Value to_json(const Scenario& scenario, std::uint64_t seed, const Report& report);
// A table for people, ending with a line end.
std::string to_table(const Scenario& scenario, std::uint64_t seed, const Report& report);

}  // namespace stoker::sim
