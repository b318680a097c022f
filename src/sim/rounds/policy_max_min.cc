// Max-min fairness over normalised throughput on equal GPUs: the least part of its time that a job runs is as
// large as can be when all have the same number of rounds (Narayanan et al., "Heterogeneity-Aware Cluster
// Scheduling Policies", OSDI 2020, for jobs of one GPU).
#include <algorithm>

#include "sim/rounds/rounds.h"

namespace stoker::sim {

void order_max_min(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {}, [](const Turn& turn) { return std::pair(turn.rounds, turn.job); });
}

}  // namespace stoker::sim
