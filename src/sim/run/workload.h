#pragma once
// What a scenario needs from the folder of traces: its jobs, and the lives of recorded spot machines.
#include <string>
#include <vector>

#include "base/rng.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

// The jobs of all sources, ordered by submission, and how many were left out: too large, or nobody knows how
// long they run. Traces are read from below `traces`. Each tenant has a share where its queue has shares.
struct Workload {
  std::vector<SimJob> jobs;
  std::int64_t left_out = 0;
};
// Reads what environments name below the folder of traces.
Result<void> load_spot_history(Scenario& scenario, const std::string& traces);
Result<Workload> load_workload(const Scenario& scenario, const std::string& traces, Rng& rng);

}  // namespace stoker::sim
