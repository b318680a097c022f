// Reading a registration: the top-level members, and the container that the core acts on.
#include <algorithm>
#include <set>

#include "core/resources/container_rules.h"
#include "core/resources/definition_rules.h"
#include "core/resources/limits.h"
#include "core/resources/resources.h"
#include "core/resources/retry_rules.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kSchedulingPriorityMax = 9999;

// Exactly one of the properties, and the one that the type is for.
Result<void> check_kind(const json::Value& document) {
  const bool container = json::find(document, "containerProperties") != nullptr;
  const bool ecs = json::find(document, "ecsProperties") != nullptr;
  const bool eks = json::find(document, "eksProperties") != nullptr;
  const bool nodes = json::find(document, "nodeProperties") != nullptr;
  if (json::get_string(document, "type") == "multinode") {
    if (!nodes) return refuse("nodeProperties", "is required for type multinode");
    if (container || ecs || eks)
      return refuse("nodeProperties", "must be the only properties of type multinode");
    return {};
  }
  if (nodes) return refuse("nodeProperties", "is given only for type multinode");
  if (int{container} + int{ecs} + int{eks} == 1) return {};
  return fail(
      Code::InvalidArgument,
      "A job definition of type container must have exactly one of containerProperties, ecsProperties and "
      "eksProperties");
}

bool wants_fargate(const json::Value& document) {
  const auto& capabilities = json::get_array(document, "platformCapabilities");
  return std::any_of(capabilities.begin(), capabilities.end(),
                     [](const json::Value& capability) { return json::text(capability) == "FARGATE"; });
}

Result<void> check_platform(const json::Value& document) {
  if (json::find(document, "eksProperties") != nullptr) {
    for (const std::string_view member : {"platformCapabilities", "propagateTags"})
      if (is_given(document, member)) return refuse(member, "is not allowed together with eksProperties");
  }
  if (json::get_array(document, "platformCapabilities").size() > 1)
    return refuse("platformCapabilities", "must have one entry, EC2 or FARGATE");
  if (wants_fargate(document) && json::find(document, "nodeProperties") != nullptr)
    return refuse("platformCapabilities", "multi-node parallel jobs are not applicable for FARGATE.");
  return {};
}

DefinitionKind kind_of(const json::Value& document) {
  if (json::find(document, "nodeProperties") != nullptr) return DefinitionKind::MultiNode;
  if (json::find(document, "ecsProperties") != nullptr) return DefinitionKind::EcsTask;
  if (json::find(document, "eksProperties") != nullptr) return DefinitionKind::EksPod;
  return DefinitionKind::Container;
}

}  // namespace

Result<void> check_consumables(const json::Value* properties, const std::string& place) {
  constexpr std::size_t kNeedsMax = 5;
  if (properties == nullptr) return {};
  const std::string at = member_of(place, "consumableResourceList");
  const auto& list = json::get_array(*properties, "consumableResourceList");
  if (list.size() > kNeedsMax) return refuse(at, "must have at most 5 entries");
  std::set<std::string_view> names;
  std::size_t index = 0;
  for (const auto& need : list) {
    const std::string here = item_of(at, index++);
    const auto name = name_from_arn(json::get_string(need, "consumableResource"));
    if (name.empty()) return refuse(here, "consumableResource is required");
    if (!names.insert(name).second)
      return refuse(here, "the resource " + std::string(name) + " is named twice");
    if (json::find(need, "quantity") == nullptr) return refuse(here, "quantity is required");
    TRY(check_range(need, "quantity", here, 1, kConsumableMax));
  }
  return {};
}

std::vector<ConsumableNeed> read_consumables(const json::Value* properties) {
  std::vector<ConsumableNeed> needs;
  if (properties == nullptr) return needs;
  for (const auto& need : json::get_array(*properties, "consumableResourceList"))
    needs.push_back({.resource = std::string(name_from_arn(json::get_string(need, "consumableResource"))),
                     .quantity = json::get_int(need, "quantity")});
  std::sort(needs.begin(), needs.end());
  return needs;
}

void set_variable(std::vector<std::pair<std::string, std::string>>& environment, std::string_view name,
                  std::string_view value) {
  const auto known = std::find_if(environment.begin(), environment.end(),
                                  [&](const auto& variable) { return variable.first == name; });
  if (known != environment.end()) {
    known->second = value;
  } else {
    environment.emplace_back(name, value);
  }
}

ContainerSpec read_container(const json::Value& properties) {
  ContainerSpec container;
  container.image = json::get_string(properties, "image");
  for (const auto& argument : json::get_array(properties, "command"))
    container.command.emplace_back(json::text(argument));
  for (const auto& variable : json::get_array(properties, "environment"))
    set_variable(container.environment, json::get_string(variable, "name"),
                 json::get_string(variable, "value"));
  const Requirements requirements = read_requirements(properties);
  container.resources = requirements.resources();
  container.gpu = requirements.gpu_need();
  container.properties = std::make_shared<const json::Value>(properties);
  return container;
}

Result<void> check_definition(const json::Value& document) {
  if (json::write(document).size() > kDefinitionBytesMax)
    return fail(Code::InvalidArgument, "A job definition must not be larger than 24 KiB");
  TRY(check_no_nul(document, ""));
  TRY(check_kind(document));
  TRY(check_platform(document));
  TRY(check_range(document, "schedulingPriority", "", 0, kSchedulingPriorityMax));
  TRY(check_retry(document));
  TRY(check_timeout(document));
  TRY(check_consumables(json::find(document, "consumableResourceProperties"),
                        "consumableResourceProperties"));
  const Platform platform = wants_fargate(document) ? Platform::Fargate : Platform::Ec2;
  switch (kind_of(document)) {
    case DefinitionKind::Container:
      return check_container_properties(*json::find(document, "containerProperties"), "containerProperties",
                                        {.platform = platform});
    case DefinitionKind::EcsTask:
      return check_ecs_properties(*json::find(document, "ecsProperties"), "ecsProperties", platform);
    case DefinitionKind::EksPod:
      return check_eks_properties(*json::find(document, "eksProperties"), "eksProperties");
    case DefinitionKind::MultiNode:
      return check_node_properties(*json::find(document, "nodeProperties"), "nodeProperties");
  }
  return {};
}

JobDefinition interpret_definition(const std::string& name, int revision, json::Shared document, Tags tags) {
  JobDefinition definition;
  definition.name = name;
  definition.revision = revision;
  definition.kind = kind_of(*document);
  if (const json::Value* properties = json::find(*document, "containerProperties"))
    definition.container = read_container(*properties);
  for (const auto& [key, value] : json::get_object(*document, "parameters"))
    definition.parameters[std::string(key)] = json::text(value);
  definition.retry = read_retry(*document).value_or(RetryStrategy{});
  definition.timeout = read_timeout(*document);
  if (json::find(*document, "schedulingPriority") != nullptr)
    definition.scheduling_priority = static_cast<int>(json::get_int(*document, "schedulingPriority"));
  definition.propagate_tags = json::get_bool(*document, "propagateTags");
  definition.fargate = wants_fargate(*document);
  definition.consumables = read_consumables(json::find(*document, "consumableResourceProperties"));
  definition.tags = std::move(tags);
  definition.document = std::move(document);
  return definition;
}

Result<JobDefinition> read_definition(const std::string& name, int revision, json::Shared document,
                                      Tags tags) {
  TRY(check_definition(*document));
  return interpret_definition(name, revision, std::move(document), std::move(tags));
}

}  // namespace stoker::core
