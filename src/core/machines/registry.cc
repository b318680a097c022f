#include "core/machines/registry.h"

#include "core/machines/errors.h"

namespace stoker::core {

const StateMachine* MachineRegistry::find_machine(std::string_view name) const {
  const auto found = machine_names.find(name);
  return found == machine_names.end() ? nullptr : &machines.at(found->second);
}
StateMachine* MachineRegistry::find_machine(std::string_view name) {
  const auto found = machine_names.find(name);
  return found == machine_names.end() ? nullptr : &machines.at(found->second);
}
const Activity* MachineRegistry::find_activity(std::string_view name) const {
  const auto found = activity_names.find(name);
  return found == activity_names.end() ? nullptr : &activities.at(found->second);
}
Activity* MachineRegistry::find_activity(std::string_view name) {
  const auto found = activity_names.find(name);
  return found == activity_names.end() ? nullptr : &activities.at(found->second);
}

Result<const StateMachine*> MachineRegistry::machine_at(std::string_view arn) const {
  const StatesArn parsed = TRY(parse_states_arn(arn, ArnKind::StateMachine));
  const StateMachine* machine =
      parsed.qualifier.empty() && parsed.label.empty() ? find_machine(parsed.name) : nullptr;
  if (machine == nullptr) return machine_does_not_exist(arn);
  return machine;
}

Result<const Activity*> MachineRegistry::activity_at(std::string_view arn) const {
  const StatesArn parsed = TRY(parse_states_arn(arn, ArnKind::Activity));
  const Activity* activity = find_activity(parsed.name);
  if (activity == nullptr) return activity_does_not_exist(arn);
  return activity;
}

}  // namespace stoker::core
