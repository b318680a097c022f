// CreateActivity, DeleteActivity.
#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"

namespace stoker::core {

void note_activity(World& world, const Activity& activity) {
  world.changes.document(DocumentKind::Activity, std::to_string(activity.no.value));
}

Result<Answer> create_activity(World& world, Instant now, const CreateActivity& request) {
  MachineRegistry& registry = world.state.machines;
  TRY(check_states_name(request.name));
  const std::string arn = activity_arn(registry.place, request.name);
  json::Shared encryption = TRY(complete_encryption(request.encryption));
  if (const Activity* known = registry.find_activity(request.name)) {
    if (*known->encryption != *encryption) return activity_already_exists(arn);
    return ArnCreated{.arn = arn, .at = known->created_at, .version_arn = {}};
  }
  if (registry.activities.size() >= kActivitiesMax)
    return states_error(Code::LimitExceeded, "ActivityLimitExceeded",
                        "Activity Limit Exceeded: '" + std::to_string(kActivitiesMax) + "'");
  TRY(check_machine_tags(arn, request.tags));
  const ActivityNo number{registry.next_activity++};
  registry.activity_names.emplace(request.name, number);
  const Activity& activity = registry.activities[number] = {.no = number,
                                                            .name = request.name,
                                                            .created_at = now,
                                                            .encryption = std::move(encryption),
                                                            .tags = request.tags};
  note_activity(world, activity);
  return ArnCreated{.arn = arn, .at = now, .version_arn = {}};
}

Result<Answer> delete_activity(World& world, Instant, const DeleteActivity& request) {
  MachineRegistry& registry = world.state.machines;
  const StatesArn arn = TRY(parse_states_arn(request.arn, ArnKind::Activity));
  const auto name = registry.activity_names.find(arn.name);
  if (name == registry.activity_names.end()) return Done{};  // what is not there is no error
  world.changes.removed_document(DocumentKind::Activity, std::to_string(name->second.value));
  registry.activities.erase(name->second);
  registry.activity_names.erase(name);
  return Done{};
}

}  // namespace stoker::core
