// Tags of state machines and activities.
#include "aws/members.h"
#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

Result<core::Request> prepare_tag(const Place&, json::Value& input, Backend&) {
  return core::TagMachineResource{.arn = std::string(json::get_string(input, "resourceArn")),
                                  .tags = read_tag_list(input)};
}
Result<core::Request> prepare_untag(const Place&, json::Value& input, Backend&) {
  return core::UntagMachineResource{.arn = std::string(json::get_string(input, "resourceArn")),
                                    .keys = read_texts(input, "tagKeys")};
}

Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view text = json::get_string(input, "resourceArn");
  const core::StatesArn arn = TRY(core::parse_states_arn(text));
  const core::Tags* tags = nullptr;
  if (arn.kind == core::ArnKind::StateMachine && arn.qualifier.empty() && arn.label.empty()) {
    if (const auto* machine = state.machines.find_machine(arn.name)) tags = &machine->tags;
  } else if (arn.kind == core::ArnKind::Activity) {
    if (const auto* activity = state.machines.find_activity(arn.name)) tags = &activity->tags;
  }
  if (tags == nullptr) return core::resource_not_found(text);
  return json::Object{{"tags", tag_list(*tags)}};
}

}  // namespace

void add_states_tags(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesTagResource] = {.prepare = prepare_tag, .finish = nothing};
  handlers[StatesUntagResource] = {.prepare = prepare_untag, .finish = nothing};
  handlers[StatesListTagsForResource] = {.read = list};
}

}  // namespace stoker::aws
