// Compute environments: create, update, delete, describe.
#include "aws/foreign_arns.h"
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kType = "compute-environment";

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend& backend) {
  return core::CreateComputeEnvironment{
      .name = std::string(json::get_string(input, "computeEnvironmentName")),
      .managed = json::get_string(input, "type") == "MANAGED",
      .enabled = read_enabled(input).value_or(true),
      .document = take_rest(input, {"computeEnvironmentName", "type", "state", "tags"}),
      .uuid = backend.new_uuid().str(),
      .tags = read_tags(input)};
}
json::Value name_and_arn(const Place& place, std::string_view name) {
  return json::Object{{"computeEnvironmentName", name},
                      {"computeEnvironmentArn", batch_arn(place, kType, name)}};
}
json::Value finish_create(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, json::get_string(input, "computeEnvironmentName"));
}

Result<std::string> name_of(const json::Value& input) {
  return name_in(json::get_string(input, "computeEnvironment"), kType);
}
Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  return core::UpdateComputeEnvironment{.name = TRY(name_of(input)),
                                        .enabled = read_enabled(input),
                                        .document = take_rest(input, {"computeEnvironment", "state"})};
}
json::Value finish_update(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, name_of(input).value_or(""));
}
Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteComputeEnvironment{.name = TRY(name_of(input))};
}
json::Value finish_delete(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

// Clients look for the cluster of an environment; it names the environment and is nothing more here.
std::string cluster_arn(const Place& place, const core::ComputeEnvironment& environment) {
  return "arn:aws:ecs:" + place.region + ':' + place.account + ":cluster/AWSBatch-" + environment.name + '-' +
         environment.uuid;
}

// INVALID: nothing is launched until its owner puts something right (aws-batch.md 7.1).
std::string_view complaint_of(const core::State& state, const std::string& environment) {
  const auto fleet = state.fleets.find(environment);
  return fleet == state.fleets.end() ? std::string_view{} : fleet->second.complaint;
}

// A budget that warns or stops does not make the environment INVALID.
std::string status_reason(const core::State& state, const std::string& environment) {
  const std::string_view complaint = complaint_of(state, environment);
  if (!complaint.empty()) return std::string(complaint);
  const auto fleet = state.fleets.find(environment);
  const bool warns = fleet != state.fleets.end() && !fleet->second.budget.text.empty();
  return "ComputeEnvironment Healthy" + (warns ? "; of its budget " + fleet->second.budget.text : "");
}

json::Value detail(const Place& place, const core::State& state,
                   const core::ComputeEnvironment& environment) {
  const json::Value& document = *environment.document;
  const bool kubernetes = json::find(document, "eksConfiguration") != nullptr;
  json::Object out{{"computeEnvironmentName", environment.name},
                   {"computeEnvironmentArn", batch_arn(place, kType, environment.name)}};
  copy_members(out, document, {"unmanagedvCpus"});
  if (!kubernetes) out["ecsClusterArn"] = cluster_arn(place, environment);
  out["tags"] = to_object(environment.tags);
  out["type"] = environment.managed ? "MANAGED" : "UNMANAGED";
  out["state"] = state_name(environment.enabled);
  out["status"] = complaint_of(state, environment.name).empty() ? "VALID" : "INVALID";
  out["statusReason"] = status_reason(state, environment.name);
  copy_members(out, document, {"computeResources", "serviceRole", "updatePolicy", "eksConfiguration"});
  out["containerOrchestrationType"] = kubernetes ? "EKS" : "ECS";
  out["uuid"] = environment.uuid;
  copy_members(out, document, {"context"});
  return out;
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const Page page = TRY(read_page(input, "environments"));
  const json::Array& wanted = json::get_array(input, "computeEnvironments");
  if (wanted.empty()) {
    return list_page(
        state.environments, page, "environments", "computeEnvironments",
        [&](const core::ComputeEnvironment& environment) { return detail(place, state, environment); });
  }
  if (wanted.size() > kPageMax)
    return fail(Code::InvalidArgument, "computeEnvironments can have at most 100 entries");
  json::Array found;
  Named named;
  for (const json::Value& text : wanted) {
    if (is_foreign(place, json::text(text))) continue;
    const auto name = name_in(json::text(text), kType);
    const auto it = name ? state.environments.find(*name) : state.environments.end();
    if (it != state.environments.end() && named.is_new(&it->second))
      found.push_back(detail(place, state, it->second));
  }
  return json::Object{{"computeEnvironments", std::move(found)}};
}

}  // namespace

void add_compute_environments(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchCreateComputeEnvironment] = {.prepare = prepare_create, .finish = finish_create};
  handlers[BatchUpdateComputeEnvironment] = {.prepare = prepare_update, .finish = finish_update};
  handlers[BatchDeleteComputeEnvironment] = {.prepare = prepare_delete, .finish = finish_delete};
  handlers[BatchDescribeComputeEnvironments] = {.read = describe};
}

}  // namespace stoker::aws
