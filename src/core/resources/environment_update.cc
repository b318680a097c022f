// How an update changes a compute environment (aws-batch.md 7.7; AWS Batch API, ComputeResourceUpdate).
#include <algorithm>
#include <array>

#include "core/resources/environments.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::string_view kResources = "computeResources";
constexpr std::int64_t kExecutionTimeoutMaxMinutes = 7200;

// Changing these replaces the instances, which the strategy BEST_FIT does not do.
constexpr std::array<std::string_view, 13> kInfrastructure = {"allocationStrategy",
                                                              "bidPercentage",
                                                              "ec2Configuration",
                                                              "ec2KeyPair",
                                                              "imageId",
                                                              "instanceRole",
                                                              "instanceTypes",
                                                              "launchTemplate",
                                                              "placementGroup",
                                                              "securityGroupIds",
                                                              "subnets",
                                                              "tags",
                                                              "type"};
constexpr std::array<std::string_view, 4> kScaling = {"minvCpus", "maxvCpus", "desiredvCpus",
                                                      "scalingPolicy"};

bool is_empty(const json::Value& value) {
  return (value.is_array() && value.get_array().empty()) ||
         (value.is_string() && value.get_string().empty()) ||
         (value.is_object() && value.get_object().empty());
}

// An empty list, text or map takes the member away.
void set_or_clear(json::Object& target, std::string_view member, const json::Value& value) {
  if (is_empty(value)) {
    target.stable_erase(member);
  } else {
    target[member] = value;
  }
}

// Members that the update leaves out stay. Without overrides there are none afterwards; an empty id or name
// clears.
json::Value merged_template(const json::Value& old, const json::Value& update) {
  json::Object merged = old.is_object() ? old.get_object() : json::Object{};
  merged.stable_erase("overrides");
  // One of id and name names the template: giving one replaces the other.
  if (is_given(update, "launchTemplateId")) merged.stable_erase("launchTemplateName");
  if (is_given(update, "launchTemplateName")) merged.stable_erase("launchTemplateId");
  for (const auto& [key, value] : update.get_object())
    if (!value.is_null()) set_or_clear(merged, {key.data(), key.size()}, value);
  if (!merged.contains("launchTemplateId") && !merged.contains("launchTemplateName") &&
      !merged.contains("overrides"))
    merged.clear();
  return merged;
}

void merge_ec2(json::Object& resources, const json::Value& update) {
  for (const auto member : kScaling)
    if (const json::Value* value = json::find(update, member)) set_or_clear(resources, member, *value);
  for (const auto member : kInfrastructure) {
    const json::Value* value = json::find(update, member);
    if (value == nullptr) continue;
    if (member == "launchTemplate" && value->is_object()) {
      const json::Value* old = resources.if_contains(member);
      set_or_clear(resources, member, merged_template(old == nullptr ? json::Value() : *old, *value));
    } else {
      set_or_clear(resources, member, *value);
    }
  }
}

// There an empty list means "as it is".
void merge_fargate(json::Object& resources, const json::Value& update) {
  for (const std::string_view member : {"maxvCpus", "subnets", "securityGroupIds", "type"})
    if (const json::Value* value = json::find(update, member); value != nullptr && !is_empty(*value))
      resources[member] = *value;
}

Result<void> check_type_change(const json::Value& resources, const json::Value& update) {
  const auto before = json::get_string(resources, "type");
  const auto after = json::get_string(update, "type", before);
  if (is_fargate_type(before) == is_fargate_type(after)) return {};
  return refuse("computeResources.type", "a compute environment cannot change between EC2 and Fargate");
}

// AWS: "Needs the service-linked role and a strategy other than BEST_FIT". Roles mean nothing here.
Result<void> check_infrastructure(const json::Value& document, const json::Value& resources,
                                  const json::Value& update) {
  const bool kubernetes = json::find(document, "eksConfiguration") != nullptr;
  const auto strategy =
      json::get_string(resources, "allocationStrategy", kubernetes ? "BEST_FIT_PROGRESSIVE" : "BEST_FIT");
  if (strategy != "BEST_FIT") return {};
  for (const auto member : kInfrastructure) {
    const json::Value* value = json::find(update, member);
    if (value == nullptr) continue;
    const json::Value* old = json::find(resources, member);
    if (old != nullptr ? *old == *value : is_empty(*value)) continue;  // says what is so already
    return refuse(
        member_of(kResources, member),
        "cannot be changed: compute environments with the allocation strategy BEST_FIT do not support "
        "infrastructure updates");
  }
  return {};
}

Result<void> check_desired(const json::Value& document, const json::Value& resources,
                           const json::Value& update) {
  const json::Value* desired = json::find(update, "desiredvCpus");
  if (desired == nullptr) return {};
  if (json::find(document, "eksConfiguration") != nullptr)
    return refuse("computeResources.desiredvCpus", "is not applicable for Kubernetes");
  const auto current = json::get_int(resources, "desiredvCpus", json::get_int(resources, "minvCpus"));
  if (json::get_int(update, "desiredvCpus") < current)
    return fail(
        Code::InvalidArgument,
        "Manually scaling down compute environment is not supported. Disconnecting job queues from compute "
        "environment will cause it to scale-down to minvCpus");
  return {};
}

// minvCpus above, or maxvCpus below, what was desired moves it along.
void keep_desired_between(json::Object& resources) {
  const json::Value* desired = resources.if_contains("desiredvCpus");
  if (desired == nullptr || !desired->is_int64()) return;
  const json::Value holder = resources;
  const auto least = json::get_int(holder, "minvCpus");
  const auto most = json::get_int(holder, "maxvCpus");
  if (least <= most) resources["desiredvCpus"] = std::clamp(desired->get_int64(), least, most);
}

Result<void> merge_resources(json::Object& document, const json::Value& before, const json::Value& update) {
  const json::Value* old = json::find(before, kResources);
  if (old == nullptr) return refuse(kResources, "is given only for managed compute environments");
  TRY(check_type_change(*old, update));
  json::Object& resources = document[kResources].as_object();
  if (is_fargate_type(json::get_string(*old, "type"))) {
    for (const auto member : kEc2Members)
      if (is_given(update, member))
        return refuse(member_of(kResources, member), "not applicable for FARGATE.");
    merge_fargate(resources, update);
    return {};
  }
  TRY(check_infrastructure(before, *old, update));
  TRY(check_desired(before, *old, update));
  merge_ec2(resources, update);
  if (json::find(update, "desiredvCpus") == nullptr) keep_desired_between(resources);
  return {};
}

}  // namespace

Result<json::Value> updated_environment(const ComputeEnvironment& environment, const json::Value& update) {
  const json::Value& before = *environment.document;
  json::Value after = before;
  json::Object& document = after.as_object();
  if (const json::Value* resources = json::find(update, kResources))
    TRY(merge_resources(document, before, *resources));
  if (const json::Value* vcpus = json::find(update, "unmanagedvCpus")) document["unmanagedvCpus"] = *vcpus;
  for (const std::string_view member : {"serviceRole", "context"})
    if (const json::Value* value = json::find(update, member)) set_or_clear(document, member, *value);
  if (const json::Value* policy = json::find(update, "updatePolicy")) {
    if (!environment.managed) return refuse("updatePolicy", "is given only for managed compute environments");
    TRY(check_range(*policy, "jobExecutionTimeoutMinutes", "updatePolicy", 1, kExecutionTimeoutMaxMinutes));
    document["updatePolicy"] = *policy;
  }
  TRY(check_environment_document(environment.managed, after));
  return after;
}

}  // namespace stoker::core
