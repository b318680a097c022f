#include "core/resources/environments.h"

#include <algorithm>

#include "base/text.h"
#include "core/resources/definition_rules.h"
#include "core/resources/limits.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::string_view kResources = "computeResources";
constexpr std::size_t kFargateSubnetsMax = 16;
constexpr std::size_t kFargateGroupsMax = 5;
constexpr std::size_t kImagesMax = 2;
constexpr std::size_t kTemplatesMax = 10;
constexpr std::int64_t kScaleDownDelayMaxMinutes = 10'080;

std::string of_resources(std::string_view name) {
  return member_of(kResources, name);
}

Result<void> check_fargate_resources(const json::Value& resources) {
  for (const auto member : kEc2Members)
    if (is_given(resources, member)) return refuse(of_resources(member), "not applicable for FARGATE.");
  for (const std::string_view member : {"subnets", "securityGroupIds"})
    if (!is_given(resources, member)) return refuse(of_resources(member), "is required");
  if (json::get_array(resources, "subnets").size() > kFargateSubnetsMax)
    return refuse(of_resources("subnets"), "must have at most 16 entries");
  if (json::get_array(resources, "securityGroupIds").size() > kFargateGroupsMax)
    return refuse(of_resources("securityGroupIds"), "must have at most 5 entries");
  return {};
}

Result<void> check_strategy(const json::Value& resources, bool kubernetes) {
  const bool spot = json::get_string(resources, "type") == "SPOT";
  const auto strategy =
      json::get_string(resources, "allocationStrategy", kubernetes ? "BEST_FIT_PROGRESSIVE" : "BEST_FIT");
  if (strategy.starts_with("SPOT_") && !spot)
    return refuse(of_resources("allocationStrategy"), std::string(strategy) + " is for type SPOT only");
  if (strategy == "BEST_FIT_PROGRESSIVE_ORDERED" && spot)
    return refuse(of_resources("allocationStrategy"), "BEST_FIT_PROGRESSIVE_ORDERED is for type EC2 only");
  if (strategy == "BEST_FIT" && kubernetes)
    return refuse(of_resources("allocationStrategy"), "BEST_FIT is not applicable for Kubernetes");
  if (strategy == "BEST_FIT" && spot && !is_given(resources, "spotIamFleetRole"))
    return refuse(of_resources("spotIamFleetRole"), "is required for type SPOT with BEST_FIT");
  if (!spot && is_given(resources, "bidPercentage"))
    return refuse(of_resources("bidPercentage"), "is for type SPOT only");
  return check_range(resources, "bidPercentage", kResources, 1, 100);
}

Result<void> check_template(const json::Value& named, const std::string& place) {
  if (is_given(named, "launchTemplateId") && is_given(named, "launchTemplateName"))
    return refuse(place, "must have only one of launchTemplateId and launchTemplateName");
  if (!is_given(named, "launchTemplateId") && !is_given(named, "launchTemplateName"))
    return refuse(place, "must have launchTemplateId or launchTemplateName");
  return {};
}

Result<void> check_launch_template(const json::Value& resources) {
  const json::Value* named = json::find(resources, "launchTemplate");
  if (named == nullptr || named->is_object() == false || named->get_object().empty()) return {};
  const std::string place = of_resources("launchTemplate");
  const auto& overrides = json::get_array(*named, "overrides");
  if (overrides.empty()) return check_template(*named, place);
  if (overrides.size() > kTemplatesMax)
    return refuse(member_of(place, "overrides"), "must have at most 10 entries");
  std::vector<std::string_view> targets;
  std::size_t index = 0;
  for (const auto& over : overrides) {
    const std::string at = item_of(member_of(place, "overrides"), index++);
    TRY(check_template(over, at));
    for (const auto& target : json::get_array(over, "targetInstanceTypes")) {
      const auto type = json::text(target);
      if (type == "optimal" || type.starts_with("default_"))
        return refuse(member_of(at, "targetInstanceTypes"), "must name instance types or families");
      if (std::find(targets.begin(), targets.end(), type) != targets.end())
        return refuse(member_of(at, "targetInstanceTypes"), std::string(type) + " is named twice");
      targets.push_back(type);
    }
  }
  return {};
}

Result<void> check_vcpus(const json::Value& resources) {
  for (const std::string_view member : {"minvCpus", "desiredvCpus"})
    TRY(check_range(resources, member, kResources, 0, INT32_MAX));
  const auto most = json::get_int(resources, "maxvCpus");
  const auto least = json::get_int(resources, "minvCpus");
  const auto desired = json::get_int(resources, "desiredvCpus", least);
  if (least > most) return refuse(of_resources("minvCpus"), "must not be above maxvCpus");
  if (desired < least || desired > most)
    return refuse(of_resources("desiredvCpus"), "must be between minvCpus and maxvCpus");
  return {};
}

// 1 to 19 minutes are ours: Amazon allows 0 or at least 20.
Result<void> check_scaling_policy(const json::Value& resources) {
  const json::Value* policy = json::find(resources, "scalingPolicy");
  if (policy == nullptr) return {};
  return check_range(*policy, "minScaleDownDelayMinutes", of_resources("scalingPolicy"), 0,
                     kScaleDownDelayMaxMinutes);
}

Result<void> check_ec2_resources(const json::Value& resources, bool kubernetes) {
  for (const std::string_view member : {"subnets", "instanceTypes", "instanceRole"})
    if (!is_given(resources, member)) return refuse(of_resources(member), "is required");
  if (!is_given(resources, "securityGroupIds") && !is_given(resources, "launchTemplate"))
    return refuse(of_resources("securityGroupIds"), "is required, here or in a launch template");
  if (json::get_array(resources, "ec2Configuration").size() > kImagesMax)
    return refuse(of_resources("ec2Configuration"), "must have at most 2 entries");
  TRY(check_strategy(resources, kubernetes));
  TRY(check_vcpus(resources));
  TRY(check_scaling_policy(resources));
  return check_launch_template(resources);
}

Result<void> check_kubernetes(const json::Value& eks, bool fargate) {
  if (fargate) return refuse("eksConfiguration", "is not applicable for Fargate compute environments");
  if (!is_given(eks, "eksClusterArn")) return refuse("eksConfiguration.eksClusterArn", "is required");
  if (!is_kubernetes_namespace(json::get_string(eks, "kubernetesNamespace")))
    return refuse("eksConfiguration.kubernetesNamespace", kNamespaceRule);
  return {};
}

Result<void> check_unmanaged(const json::Value& document) {
  if (is_given(document, kResources))
    return refuse(kResources, "is given only for managed compute environments");
  if (is_given(document, "eksConfiguration"))
    return refuse("eksConfiguration", "is given only for managed compute environments");
  return check_range(document, "unmanagedvCpus", "", 0, INT32_MAX);
}

json::Value stored_document(const json::Value& request) {
  json::Value document = request.is_object() ? request : json::Value(json::Object{});
  for (const std::string_view member : {"computeEnvironmentName", "type", "state", "tags"})
    document.get_object().stable_erase(member);
  return document;
}

const JobQueue* queue_that_uses(const State& state, const std::string& environment) {
  for (const auto& [no, queue] : state.queues)
    if (!queue.deleted && std::find(queue.environments.begin(), queue.environments.end(), environment) !=
                              queue.environments.end())
      return &queue;
  return nullptr;
}

}  // namespace

bool ComputeEnvironment::fargate() const {
  const json::Value* resources = json::find(*document, kResources);
  return resources != nullptr && is_fargate_type(json::get_string(*resources, "type"));
}

Result<void> check_environment_document(bool managed, const json::Value& document) {
  TRY(check_no_nul(document, ""));
  if (!managed) return check_unmanaged(document);
  if (json::find(document, "unmanagedvCpus") != nullptr)
    return refuse("unmanagedvCpus", "is given only for unmanaged compute environments");
  const json::Value* resources = json::find(document, kResources);
  if (resources == nullptr) return refuse(kResources, "is required for managed compute environments");
  TRY(check_one_of(*resources, "type", kResources, {"EC2", "SPOT", "FARGATE", "FARGATE_SPOT"}));
  if (!is_given(*resources, "type")) return refuse(of_resources("type"), "is required");
  if (json::find(*resources, "maxvCpus") == nullptr) return refuse(of_resources("maxvCpus"), "is required");
  TRY(check_range(*resources, "maxvCpus", kResources, 0, INT32_MAX));
  const bool fargate = is_fargate_type(json::get_string(*resources, "type"));
  const json::Value* eks = json::find(document, "eksConfiguration");
  if (eks != nullptr) TRY(check_kubernetes(*eks, fargate));
  return fargate ? check_fargate_resources(*resources) : check_ec2_resources(*resources, eks != nullptr);
}

Result<Answer> create_compute_environment(World& world, Instant now,
                                          const CreateComputeEnvironment& request) {
  TRY(check_name("Compute environment name", request.name));
  auto& environments = world.state.environments;
  if (environments.contains(request.name))
    return fail(Code::AlreadyExists, "Object already exists: compute environment " + request.name);
  if (environments.size() >= kEnvironmentsMax)
    return fail(Code::LimitExceeded, "There are too many compute environments");
  json::Value document = stored_document(request.document ? *request.document : json::Value());
  TRY(check_environment_document(request.managed, document));
  TRY(check_tags(ResourceKind::ComputeEnvironment, request.tags));

  ComputeEnvironment environment;
  environment.name = request.name;
  environment.managed = request.managed;
  environment.enabled = request.enabled;
  environment.document = std::make_shared<const json::Value>(std::move(document));
  environment.uuid = request.uuid;
  environment.tags = request.tags;
  environment.created_at = now;
  environments.emplace(request.name, std::move(environment));
  world.changes.document(DocumentKind::ComputeEnvironment, request.name);
  world.pass_due = true;
  return Done{};
}

Result<Answer> update_compute_environment(World& world, Instant, const UpdateComputeEnvironment& request) {
  const auto found = world.state.environments.find(request.name);
  if (found == world.state.environments.end())
    return fail(Code::NotFound, "Compute environment " + request.name + " does not exist");
  ComputeEnvironment& environment = found->second;
  if (request.document && request.document->is_object() && !request.document->get_object().empty()) {
    json::Value merged = TRY(updated_environment(environment, *request.document));
    environment.document = std::make_shared<const json::Value>(std::move(merged));
  }
  environment.enabled = request.enabled.value_or(environment.enabled);
  world.changes.document(DocumentKind::ComputeEnvironment, request.name);
  world.pass_due = true;
  return Done{};
}

Result<Answer> delete_compute_environment(World& world, Instant, const DeleteComputeEnvironment& request) {
  const auto found = world.state.environments.find(request.name);
  if (found == world.state.environments.end())
    return fail(Code::NotFound, "Compute environment " + request.name + " does not exist");
  if (found->second.enabled)
    return fail(Code::Conflict,
                "Cannot delete, compute environment " + request.name + " must be DISABLED first");
  if (const JobQueue* queue = queue_that_uses(world.state, request.name))
    return fail(Code::Conflict, "Cannot delete, found existing JobQueue relationship: " + queue->name);
  world.state.environments.erase(found);
  world.changes.removed_document(DocumentKind::ComputeEnvironment, request.name);
  world.pass_due = true;
  return Done{};
}

}  // namespace stoker::core
