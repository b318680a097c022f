#pragma once
// nodeProperties and nodeOverrides: what each node of a multi-node job is (aws-batch.md 2.9, 3.2).
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/definition.h"

namespace stoker::core {

inline constexpr std::int64_t kNodesMax = 1000;  // AWS Batch API, NodeProperties.numNodes

// A targetNodes: both ends belong to it.
struct NodeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  [[nodiscard]] bool has(std::int64_t node) const { return first <= node && node <= last; }
};
// "a:b", ":b", "a:", "n" of a job with so many nodes. Nothing for any other text and for ranges beyond it.
std::optional<NodeRange> parse_node_range(std::string_view text, std::int64_t nodes);

// How many nodes a submission asks for, checked or not.
std::uint64_t node_count(const JobDefinition& definition, const json::Shared& overrides);

// All ranges have `container`: the only kind of nodes that run here.
bool nodes_are_containers(const json::Value& document);

// Every rule on a nodeOverrides for those nodeProperties.
Result<void> check_node_overrides(const json::Value& properties, const json::Value& overrides,
                                  const std::string& place);

// Nested ranges add up: the inner one wins member by member, resource by resource. Overrides come after, in
// the order given. `common`: units that the whole job holds; its main node holds them for it.
// InvalidArgument only for a Ref:: without a parameter and for too many kinds of nodes.
Result<std::shared_ptr<const NodePlan>> plan_nodes(const json::Value& properties,
                                                   const json::Value& overrides,
                                                   const std::map<std::string, std::string>& parameters,
                                                   const std::vector<ConsumableNeed>& common);

// Every node has an image, VCPU and MEMORY, also one that only the overrides made.
Result<void> check_plan(const NodePlan& plan);

// Of all nodes together.
Resources resources_of(const NodePlan& plan);
std::vector<ConsumableNeed> consumables_of(const NodePlan& plan);

}  // namespace stoker::core
