#include <optional>
#include <set>
#include <vector>

#include "base/text.h"
#include "core/resources/container_rules.h"
#include "core/resources/definition_rules.h"
#include "core/resources/node_plan.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kGroupsMax = 5;

// What a range says for its nodes. Nested ranges add up: the inner one wins member by member.
struct Group {
  NodeRange range;
  bool image = false;
  Requirements requirements;
};

Result<Group> check_group(const json::Value& node, const std::string& place, std::int64_t nodes) {
  const auto range = parse_node_range(json::get_string(node, "targetNodes"), nodes);
  if (!range)
    return refuse(member_of(place, "targetNodes"),
                  "must be a range of nodes such as 0:3, :3 or 4: below numNodes");
  Group group{
      .range = *range, .image = true, .requirements = {.cpus_milli = 1000, .memory_mib = 4, .gpus = {}}};
  const json::Value* container = json::find(node, "container");
  const json::Value* ecs = json::find(node, "ecsProperties");
  const json::Value* eks = json::find(node, "eksProperties");
  if (int{container != nullptr} + int{ecs != nullptr} + int{eks != nullptr} != 1)
    return refuse(place, "must have exactly one of container, ecsProperties and eksProperties");
  if (json::get_array(node, "instanceTypes").size() > 1)
    return refuse(member_of(place, "instanceTypes"), "must have at most one entry");
  TRY(check_consumables(json::find(node, "consumableResourceProperties"),
                        member_of(place, "consumableResourceProperties")));
  if (ecs != nullptr) TRY(check_ecs_properties(*ecs, member_of(place, "ecsProperties"), Platform::Ec2));
  if (eks != nullptr) TRY(check_eks_properties(*eks, member_of(place, "eksProperties")));
  if (container != nullptr) {
    TRY(check_container_properties(*container, member_of(place, "container"),
                                   {.platform = Platform::Ec2, .of_nodes = true}));
    group.image = is_given(*container, "image");
    group.requirements = read_requirements(*container);
  }
  return group;
}

Result<void> check_every_node(const std::vector<Group>& groups, std::int64_t nodes,
                              const std::string& place) {
  for (std::int64_t node = 0; node < nodes; ++node) {
    bool covered = false;
    bool image = false;
    Requirements all;
    for (const Group& group : groups) {
      if (node < group.range.first || node > group.range.last) continue;
      covered = true;
      image = image || group.image;
      all = all.with(group.requirements);
    }
    const std::string who = "node " + std::to_string(node);
    if (!covered) return refuse(place, "targetNodes must cover all nodes; " + who + " is in no range");
    if (!image) return refuse(place, who + " has no image");
    if (!all.cpus_milli) return refuse(place, who + " has no VCPU in resourceRequirements");
    if (!all.memory_mib) return refuse(place, who + " has no MEMORY in resourceRequirements");
  }
  return {};
}

// All groups run on one instance type, however it is given.
Result<void> check_instance_types(const json::Array& ranges, const std::string& place) {
  std::set<std::string_view> types;
  for (const auto& node : ranges) {
    for (const auto& type : json::get_array(node, "instanceTypes")) types.insert(json::text(type));
    if (const json::Value* container = json::find(node, "container");
        container != nullptr && is_given(*container, "instanceType"))
      types.insert(json::get_string(*container, "instanceType"));
  }
  if (types.size() > 1) return refuse(place, "all node groups must use the same instance type");
  return {};
}

}  // namespace

Result<void> check_node_properties(const json::Value& nodes, const std::string& place) {
  if (json::find(nodes, "numNodes") == nullptr) return refuse(member_of(place, "numNodes"), "is required");
  if (json::find(nodes, "mainNode") == nullptr) return refuse(member_of(place, "mainNode"), "is required");
  TRY(check_range(nodes, "numNodes", place, 1, kNodesMax));
  const std::int64_t count = json::get_int(nodes, "numNodes");
  if (const auto main = json::get_int(nodes, "mainNode"); main < 0 || main >= count)
    return refuse(member_of(place, "mainNode"), "must be 0 or more and less than numNodes");

  const std::string at = member_of(place, "nodeRangeProperties");
  const auto& ranges = json::get_array(nodes, "nodeRangeProperties");
  if (ranges.empty() || ranges.size() > kGroupsMax) return refuse(at, "must have 1 to 5 node groups");
  std::vector<Group> groups;
  std::size_t index = 0;
  for (const auto& node : ranges) groups.push_back(TRY(check_group(node, item_of(at, index++), count)));
  TRY(check_every_node(groups, count, at));
  return check_instance_types(ranges, at);
}

}  // namespace stoker::core
