#pragma once
// How many jobs waited how long, and lost how much between start and finish: counts by classes of times.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/run/outcome.h"
#include "sim/run/workload.h"

namespace stoker::sim {

// "under 1 min", …, "over 1 day"
std::span<const std::string_view> spread_names();

struct Spreads {
  std::vector<std::int64_t> waits;             // submission to the first placement, of those placed
  std::vector<std::int64_t> overheads;         // end - placement - run, of those that succeeded
  std::vector<std::int64_t> multi_node_waits;  // of multi-node jobs alone
};
Spreads make_spreads(const Workload& workload, const Outcome& outcome);

}  // namespace stoker::sim
