// Tags of state machines and activities; versions, aliases and executions have none.
#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"
#include "core/resources/own_tags.h"

namespace stoker::core {
namespace {

// Changes the tags of what the ARN names, checks the outcome and notes it; on failure nothing is changed.
template <class Change>
Result<Answer> change_tags(World& world, const std::string& text, Change change) {
  MachineRegistry& registry = world.state.machines;
  const StatesArn arn = TRY(parse_states_arn(text));
  const bool plain = arn.qualifier.empty() && arn.label.empty();
  StateMachine* machine =
      arn.kind == ArnKind::StateMachine && plain ? registry.find_machine(arn.name) : nullptr;
  Activity* activity = arn.kind == ArnKind::Activity ? registry.find_activity(arn.name) : nullptr;
  if (machine == nullptr && activity == nullptr) return resource_not_found(text);
  Tags& tags = machine != nullptr ? machine->tags : activity->tags;
  Tags changed = tags;
  change(changed);
  if (changed.size() > kMachineTagsMax) return too_many_tags(text);
  tags = std::move(changed);
  if (machine != nullptr) note_machine(world, *machine);
  if (activity != nullptr) note_activity(world, *activity);
  return Done{};
}

Result<void> check_own(const Tags& tags) {
  const std::string fault = fault_in_own_tags(std::nullopt, tags);
  if (!fault.empty()) return states_validation(fault);
  return {};
}

}  // namespace

Result<void> check_machine_tags(const std::string& arn, const Tags& tags) {
  if (tags.size() > kMachineTagsMax) return too_many_tags(arn);
  return check_own(tags);
}

Result<Answer> tag_machine_resource(World& world, Instant, const TagMachineResource& request) {
  TRY(check_own(request.tags));
  return change_tags(world, request.arn, [&](Tags& tags) {
    for (const auto& [key, value] : request.tags) tags[key] = value;
  });
}

Result<Answer> untag_machine_resource(World& world, Instant, const UntagMachineResource& request) {
  return change_tags(world, request.arn, [&](Tags& tags) {
    for (const std::string& key : request.keys) tags.erase(key);
  });
}

}  // namespace stoker::core
