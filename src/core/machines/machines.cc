// CreateStateMachine, UpdateStateMachine, DeleteStateMachine.
#include "base/assert.h"
#include "core/machines/definition_text.h"
#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"

namespace stoker::core {
namespace {

constexpr std::string_view kPublishMissing = "Version description can only be set when publish is true";
constexpr std::string_view kNothingToUpdate =
    "Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be "
    "specified";

json::Shared share(json::Value value) {
  return std::make_shared<const json::Value>(std::move(value));
}

std::unexpected<Error> invalid_logging(std::string_view why) {
  return states_error(Code::InvalidArgument, "InvalidLoggingConfiguration",
                      "Invalid Logging Configuration: " + std::string(why));
}

// loggingConfiguration as Describe shows it. Where the lines go to is not checked: nothing is sent there.
Result<json::Shared> complete_logging(const json::Shared& given) {
  const json::Value sent = given ? *given : json::Value(json::Object{});
  const std::string_view level = json::get_string(sent, "level", "OFF");
  const json::Array& destinations = json::get_array(sent, "destinations");
  const bool logs = level != "OFF";
  if (destinations.size() > 1 || (logs && destinations.empty()))
    return invalid_logging("Must specify exactly one Log Destination.");
  json::Object out{{"level", level}, {"includeExecutionData", json::get_bool(sent, "includeExecutionData")}};
  if (!destinations.empty()) out["destinations"] = destinations;
  return share(std::move(out));
}

json::Shared complete_tracing(const json::Shared& given) {
  return share(json::Object{{"enabled", given && json::get_bool(*given, "enabled")}});
}

// The revision that a request makes, but for its number.
Result<MachineRevision> first_revision(const CreateStateMachine& request) {
  MachineRevision out;
  out.machine = request.name;
  out.express = request.express;
  out.definition = request.definition;
  out.role_arn = request.role_arn;
  out.logging = TRY(complete_logging(request.logging));
  out.tracing = complete_tracing(request.tracing);
  out.encryption = TRY(complete_encryption(request.encryption));
  out.parsed = TRY(read_machine_definition(request.definition, request.express));
  return out;
}

bool same_but_for_role(const MachineRevision& a, const MachineRevision& b) {
  return a.definition == b.definition && a.express == b.express && *a.logging == *b.logging &&
         *a.tracing == *b.tracing && *a.encryption == *b.encryption;
}

// A CreateStateMachine that comes again is answered as the first one was.
bool repeats(const CreateStateMachine& request, const MachineRevision& wanted, const StateMachine& machine) {
  return same_but_for_role(wanted, *machine.revision) && request.publish == machine.published_at_creation &&
         request.version_description == machine.description_at_creation;
}

ArnCreated creation_of(const World& world, const StateMachine& machine) {
  const Place& place = world.state.machines.place;
  ArnCreated out{.arn = machine_arn(place, machine.name), .at = machine.created_at, .version_arn = {}};
  if (machine.published_at_creation) out.version_arn = version_arn(place, machine.name, 1);
  return out;
}

RevisionRef add_revision(World& world, MachineRevision revision, Instant now) {
  revision.no = RevisionNo{world.state.machines.next_revision++};
  revision.updated_at = now;
  auto shared = std::make_shared<const MachineRevision>(std::move(revision));
  use_revision(world, shared);
  return shared;
}

}  // namespace

Result<void> check_states_name(std::string_view name) {
  constexpr std::string_view kForbidden = " \t\n\r<>{}[]?*\"#%\\^|~`$&,;:/";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(name[i]);
    const auto next = i + 1 < name.size() ? static_cast<std::uint8_t>(name[i + 1]) : 0;
    const bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next <= 0x9f);
    if (control || kForbidden.find(name[i]) != std::string_view::npos) return invalid_name(name);
  }
  if (name.empty() || name.find("\xef\xbf\xbe") != std::string_view::npos ||
      name.find("\xef\xbf\xbf") != std::string_view::npos)
    return invalid_name(name);  // U+FFFE and U+FFFF
  return {};
}

Result<json::Shared> complete_encryption(const json::Shared& given) {
  const std::string_view type = given ? json::get_string(*given, "type") : "";
  if (type.empty() || type == "AWS_OWNED_KEY") return share(json::Object{{"type", "AWS_OWNED_KEY"}});
  if (json::get_string(*given, "kmsKeyId").empty())
    return states_error(Code::InvalidArgument, "InvalidEncryptionConfiguration",
                        "Invalid Encryption Configuration: a customer managed key needs its kmsKeyId");
  return given;
}

void note_machine(World& world, const StateMachine& machine) {
  world.changes.document(DocumentKind::StateMachine, std::to_string(machine.no.value));
}

void use_revision(World& world, const RevisionRef& revision) {
  auto& kept = world.state.machines.revisions[revision->no];
  if (kept.uses++ == 0) {
    kept.revision = revision;
    world.changes.document(DocumentKind::MachineRevision, std::to_string(revision->no.value));
  }
}

void release_revision(World& world, const RevisionRef& revision) {
  auto& revisions = world.state.machines.revisions;
  const auto kept = revisions.find(revision->no);
  ASSERT(kept != revisions.end() && kept->second.uses > 0, "a revision that nobody uses is released");
  if (--kept->second.uses > 0) return;
  world.changes.removed_document(DocumentKind::MachineRevision, std::to_string(revision->no.value));
  revisions.erase(kept);
}

void forget_machine(World& world, StateMachine& machine) {
  MachineRegistry& registry = world.state.machines;
  for (const auto& [number, version] : machine.versions) release_revision(world, version.revision);
  release_revision(world, machine.revision);
  world.changes.removed_document(DocumentKind::StateMachine, std::to_string(machine.no.value));
  registry.machine_names.erase(registry.machine_names.find(machine.name));
  const MachineNo number = machine.no;
  registry.machines.erase(number);
}

Result<Answer> create_state_machine(World& world, Instant now, const CreateStateMachine& request) {
  MachineRegistry& registry = world.state.machines;
  TRY(check_states_name(request.name));
  if (!request.publish && !request.version_description.empty())
    return states_validation(std::string(kPublishMissing));
  MachineRevision revision = TRY(first_revision(request));
  if (const StateMachine* known = registry.find_machine(request.name)) {
    const std::string arn = machine_arn(registry.place, known->name);
    if (known->deleting) return machine_is_deleting(arn);
    if (!repeats(request, revision, *known)) return machine_already_exists(arn);
    return creation_of(world, *known);
  }
  const std::string arn = machine_arn(registry.place, request.name);
  if (registry.machines.size() >= kMachinesMax)
    return states_error(Code::LimitExceeded, "StateMachineLimitExceeded",
                        "State Machine Limit Exceeded: '" + std::to_string(kMachinesMax) + "'");
  TRY(check_machine_tags(arn, request.tags));

  const MachineNo number{registry.next_machine++};
  registry.machine_names.emplace(request.name, number);
  StateMachine& machine = registry.machines[number];
  machine.no = number;
  machine.name = request.name;
  machine.revision = add_revision(world, std::move(revision), now);
  machine.created_at = now;
  machine.tags = request.tags;
  machine.published_at_creation = request.publish;
  machine.description_at_creation = request.version_description;
  if (request.publish) TRY(publish(world, machine, request.version_description, now));
  note_machine(world, machine);
  return creation_of(world, machine);
}

Result<Answer> update_state_machine(World& world, Instant now, const UpdateStateMachine& request) {
  MachineRegistry& registry = world.state.machines;
  const StateMachine* found = TRY(registry.machine_at(request.arn));
  if (found->deleting) return machine_is_deleting(request.arn);
  if (!request.definition && !request.role_arn && !request.logging && !request.tracing && !request.encryption)
    return states_error(Code::InvalidArgument, "MissingRequiredParameter", std::string(kNothingToUpdate));
  if (!request.publish && !request.version_description.empty())
    return states_validation(std::string(kPublishMissing));
  StateMachine& machine = *registry.find_machine(found->name);

  MachineRevision changed = *machine.revision;
  if (request.definition) {
    changed.parsed = TRY(read_machine_definition(*request.definition, changed.express));
    changed.definition = *request.definition;
  }
  if (request.role_arn) changed.role_arn = *request.role_arn;
  if (request.logging) changed.logging = TRY(complete_logging(request.logging));
  if (request.tracing) changed.tracing = complete_tracing(request.tracing);
  if (request.encryption) changed.encryption = TRY(complete_encryption(request.encryption));
  const bool differs =
      !same_but_for_role(changed, *machine.revision) || changed.role_arn != machine.revision->role_arn;
  if (request.publish && (differs || machine.versions.empty()) && machine.versions.size() >= kVersionsMax)
    return quota_exceeded("A state machine can have at most " + std::to_string(kVersionsMax) + " versions");
  if (differs) {
    changed.id = request.revision_id;
    const RevisionRef before = machine.revision;
    machine.revision = add_revision(world, std::move(changed), now);
    release_revision(world, before);
    note_machine(world, machine);
  }
  StateMachineUpdated out{.at = now, .revision_id = machine.revision->id, .version_arn = {}};
  if (request.publish) {
    const int version = TRY(publish(world, machine, request.version_description, now));
    out.version_arn = version_arn(registry.place, machine.name, version);
  }
  return out;
}

Result<Answer> delete_state_machine(World& world, Instant, const DeleteStateMachine& request) {
  MachineRegistry& registry = world.state.machines;
  const StatesArn arn = TRY(parse_states_arn(request.arn, ArnKind::StateMachine));
  StateMachine* machine =
      arn.qualifier.empty() && arn.label.empty() ? registry.find_machine(arn.name) : nullptr;
  if (machine == nullptr || machine->deleting) return Done{};  // an unknown one is no error
  if (!world.state.executions.running.contains(machine->no)) {
    forget_machine(world, *machine);
    return Done{};
  }
  // It goes with the last of its executions.
  machine->deleting = true;
  note_machine(world, *machine);
  stop_executions_of(world, *machine);
  return Done{};
}

}  // namespace stoker::core
