#pragma once
// The core on simulated time: what the server, the agents and EC2 would do, as a heap of future events.
#include <vector>

#include "core/core.h"
#include "sim/run/outcome.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

// Told now and then how far it is; what it does has no influence on the simulation.
class Progress {
 public:
  virtual void at(std::size_t jobs_ended, std::size_t jobs, Duration simulated) = 0;

 protected:
  ~Progress() = default;
};

// What reached the core in one turn, and what it wanted done.
struct Turn {
  Instant at;
  std::vector<core::Event> events;  // without the timer, which fires when it is due after them
  core::Actions actions;            // but for the specs of runs, which do not outlive the turn
};
using EventLog = std::vector<Turn>;

// The same scenario, jobs and seed give the same outcome. `progress` may be null. `log`, unless it is null,
// gets every turn: the same events in any other shell of the core lead to the same actions.
Outcome simulate(const Scenario& scenario, const std::vector<SimJob>& jobs, std::uint64_t seed,
                 Progress* progress, EventLog* log = nullptr);

}  // namespace stoker::sim
