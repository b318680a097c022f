#include "core/resources/container_overrides.h"

#include <algorithm>

#include "core/resources/definition_rules.h"
#include "core/resources/references.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

bool requires_type(const json::Value& properties, std::string_view type) {
  const auto& list = json::get_array(properties, "resourceRequirements");
  return std::any_of(list.begin(), list.end(),
                     [&](const json::Value& entry) { return json::get_string(entry, "type") == type; });
}

Result<void> check_legacy_override(const json::Value& properties, const json::Value& container,
                                   const std::string& place) {
  const bool cpus = json::find(container, "vcpus") != nullptr && requires_type(properties, "VCPU");
  const bool memory = json::find(container, "memory") != nullptr && requires_type(properties, "MEMORY");
  if (!cpus && !memory) return {};
  return refuse(
      member_of(place, cpus ? "vcpus" : "memory"),
      "This value was submitted in a deprecated key and may conflict with the value provided by the job "
      "definition's resource requirements.");
}

json::Array merged_requirements(const json::Value& properties, const json::Value& container) {
  json::Array merged = json::get_array(properties, "resourceRequirements");
  for (const auto& entry : json::get_array(container, "resourceRequirements")) {
    const auto known = std::find_if(merged.begin(), merged.end(), [&](const json::Value& other) {
      return json::get_string(other, "type") == json::get_string(entry, "type");
    });
    if (known != merged.end()) {
      *known = entry;
    } else {
      merged.push_back(entry);
    }
  }
  return merged;
}

// A type that moved to resourceRequirements no longer stands in its old member, and the other way round it
// was refused.
void merge_amounts(json::Object& properties, const json::Value& definition, const json::Value& container) {
  for (const std::string_view legacy : {"vcpus", "memory"}) {
    const bool moved = requires_type(container, legacy == "vcpus" ? "VCPU" : "MEMORY");
    if (moved) {
      properties.stable_erase(legacy);
    } else if (const json::Value* value = json::find(container, legacy)) {
      properties[legacy] = *value;
    }
  }
  if (is_given(container, "resourceRequirements"))
    properties["resourceRequirements"] = merged_requirements(definition, container);
}

}  // namespace

Result<void> check_container_overrides(const json::Value& properties, const json::Value& container,
                                       const std::string& place, ContainerPlace where) {
  if (is_given(container, "instanceType") && !where.of_nodes)
    return refuse(member_of(place, "instanceType"), "is given only for multi-node parallel jobs");
  for (const auto& argument : json::get_array(container, "command"))
    if (json::text(argument).empty())
      return refuse(member_of(place, "command"), "must not hold an empty string");
  TRY(check_environment(container, "environment", place));
  TRY(check_legacy_override(properties, container, place));
  return check_requirements(container, place, where.platform);
}

Result<ContainerSpec> merge_container(const ContainerSpec& base, const json::Value& container,
                                      const std::map<std::string, std::string>& parameters) {
  ContainerSpec merged = base;
  if (is_given(container, "command")) {
    merged.command.clear();
    for (const auto& argument : json::get_array(container, "command"))
      merged.command.emplace_back(json::text(argument));
  }
  const bool referring = has_references(merged.command);
  if (referring) merged.command = TRY(replace_references(merged.command, parameters));
  for (const auto& variable : json::get_array(container, "environment"))
    set_variable(merged.environment, json::get_string(variable, "name"), json::get_string(variable, "value"));
  if (!referring && !is_given(container, "command") && !is_given(container, "environment") &&
      !is_given(container, "resourceRequirements") && json::find(container, "vcpus") == nullptr &&
      json::find(container, "memory") == nullptr)
    return merged;  // shares the definition's properties

  json::Value resolved = *base.properties;
  json::Object& properties = resolved.as_object();
  if (referring || is_given(container, "command")) {
    json::Array& command = properties["command"].emplace_array();
    for (const auto& argument : merged.command) command.emplace_back(argument);
  }
  if (is_given(container, "environment")) {
    json::Array& environment = properties["environment"].emplace_array();
    for (const auto& [name, value] : merged.environment)
      environment.push_back(json::Object{{"name", name}, {"value", value}});
  }
  merge_amounts(properties, *base.properties, container);
  const Requirements requirements = read_requirements(resolved);
  merged.resources = requirements.resources();
  merged.gpu = requirements.gpu_need();
  merged.properties = std::make_shared<const json::Value>(std::move(resolved));
  return merged;
}

}  // namespace stoker::core
