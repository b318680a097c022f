#pragma once
// A set of nodes for runs that must all start together: the nodes of a multi-node job. All or nothing, and
// tried on copies: nothing is taken.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/node.h"
#include "core/model/shape.h"
#include "core/model/wishes.h"
#include "core/placement/policy_name.h"
#include "core/placement/workload.h"

namespace stoker::core {

inline constexpr std::size_t kGangRunsMax = 1000;  // AWS Batch API, NodeProperties.numNodes

struct GangAsk {
  std::vector<Shape> runs;
  Nearness nearness = Nearness::Any;  // at most that far apart
};

// Where one run of a gang goes.
struct GangPlace {
  std::string node;               // "": nowhere
  std::vector<std::string> gpus;  // its devices there, as Attempt::gpus names them
};
struct GangChoice {
  std::vector<GangPlace> places;  // of the runs, as they were given
  std::size_t placed = 0;         // how many have one
  [[nodiscard]] bool whole() const { return placed > 0 && placed == places.size(); }
};

// A place for each run; when they do not all fit at once, for as many as do that far apart, to say what is
// missing. The nearest set of nodes that holds them all wins: one node, else one rack, else any nodes; of
// several the one with least left. Nodes without a rack are each a rack of their own. Members with more GPUs
// are placed first, each by the policy, several on one node where that has room. GPUs that are Suspect serve
// no gang. Costs by nodes with room for a run: this is for the few jobs that come in gangs.
GangChoice choose_gang(std::span<const Node* const> nodes, const GangAsk& ask, PolicyName policy,
                       const Workload& workload);

}  // namespace stoker::core
