// What workers do: take tasks of activities, and report on tasks by their tokens.
#include "aws/states/frame.h"

namespace stoker::aws {
namespace {

std::optional<std::string> text_member(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  if (value == nullptr) return std::nullopt;
  return std::string(json::text(*value));
}
std::string token_in(const json::Value& input) {
  return std::string(json::get_string(input, "taskToken"));
}

Result<core::Request> prepare_get(const Place&, json::Value& input, Backend&) {
  return core::GetActivityTask{.arn = std::string(json::get_string(input, "activityArn")),
                               .worker = text_member(input, "workerName")};
}
json::Value finish_get(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& given = std::get<core::ActivityTaskGiven>(answer);
  if (given.token.empty()) return json::Object{};  // nothing came within the time of a poll
  return json::Object{{"taskToken", given.token}, {"input", given.input}};
}

Result<core::Request> prepare_success(const Place&, json::Value& input, Backend&) {
  return core::SendTaskSuccess{.token = token_in(input),
                               .output = std::string(json::get_string(input, "output"))};
}
Result<core::Request> prepare_failure(const Place&, json::Value& input, Backend&) {
  return core::SendTaskFailure{
      .token = token_in(input), .error = text_member(input, "error"), .cause = text_member(input, "cause")};
}
Result<core::Request> prepare_heartbeat(const Place&, json::Value& input, Backend&) {
  return core::SendTaskHeartbeat{.token = token_in(input)};
}

}  // namespace

void add_tasks(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesGetActivityTask] = {.prepare = prepare_get, .finish = finish_get};
  handlers[StatesSendTaskSuccess] = {.prepare = prepare_success, .finish = nothing};
  handlers[StatesSendTaskFailure] = {.prepare = prepare_failure, .finish = nothing};
  handlers[StatesSendTaskHeartbeat] = {.prepare = prepare_heartbeat, .finish = nothing};
}

}  // namespace stoker::aws
