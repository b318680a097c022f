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

// The name of a node for each run, as they were given, or nothing when they do not all fit at once. The
// nearest set that holds them wins: one node, else one rack, else any nodes; of several the one with least
// left. Nodes without a rack are each a rack of their own. Members with more GPUs are placed first, each by
// the policy. GPUs that are Suspect serve no gang. Costs by nodes: this is for the few runs that come in
// gangs.
std::optional<std::vector<std::string>> choose_gang(std::span<const Node* const> nodes, const GangAsk& ask,
                                                    PolicyName policy, const Workload& workload);

}  // namespace stoker::core
