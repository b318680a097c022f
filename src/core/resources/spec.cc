#include "core/resources/spec.h"

#include <algorithm>

#include "core/resources/container_rules.h"
#include "core/resources/definition_rules.h"
#include "core/resources/quota_shares.h"
#include "core/resources/references.h"
#include "core/resources/resources.h"
#include "core/resources/retry_rules.h"
#include "core/resources/rules.h"
#include "core/resources/wishes.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kSchedulingPriorityMax = 9999;
constexpr std::size_t kShareMax = 255;

bool says_nothing(const json::Shared& overrides) {
  return !overrides || !overrides->is_object() || overrides->get_object().empty();
}

Result<void> check_runs_here(const JobDefinition& definition) {
  std::string_view what;
  switch (definition.kind) {
    case DefinitionKind::Container:
      return {};
    case DefinitionKind::EcsTask:
      what = "ecsProperties";
      break;
    case DefinitionKind::EksPod:
      what = "eksProperties";
      break;
    case DefinitionKind::MultiNode:
      what = "nodeProperties";
      break;
  }
  return fail(Code::NotSupported,
              "Job definition " + definition.id() + " has " + std::string(what) +
                  ": this server accepts and keeps such job definitions but does not run them yet");
}

Result<void> check_share(const json::Value& overrides, ShareRule rule) {
  if (rule == ShareRule::None) {
    // Amazon's text, letter by letter: clients search for it.
    if (is_given(overrides, "shareIdentifier") ||
        json::find(overrides, "schedulingPriorityOverride") != nullptr)
      return fail(
          Code::InvalidArgument,
          "Job with shareIdentifier or schedulingPriority can onlybe submitted to job queue with fair share "
          "scheduling policy.");
    return {};
  }
  TRY(check_range(overrides, "schedulingPriorityOverride", "", 0, kSchedulingPriorityMax));
  const auto share = json::get_string(overrides, "shareIdentifier");
  if (share.empty())
    return refuse("shareIdentifier", rule == ShareRule::Quota
                                         ? "is required: the job queue has quota shares, and jobs name theirs"
                                         : "is required: the job queue has a fair share scheduling policy");
  if (!share_fits(rule, share))
    return refuse("shareIdentifier", "must have up to 255 letters and digits, and may end in '*'");
  return {};
}

bool requires_type(const json::Value& properties, std::string_view type) {
  const auto& list = json::get_array(properties, "resourceRequirements");
  return std::any_of(list.begin(), list.end(),
                     [&](const json::Value& entry) { return json::get_string(entry, "type") == type; });
}

Result<void> check_legacy_override(const json::Value& properties, const json::Value& container) {
  const bool cpus = json::find(container, "vcpus") != nullptr && requires_type(properties, "VCPU");
  const bool memory = json::find(container, "memory") != nullptr && requires_type(properties, "MEMORY");
  if (!cpus && !memory) return {};
  return refuse(
      cpus ? "containerOverrides.vcpus" : "containerOverrides.memory",
      "This value was submitted in a deprecated key and may conflict with the value provided by the job "
      "definition's resource requirements.");
}

Result<void> check_container_overrides(const JobDefinition& definition, const json::Value& container) {
  const std::string place = "containerOverrides";
  if (is_given(container, "instanceType"))
    return refuse(member_of(place, "instanceType"), "is given only for multi-node parallel jobs");
  for (const auto& argument : json::get_array(container, "command"))
    if (json::text(argument).empty())
      return refuse(member_of(place, "command"), "must not hold an empty string");
  TRY(check_environment(container, "environment", place));
  TRY(check_legacy_override(*definition.container.properties, container));
  return check_requirements(container, place, definition.fargate ? Platform::Fargate : Platform::Ec2);
}

Result<void> check_overrides(const JobDefinition& definition, const json::Value& overrides) {
  TRY(check_no_nul(overrides, ""));
  for (const std::string_view member : {"nodeOverrides", "ecsPropertiesOverride", "eksPropertiesOverride"})
    if (is_given(overrides, member))
      return refuse(member,
                    "is not applicable: job definition " + definition.id() + " has containerProperties");
  if (const json::Value* container = json::find(overrides, "containerOverrides"))
    TRY(check_container_overrides(definition, *container));
  TRY(check_retry(overrides));
  TRY(check_timeout(overrides));
  return check_consumables(json::find(overrides, "consumableResourcePropertiesOverride"),
                           "consumableResourcePropertiesOverride");
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

}  // namespace

ShareRule share_rule(const State& state, const JobQueue& queue) {
  if (has_quota_shares(state, queue)) return ShareRule::Quota;
  return queue.scheduling_policy.empty() ? ShareRule::None : ShareRule::Fair;
}

bool share_fits(ShareRule rule, std::string_view share) {
  if (rule == ShareRule::None) return share.empty();
  if (rule == ShareRule::Quota) return !share.empty();  // the shares of the queue are looked up
  const auto letters = share.ends_with('*') ? share.substr(0, share.size() - 1) : share;
  return !letters.empty() && letters.size() <= kShareMax && all_of_set(letters, "");
}

std::string spec_key(const JobDefinition& definition, const json::Shared& overrides, const Tags& wishes) {
  std::string key = definition.id();
  if (!says_nothing(overrides)) {
    key += '\n';
    json::write(key, *overrides);
  }
  for (const auto& [tag, value] : wishes) {
    key += "\n\t";  // no JSON text begins so
    json::write_string(key, tag);
    json::write_string(key, value);
  }
  return key;
}

void add_wishes(JobSpec& spec, const Tags& tags) {
  spec.wishes = interpret_wishes(tags);
  spec.wish_tags = tags;
  const bool uses_gpus = spec.container.resources.all_gpu_milli() > 0;
  spec.container.gpu.models = uses_gpus ? spec.wishes.gpu_models : std::vector<std::string>{};
  spec.container.gpu.memory_mib_min = uses_gpus ? spec.wishes.gpu_memory_mib_min : 0;
}

Result<JobSpec> merge_overrides(std::shared_ptr<const JobDefinition> definition, json::Shared overrides) {
  static const json::Value nothing = json::Object{};
  if (says_nothing(overrides)) overrides = nullptr;
  const json::Value& over = overrides ? *overrides : nothing;
  JobSpec spec;
  spec.parameters = definition->parameters;
  for (const auto& [key, value] : json::get_object(over, "parameters"))
    spec.parameters[std::string(key)] = json::text(value);
  const json::Value* container = json::find(over, "containerOverrides");
  spec.container = TRY(
      merge_container(definition->container, container == nullptr ? nothing : *container, spec.parameters));
  spec.retry = read_retry(over).value_or(definition->retry);
  const bool timeout_given = json::find(over, "timeout") != nullptr;
  spec.timeout = timeout_given ? read_timeout(over) : definition->timeout;
  spec.scheduling_priority = static_cast<int>(
      json::get_int(over, "schedulingPriorityOverride", definition->scheduling_priority.value_or(0)));
  spec.share = json::get_string(over, "shareIdentifier");
  spec.propagate_tags = json::get_bool(over, "propagateTags", definition->propagate_tags);
  const json::Value* needs = json::find(over, "consumableResourcePropertiesOverride");
  spec.consumables = needs == nullptr ? definition->consumables : read_consumables(needs);
  spec.definition = std::move(definition);
  spec.overrides = std::move(overrides);
  return spec;
}

Result<JobSpec> resolve_spec(std::shared_ptr<const JobDefinition> definition, json::Shared overrides,
                             ShareRule shares) {
  TRY(check_runs_here(*definition));
  static const json::Value nothing = json::Object{};
  const json::Value& over = says_nothing(overrides) ? nothing : *overrides;
  TRY(check_share(over, shares));
  TRY(check_overrides(*definition, over));
  JobSpec spec = TRY(merge_overrides(std::move(definition), std::move(overrides)));
  TRY(check_amounts(read_requirements(*spec.container.properties), "containerOverrides",
                    spec.definition->fargate ? Platform::Fargate : Platform::Ec2));
  return spec;
}

}  // namespace stoker::core
