// PublishStateMachineVersion, DeleteStateMachineVersion.
#include "base/text.h"
#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"

namespace stoker::core {
namespace {

// How the API calls the revision of a machine that was never updated.
constexpr std::string_view kInitial = "INITIAL";

std::string_view revision_name(const MachineRevision& revision) {
  return revision.id.empty() ? kInitial : std::string_view(revision.id);
}

std::vector<std::string> aliases_of(const StateMachine& machine, int version) {
  std::vector<std::string> out;
  for (const auto& [name, alias] : machine.aliases)
    if (std::ranges::find(alias.routes, version, &MachineRoute::version) != alias.routes.end())
      out.push_back(name);
  return out;
}

}  // namespace

Result<int> publish(World& world, StateMachine& machine, const std::string& description, Instant now) {
  if (!machine.versions.empty()) {
    const auto& [number, newest] = *machine.versions.rbegin();
    if (newest.revision == machine.revision) return number;
  }
  if (machine.versions.size() >= kVersionsMax)
    return quota_exceeded("A state machine can have at most " + std::to_string(kVersionsMax) + " versions");
  const int number = ++machine.last_version;
  machine.versions[number] = {.revision = machine.revision, .description = description, .created_at = now};
  use_revision(world, machine.revision);
  note_machine(world, machine);
  return number;
}

Result<Answer> publish_version(World& world, Instant now, const PublishStateMachineVersion& request) {
  MachineRegistry& registry = world.state.machines;
  const StateMachine* found = TRY(registry.machine_at(request.arn));
  if (found->deleting) return machine_is_deleting(request.arn);
  const std::string_view current = revision_name(*found->revision);
  if (!request.revision_id.empty() && request.revision_id != current)
    return states_conflict("Failed to publish the State Machine version for revision " + request.revision_id +
                           ". The current State Machine revision is " + std::string(current) + ".");
  StateMachine& machine = *registry.find_machine(found->name);
  const int number = TRY(publish(world, machine, request.description, now));
  return ArnCreated{.arn = version_arn(registry.place, machine.name, number),
                    .at = machine.versions.at(number).created_at,
                    .version_arn = {}};
}

Result<Answer> delete_version(World& world, Instant, const DeleteStateMachineVersion& request) {
  const StatesArn arn = TRY(parse_states_arn(request.arn, ArnKind::StateMachine));
  const auto number = arn.version();
  if (!number) return invalid_arn("Invalid ARN prefix: " + request.arn);
  StateMachine* machine = world.state.machines.find_machine(arn.name);
  if (machine == nullptr) return Done{};  // what is not there is no error
  const auto version = machine->versions.find(*number);
  if (version == machine->versions.end()) return Done{};
  if (const auto aliases = aliases_of(*machine, *number); !aliases.empty())
    return states_conflict(
        "Version to be deleted must not be referenced by an alias. Current list of aliases referencing this "
        "version: [" +
        join(aliases, ", ") + "]");
  release_revision(world, version->second.revision);
  machine->versions.erase(version);
  note_machine(world, *machine);
  return Done{};
}

}  // namespace stoker::core
