#pragma once
// When a node that is too full now has room for a job, as far as time limits tell.
#include <optional>
#include <tuple>

#include "core/model/node.h"
#include "core/schedule/gate.h"

namespace stoker::core {

// A run may take that long from being placed to being started before a time limit counts.
inline constexpr Duration kStartMargin = minutes(1);

struct Estimate {
  std::optional<Instant> start;  // nothing: some run in the way has no time limit
  Resources spare;               // what is free then beside the job; of GPUs those that would serve it
  std::int64_t gpu_milli_missing = 0;
  std::int64_t cpus_milli_missing = 0;
};

// Of two nodes for a job that waits: the least is where it starts first.
inline auto badness(const Estimate& estimate) {
  return std::tuple(!estimate.start, estimate.start.value_or(Instant{}), estimate.gpu_milli_missing,
                    estimate.cpus_milli_missing);
}
// So many nodes are looked at for where a job can start first; for a gang, so many beyond those that it needs
// at most.
inline constexpr std::size_t kNodesConsidered = 256;

// `in_the_way`: the runs that have to end first, by job and attempt, ascending. Others that are there were
// let in beside the job and stay as long as they like. The node could hold the job when empty.
using Runs = std::vector<std::pair<JobNo, int>>;
Estimate estimate_start(const World& world, const Node& node, const Shape& shape, const Runs& in_the_way,
                        Instant now);
// All that are there.
Runs runs_of(const World& world, const Node& node);

// A share of a GPU, or a MIG device, counts as a whole GPU: which one it gets is not known yet.
Resources in_whole_gpus(const Resources& resources);

}  // namespace stoker::core
