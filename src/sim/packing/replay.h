#pragma once
// One packing experiment, as in the FGD paper (core/placement/workload.h): tasks come one at a time and none
// ever leaves, until all that came ask for 130 % of the cluster's GPUs. What fits nowhere is dropped and
// still counts as come.
#include <array>
#include <cstdint>
#include <vector>

#include "core/placement/policy.h"
#include "sim/packing/trace.h"

namespace stoker::sim {

inline constexpr int kArrivedPercentMax = 130;
// Shapes are taken as typical until they cover so many of the tasks.
inline constexpr std::int64_t kTypicalPercent = 95;

// Means over the tasks at which what has come asks for that many percent of the GPUs, rounded.
struct PackingPoint {
  int tasks = 0;  // 0: no task fell on this percentage, the figures are those of the one before
  double allocated_percent = 0;        // of the GPUs
  double fragment_ratio_percent = 0;   // fragments, of what is free
  double fragment_amount_percent = 0;  // fragments, of the GPUs
};

struct PackingRun {
  std::array<PackingPoint, kArrivedPercentMax + 1> at;  // by percent that has come
  std::size_t tasks = 0;
  std::size_t placed = 0;
};

// The seed decides the order of the nodes, the order of the tasks, which ones fill the list up, and what
// policies leave to chance.
PackingRun replay_packing(const PackingTrace& trace, core::PolicyName policy, std::uint64_t seed);

}  // namespace stoker::sim
