#pragma once
// The common form of jobs in the simulator, whatever trace or generator they come from.
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "core/model/types.h"

namespace stoker::sim {

struct SimJob {
  Duration submit;  // since the start of the simulation
  Duration run;     // at the speed of the trace, uninterrupted
  // Each of so many nodes needs what follows, all at the same time; more than one: a multi-node job.
  std::int64_t nodes = 1;
  std::int64_t gpus = 0;
  std::int64_t gpu_milli = 0;  // of a share of one GPU, or of all its MIG devices; then gpus is 0
  std::string mig;             // profile of its MIG devices, "2g.20gb"; empty: none
  std::int64_t mig_devices = 0;
  std::int64_t cpus_milli = 1000;
  std::int64_t memory_mib = 1024;
  std::vector<std::string> gpu_models;  // empty: any
  std::string image;                    // its container image; empty: that of its tenant
  std::int64_t image_mib = 0;           // how large that is; 0: not told
  std::string tenant;
  std::string queue;
  int priority = 0;                             // within its share, on queues with a scheduling policy
  Duration checkpoint;                          // progress is kept in steps of this; 0: none is kept
  std::int64_t failures_per_million_hours = 0;  // of the job itself, per hour of work
  bool saves_on_signal = false;                 // and when it is told to end, if it is told in time
  Duration time_limit;                          // of each attempt, as its owner guesses; 0: none
  Instant deadline_at;                          // 0: none
  Duration deadline_after;                      // its submission; 0: none
  core::Tags tags;                              // of its submission
  bool operator==(const SimJob&) const = default;
};

}  // namespace stoker::sim
