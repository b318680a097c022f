#include "core/resources/node_plan.h"

#include <algorithm>

#include "base/text.h"
#include "core/resources/container_overrides.h"
#include "core/resources/definition_rules.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

std::int64_t count_of(const json::Value& properties, const json::Value& overrides) {
  return json::get_int(overrides, "numNodes", json::get_int(properties, "numNodes"));
}

// The end of a range follows the number of nodes when it is open.
bool is_open(std::string_view target) {
  return target.ends_with(':');
}

// Fewer nodes cut ranges short; what lies behind the last node is gone.
std::optional<NodeRange> range_of(const json::Value& group, std::int64_t nodes) {
  auto range = parse_node_range(json::get_string(group, "targetNodes"), kNodesMax);
  if (!range) return std::nullopt;
  range->last = std::min(range->last, nodes - 1);
  return range->first > range->last ? std::nullopt : range;
}

Result<void> check_count(const json::Value& properties, const json::Value& overrides,
                         const std::string& place) {
  if (json::find(overrides, "numNodes") == nullptr) return {};
  const std::string at = member_of(place, "numNodes");
  TRY(check_range(overrides, "numNodes", place, 1, kNodesMax));
  const std::int64_t count = json::get_int(overrides, "numNodes");
  bool open = false;
  for (const auto& group : json::get_array(properties, "nodeRangeProperties")) {
    const std::string_view target = json::get_string(group, "targetNodes");
    open = open || is_open(target);
    const auto range = parse_node_range(target, kNodesMax);
    if (range && range->first >= count)
      return refuse(at, "must be above the lower end of every range of the job definition; " +
                            std::string(target) + " is one");
  }
  if (!open) return refuse(at, "needs a range with an open end, such as 4:, in the job definition");
  if (json::get_int(properties, "mainNode") >= count)
    return refuse(at, "must be above mainNode of the job definition");
  return {};
}

Result<void> check_property_override(const json::Value& properties, const json::Value& entry,
                                     std::int64_t nodes, const std::string& place) {
  const std::string_view target = json::get_string(entry, "targetNodes");
  const auto range = parse_node_range(target, nodes);
  if (!range)
    return refuse(member_of(place, "targetNodes"),
                  "must be a range of nodes such as 0:3, :3 or 4: below numNodes");
  for (const std::string_view member : {"ecsPropertiesOverride", "eksPropertiesOverride"})
    if (is_given(entry, member))
      return refuse(member_of(place, std::string(member)), "is not applicable: the nodes are containers");
  if (json::get_array(entry, "instanceTypes").size() > 1)
    return refuse(member_of(place, "instanceTypes"), "must have at most one entry");
  TRY(check_consumables(json::find(entry, "consumableResourcePropertiesOverride"),
                        member_of(place, "consumableResourcePropertiesOverride")));
  const json::Value* container = json::find(entry, "containerOverrides");
  if (container == nullptr) return {};
  for (const auto& group : json::get_array(properties, "nodeRangeProperties")) {
    const auto theirs = range_of(group, nodes);
    if (!theirs || theirs->last < range->first || range->last < theirs->first) continue;
    TRY(check_container_overrides(*json::find(group, "container"), *container,
                                  member_of(place, "containerOverrides"),
                                  {.platform = Platform::Ec2, .of_nodes = true}));
  }
  return {};
}

json::Array joined_requirements(const json::Array& outer, const json::Array& inner) {
  json::Array all = outer;
  for (const auto& entry : inner) {
    const auto known = std::ranges::find_if(all, [&](const json::Value& other) {
      return json::get_string(other, "type") == json::get_string(entry, "type");
    });
    if (known == all.end())
      all.push_back(entry);
    else
      *known = entry;
  }
  return all;
}

// The inner range over the outer one.
void overlay(json::Object& outer, const json::Value& inner) {
  for (const auto& [key, value] : json::get_object(inner, "container")) {
    if (key == "resourceRequirements" && value.is_array() && outer.contains(key))
      outer[key] = joined_requirements(outer[key].get_array(), value.get_array());
    else
      outer[key] = value;
  }
}

// Makes the class of one node out of what stands for it.
class Maker {
 public:
  Maker(const json::Value& properties, const json::Value& overrides,
        const std::map<std::string, std::string>& parameters, const std::vector<ConsumableNeed>& common)
      : parameters_(parameters), common_(common), nodes_(count_of(properties, overrides)) {
    const auto add = [&](const json::Array& list, std::vector<Part>& into) {
      for (const auto& entry : list)
        if (const auto range = range_of(entry, nodes_)) into.push_back({*range, &entry});
    };
    add(json::get_array(properties, "nodeRangeProperties"), groups_);
    add(json::get_array(overrides, "nodePropertyOverrides"), overrides_);
    // The widest first; of equal ones the later wins.
    std::ranges::stable_sort(groups_, std::greater<>(),
                             [](const Part& part) { return part.range.last - part.range.first; });
  }

  Result<std::shared_ptr<const NodePlan>> make(int main_node) {
    auto plan = std::make_shared<NodePlan>();
    plan->main_node = main_node;
    std::map<std::vector<bool>, std::uint8_t> known;
    for (std::int64_t node = 0; node < nodes_; ++node) {
      const bool holds_common = node == main_node && !common_.empty();
      std::vector<bool> parts{holds_common};
      for (const Part& part : groups_) parts.push_back(part.range.has(node));
      for (const Part& part : overrides_) parts.push_back(part.range.has(node));
      const auto at = known.find(parts);
      if (at != known.end()) {
        plan->class_of.push_back(at->second);
        continue;
      }
      if (plan->classes.size() > UINT8_MAX)
        return refuse("nodeOverrides", "must not make more than 256 kinds of nodes");
      const auto number = static_cast<std::uint8_t>(plan->classes.size());
      plan->classes.push_back(TRY(class_of(node, holds_common)));
      known.emplace(std::move(parts), number);
      plan->class_of.push_back(number);
    }
    return plan;
  }

 private:
  struct Part {
    NodeRange range;
    const json::Value* entry;
  };

  Result<NodeClass> class_of(std::int64_t node, bool holds_common) const {
    NodeClass out;
    json::Object properties;
    for (const Part& group : groups_) {
      if (!group.range.has(node)) continue;
      overlay(properties, *group.entry);
      if (const auto* needs = json::find(*group.entry, "consumableResourceProperties"))
        out.consumables = read_consumables(needs);
    }
    out.container = read_container(json::Value(std::move(properties)));
    static const json::Value nothing = json::Object{};
    bool merged = false;
    for (const Part& part : overrides_) {
      if (!part.range.has(node)) continue;
      const json::Value* container = json::find(*part.entry, "containerOverrides");
      out.container =
          TRY(merge_container(out.container, container == nullptr ? nothing : *container, parameters_));
      merged = true;
      if (const auto* needs = json::find(*part.entry, "consumableResourcePropertiesOverride"))
        out.consumables = read_consumables(needs);
    }
    if (!merged) out.container = TRY(merge_container(out.container, nothing, parameters_));
    if (holds_common) add(out.consumables, common_);
    return out;
  }

  static void add(std::vector<ConsumableNeed>& needs, const std::vector<ConsumableNeed>& more) {
    for (const ConsumableNeed& need : more) {
      const auto known = std::ranges::find(needs, need.resource, &ConsumableNeed::resource);
      if (known == needs.end())
        needs.push_back(need);
      else
        known->quantity += need.quantity;
    }
    std::ranges::sort(needs);
  }

  const std::map<std::string, std::string>& parameters_;
  const std::vector<ConsumableNeed>& common_;
  std::int64_t nodes_;
  std::vector<Part> groups_;
  std::vector<Part> overrides_;
};

}  // namespace

std::optional<NodeRange> parse_node_range(std::string_view text, std::int64_t nodes) {
  if (text.find('-') != std::string_view::npos) return std::nullopt;
  const auto colon = text.find(':');
  const auto left = text.substr(0, colon);
  const auto right = colon == std::string_view::npos ? left : text.substr(colon + 1);
  const auto first = left.empty() && colon != std::string_view::npos ? 0 : parse_int(left);
  const auto last = right.empty() && colon != std::string_view::npos ? nodes - 1 : parse_int(right);
  if (!first || !last || *first > *last || *last >= nodes) return std::nullopt;
  return NodeRange{*first, *last};
}

std::uint64_t node_count(const JobDefinition& definition, const json::Shared& overrides) {
  static const json::Value nothing = json::Object{};
  const json::Value* properties = json::find(*definition.document, "nodeProperties");
  const json::Value* nodes = overrides ? json::find(*overrides, "nodeOverrides") : nullptr;
  const std::int64_t count =
      count_of(properties == nullptr ? nothing : *properties, nodes == nullptr ? nothing : *nodes);
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(count, 0, kNodesMax));
}

bool nodes_are_containers(const json::Value& document) {
  const json::Value* properties = json::find(document, "nodeProperties");
  return properties != nullptr && std::ranges::all_of(json::get_array(*properties, "nodeRangeProperties"),
                                                      [](const json::Value& group) {
                                                        return json::find(group, "container") != nullptr;
                                                      });
}

Result<void> check_node_overrides(const json::Value& properties, const json::Value& overrides,
                                  const std::string& place) {
  TRY(check_count(properties, overrides, place));
  const std::int64_t nodes = count_of(properties, overrides);
  std::size_t index = 0;
  for (const auto& entry : json::get_array(overrides, "nodePropertyOverrides"))
    TRY(check_property_override(properties, entry, nodes,
                                item_of(member_of(place, "nodePropertyOverrides"), index++)));
  return {};
}

Result<std::shared_ptr<const NodePlan>> plan_nodes(const json::Value& properties,
                                                   const json::Value& overrides,
                                                   const std::map<std::string, std::string>& parameters,
                                                   const std::vector<ConsumableNeed>& common) {
  return Maker(properties, overrides, parameters, common)
      .make(static_cast<int>(json::get_int(properties, "mainNode")));
}

Result<void> check_plan(const NodePlan& plan) {
  for (std::size_t node = 0; node < plan.class_of.size(); ++node) {
    const ContainerSpec& container = plan.classes[plan.class_of[node]].container;
    const std::string place = "node " + std::to_string(node);
    if (container.image.empty()) return refuse(place, "has no image");
    TRY(check_amounts(read_requirements(*container.properties), place, Platform::Ec2));
  }
  return {};
}

Resources resources_of(const NodePlan& plan) {
  Resources sum;
  for (const std::uint8_t number : plan.class_of) sum += plan.classes[number].container.resources;
  return sum;
}

std::vector<ConsumableNeed> consumables_of(const NodePlan& plan) {
  std::map<std::string, std::int64_t> sum;
  for (const std::uint8_t number : plan.class_of)
    for (const ConsumableNeed& need : plan.classes[number].consumables) sum[need.resource] += need.quantity;
  std::vector<ConsumableNeed> needs;
  for (const auto& [resource, quantity] : sum) needs.push_back({resource, quantity});
  return needs;
}

}  // namespace stoker::core
