// Scheduling policies: addressed by ARN only.
#include "aws/foreign_arns.h"
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kType = "scheduling-policy";
constexpr std::size_t kArnsMax = 100;

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  return core::CreateSchedulingPolicy{.name = std::string(json::get_string(input, "name")),
                                      .document = take_rest(input, {"name", "tags"}),
                                      .tags = read_tags(input)};
}
json::Value finish_create(const Place& place, const json::Value& input, const core::Answer&) {
  const std::string_view name = json::get_string(input, "name");
  return json::Object{{"name", name}, {"arn", batch_arn(place, kType, name)}};
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  return core::UpdateSchedulingPolicy{.name = TRY(name_in_arn(json::get_string(input, "arn"), kType)),
                                      .document = take_rest(input, {"arn"})};
}
Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteSchedulingPolicy{.name = TRY(name_in_arn(json::get_string(input, "arn"), kType))};
}
json::Value finish_empty(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  json::Array found;
  Named named;
  const json::Array& arns = json::get_array(input, "arns");
  if (arns.size() > kArnsMax) return fail(Code::InvalidArgument, "arns can have at most 100 entries");
  for (const json::Value& arn : arns) {
    if (is_foreign(place, json::text(arn))) continue;
    const auto name = name_in_arn(json::text(arn), kType);
    const auto policy = name ? state.policies.find(*name) : state.policies.end();
    if (policy == state.policies.end() || !named.is_new(&policy->second)) continue;
    json::Object out{{"name", policy->first}, {"arn", batch_arn(place, kType, policy->first)}};
    copy_members(out, *policy->second.document, {"quotaSharePolicy", "fairsharePolicy"});
    out["tags"] = to_object(policy->second.tags);
    found.push_back(std::move(out));
  }
  return json::Object{{"schedulingPolicies", std::move(found)}};
}

Result<json::Value> list(const Place& place, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_page(input, "policies"));
  return list_page(state.policies, page, "policies", "schedulingPolicies",
                   [&](const core::SchedulingPolicy& policy) {
                     return json::Object{{"arn", batch_arn(place, kType, policy.name)}};
                   });
}

}  // namespace

void add_scheduling_policies(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchCreateSchedulingPolicy] = {.prepare = prepare_create, .finish = finish_create};
  handlers[BatchUpdateSchedulingPolicy] = {.prepare = prepare_update, .finish = finish_empty};
  handlers[BatchDeleteSchedulingPolicy] = {.prepare = prepare_delete, .finish = finish_empty};
  handlers[BatchDescribeSchedulingPolicies] = {.read = describe};
  handlers[BatchListSchedulingPolicies] = {.read = list};
}

}  // namespace stoker::aws
