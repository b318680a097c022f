#include "core/resources/spec.h"

#include <algorithm>

#include "core/resources/container_overrides.h"
#include "core/resources/definition_rules.h"
#include "core/resources/node_plan.h"
#include "core/resources/quota_shares.h"
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
      if (nodes_are_containers(*definition.document)) return {};
      what = "nodeProperties with ecsProperties or eksProperties";
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

Result<void> check_kind_of_overrides(const JobDefinition& definition, const json::Value& overrides) {
  const bool nodes = definition.kind == DefinitionKind::MultiNode;
  for (const std::string_view member :
       {std::string_view(nodes ? "containerOverrides" : "nodeOverrides"),
        std::string_view("ecsPropertiesOverride"), std::string_view("eksPropertiesOverride")})
    if (is_given(overrides, member))
      return refuse(member, "is not applicable: job definition " + definition.id() + " has " +
                                (nodes ? "nodeProperties" : "containerProperties"));
  return {};
}

Result<void> check_overrides(const JobDefinition& definition, const json::Value& overrides) {
  TRY(check_no_nul(overrides, ""));
  TRY(check_kind_of_overrides(definition, overrides));
  // Empty ones are allowed with any definition, also with one that has nothing they could be about.
  if (is_given(overrides, "containerOverrides"))
    TRY(check_container_overrides(*definition.container.properties,
                                  *json::find(overrides, "containerOverrides"), "containerOverrides",
                                  {.platform = definition.fargate ? Platform::Fargate : Platform::Ec2}));
  if (is_given(overrides, "nodeOverrides"))
    TRY(check_node_overrides(*json::find(*definition.document, "nodeProperties"),
                             *json::find(overrides, "nodeOverrides"), "nodeOverrides"));
  TRY(check_retry(overrides));
  TRY(check_timeout(overrides));
  return check_consumables(json::find(overrides, "consumableResourcePropertiesOverride"),
                           "consumableResourcePropertiesOverride");
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

std::string spec_key(const JobDefinition& definition, const json::Shared& overrides, const Tags& wishes,
                     int node_class) {
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
  if (node_class >= 0) key += "\n#" + std::to_string(node_class);
  return key;
}

void add_wishes(JobSpec& spec, const Tags& tags) {
  spec.wishes = interpret_wishes(tags);
  spec.wish_tags = tags;
  const bool uses_gpus = spec.container.resources.all_gpu_milli() > 0;
  spec.container.gpu.models = uses_gpus ? spec.wishes.gpu_models : std::vector<std::string>{};
  spec.container.gpu.memory_mib_min = uses_gpus ? spec.wishes.gpu_memory_mib_min : 0;
}

JobSpec spec_of_nodes(const JobSpec& job, int node_class) {
  JobSpec spec = job;
  const NodeClass& nodes = job.nodes->classes[static_cast<std::size_t>(node_class)];
  spec.no = {};
  spec.container = nodes.container;
  spec.consumables = nodes.consumables;
  spec.node_class = node_class;
  spec.timeout.reset();  // the job's own watches over all of them
  spec.shape = {};
  spec.jobs = 0;
  add_wishes(spec, job.wish_tags);
  return spec;
}

Result<JobSpec> merge_overrides(std::shared_ptr<const JobDefinition> definition, json::Shared overrides) {
  static const json::Value nothing = json::Object{};
  if (says_nothing(overrides)) overrides = nullptr;
  const json::Value& over = overrides ? *overrides : nothing;
  JobSpec spec;
  spec.parameters = definition->parameters;
  for (const auto& [key, value] : json::get_object(over, "parameters"))
    spec.parameters[std::string(key)] = json::text(value);
  const json::Value* needs = json::find(over, "consumableResourcePropertiesOverride");
  spec.consumables = needs == nullptr ? definition->consumables : read_consumables(needs);
  if (definition->kind == DefinitionKind::MultiNode) {
    const json::Value* nodes = json::find(over, "nodeOverrides");
    spec.nodes = TRY(plan_nodes(*json::find(*definition->document, "nodeProperties"),
                                nodes == nullptr ? nothing : *nodes, spec.parameters, spec.consumables));
    spec.container.resources = resources_of(*spec.nodes);
    spec.consumables = consumables_of(*spec.nodes);
  } else {
    const json::Value* container = json::find(over, "containerOverrides");
    spec.container = TRY(
        merge_container(definition->container, container == nullptr ? nothing : *container, spec.parameters));
  }
  spec.retry = read_retry(over).value_or(definition->retry);
  const bool timeout_given = json::find(over, "timeout") != nullptr;
  spec.timeout = timeout_given ? read_timeout(over) : definition->timeout;
  spec.scheduling_priority = static_cast<int>(
      json::get_int(over, "schedulingPriorityOverride", definition->scheduling_priority.value_or(0)));
  spec.share = json::get_string(over, "shareIdentifier");
  spec.propagate_tags = json::get_bool(over, "propagateTags", definition->propagate_tags);
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
  if (spec.nodes)
    TRY(check_plan(*spec.nodes));
  else
    TRY(check_amounts(read_requirements(*spec.container.properties), "containerOverrides",
                      spec.definition->fargate ? Platform::Fargate : Platform::Ec2));
  return spec;
}

}  // namespace stoker::core
