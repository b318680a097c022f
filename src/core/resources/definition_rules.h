#pragma once
// The parts of a registration: what is checked, and what the core reads out of it. Checking and reading are
// apart, so that a stored definition can be read although a later program has stricter rules.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/definition.h"
#include "core/resources/requirements.h"
#include "json/json.h"

namespace stoker::core {

inline constexpr std::size_t kDefinitionBytesMax = 24 * 1024;  // AWS Batch service quotas

// Every rule on the document of a registration (its shape is checked).
Result<void> check_definition(const json::Value& document);
// Cannot fail: what is missing or odd reads as its default.
JobDefinition interpret_definition(const std::string& name, int revision, json::Shared document, Tags tags);

// ecsProperties (task_rules.cc), eksProperties (pod_rules.cc), nodeProperties (node_rules.cc).
Result<void> check_ecs_properties(const json::Value& ecs, const std::string& place, Platform platform);
Result<void> check_eks_properties(const json::Value& eks, const std::string& place);
// Lower case, under 64 characters, not "default", not "kube-…" (also of compute environments).
bool is_kubernetes_namespace(std::string_view name);
inline constexpr std::string_view kNamespaceRule =
    "must have under 64 lower-case letters, digits and hyphens, begin and end with a letter or digit, and be "
    "neither "
    "default nor begin with kube-";
Result<void> check_node_properties(const json::Value& nodes, const std::string& place);

// A consumableResourceProperties: at most 5, each once, of 1 or more.
Result<void> check_consumables(const json::Value* properties, const std::string& place);
// The same sorted by resource; ARNs become names.
std::vector<ConsumableNeed> read_consumables(const json::Value* properties);

// Replaces the value of that name in its place, or appends it.
void set_variable(std::vector<std::pair<std::string, std::string>>& environment, std::string_view name,
                  std::string_view value);

// The part of a containerProperties that the core acts on. Of variables with one name the last value holds.
ContainerSpec read_container(const json::Value& properties);

}  // namespace stoker::core
