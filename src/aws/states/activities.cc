// Activities: create, delete, describe, list.
#include "aws/states/frame.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kList = "activities";

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  return core::CreateActivity{.name = std::string(json::get_string(input, "name")),
                              .encryption = take_document(input, "encryptionConfiguration"),
                              .tags = read_tag_list(input)};
}
json::Value finish_create(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& made = std::get<core::ArnCreated>(answer);
  return json::Object{{"activityArn", made.arn}, {"creationDate", wire_time(made.at)}};
}

Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteActivity{.arn = std::string(json::get_string(input, "activityArn"))};
}

json::Object entry(const core::State& state, const core::Activity& activity) {
  return json::Object{{"activityArn", core::activity_arn(state.machines.place, activity.name)},
                      {"name", activity.name},
                      {"creationDate", wire_time(activity.created_at)}};
}

Result<json::Value> describe(const Place&, const json::Value& input, const core::State& state, Instant) {
  const core::Activity* activity = TRY(state.machines.activity_at(json::get_string(input, "activityArn")));
  json::Object out = entry(state, *activity);
  out["encryptionConfiguration"] = *activity->encryption;
  return out;
}

Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_states_page(input, kList));
  return list_numbered(state.machines.activities, page, kList, "activities",
                       [&](const core::Activity& activity) { return entry(state, activity); });
}

}  // namespace

void add_activities(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesCreateActivity] = {.prepare = prepare_create, .finish = finish_create};
  handlers[StatesDeleteActivity] = {.prepare = prepare_delete, .finish = nothing};
  handlers[StatesDescribeActivity] = {.read = describe};
  handlers[StatesListActivities] = {.read = list};
}

}  // namespace stoker::aws
