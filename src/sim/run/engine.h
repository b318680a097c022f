#pragma once
// The core on simulated time: what the server, the agents and EC2 would do, as a heap of future events.
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

// The same scenario, jobs and seed give the same outcome. `progress` may be null.
Outcome simulate(const Scenario& scenario, const std::vector<SimJob>& jobs, std::uint64_t seed,
                 Progress* progress);

}  // namespace stoker::sim
