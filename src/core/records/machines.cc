// State machines, their revisions and activities as documents.
#include "core/machines/definition_text.h"
#include "core/machines/registry.h"
#include "core/machines/rules.h"
#include "core/records/documents.h"

namespace stoker::core {
namespace {

json::Object tags_object(const Tags& tags) {
  json::Object out;
  for (const auto& [key, value] : tags) out[key] = value;
  return out;
}
Tags tags_of(const json::Value& body) {
  Tags out;
  for (const auto& [key, value] : json::get_object(body, "tags")) out.emplace(key, json::text(value));
  return out;
}

std::string text_of(const json::Value& body, std::string_view key) {
  return std::string(json::get_string(body, key));
}
json::Shared shared_of(const json::Value& body, std::string_view key) {
  return std::make_shared<const json::Value>(json::get_object(body, key));
}
Result<std::uint64_t> number_of(const json::Value& body) {
  const auto no = json::get_int(body, "no");
  if (no < 1) return fail(Code::Internal, "it has no number");
  return static_cast<std::uint64_t>(no);
}

Result<RevisionRef> revision_of(World& world, const json::Value& body) {
  const RevisionNo no{static_cast<std::uint64_t>(json::get_int(body, "revision"))};
  auto& revisions = world.state.machines.revisions;
  const auto kept = revisions.find(no);
  if (kept == revisions.end())
    return fail(Code::Internal, "its revision " + std::to_string(no.value) + " is missing");
  ++kept->second.uses;
  return kept->second.revision;
}

json::Array versions_array(const StateMachine& machine) {
  json::Array out;
  for (const auto& [number, version] : machine.versions)
    out.push_back(json::Object{{"number", number},
                               {"revision", version.revision->no.value},
                               {"description", version.description},
                               {"created_at", version.created_at.ms}});
  return out;
}
json::Array aliases_array(const StateMachine& machine) {
  json::Array out;
  for (const auto& [name, alias] : machine.aliases) {
    json::Array routes;
    for (const MachineRoute& route : alias.routes)
      routes.push_back(json::Object{{"version", route.version}, {"weight", route.weight}});
    out.push_back(json::Object{{"name", name},
                               {"description", alias.description},
                               {"routes", std::move(routes)},
                               {"created_at", alias.created_at.ms},
                               {"updated_at", alias.updated_at.ms}});
  }
  return out;
}

}  // namespace

DocumentRecord to_record(const MachineRevision& revision) {
  return document(DocumentKind::MachineRevision, std::to_string(revision.no.value),
                  {{"no", revision.no.value},
                   {"machine", revision.machine},
                   {"express", revision.express},
                   {"id", revision.id},
                   {"definition", revision.definition},
                   {"role_arn", revision.role_arn},
                   {"logging", *revision.logging},
                   {"tracing", *revision.tracing},
                   {"encryption", *revision.encryption},
                   {"updated_at", revision.updated_at.ms}});
}

DocumentRecord to_record(const StateMachine& machine) {
  return document(DocumentKind::StateMachine, std::to_string(machine.no.value),
                  {{"no", machine.no.value},
                   {"name", machine.name},
                   {"revision", machine.revision->no.value},
                   {"created_at", machine.created_at.ms},
                   {"tags", tags_object(machine.tags)},
                   {"last_version", machine.last_version},
                   {"versions", versions_array(machine)},
                   {"aliases", aliases_array(machine)},
                   {"published_at_creation", machine.published_at_creation},
                   {"description_at_creation", machine.description_at_creation},
                   {"deleting", machine.deleting}});
}

DocumentRecord to_record(const Activity& activity) {
  return document(DocumentKind::Activity, std::to_string(activity.no.value),
                  {{"no", activity.no.value},
                   {"name", activity.name},
                   {"created_at", activity.created_at.ms},
                   {"encryption", *activity.encryption},
                   {"tags", tags_object(activity.tags)}});
}

Result<void> load_machine_revision(World& world, const json::Value& body) {
  MachineRegistry& registry = world.state.machines;
  MachineRevision revision;
  revision.no = RevisionNo{TRY(number_of(body))};
  revision.machine = text_of(body, "machine");
  revision.express = json::get_bool(body, "express");
  revision.id = text_of(body, "id");
  revision.definition = text_of(body, "definition");
  revision.role_arn = text_of(body, "role_arn");
  revision.logging = shared_of(body, "logging");
  revision.tracing = shared_of(body, "tracing");
  revision.encryption = shared_of(body, "encryption");
  revision.updated_at = {json::get_int(body, "updated_at")};
  // A definition that this program no longer accepts stays readable; executions of it fail and say why.
  revision.parsed = read_machine_definition(revision.definition, revision.express).value_or(nullptr);
  registry.next_revision = std::max(registry.next_revision, revision.no.value + 1);
  const RevisionNo no = revision.no;
  registry.revisions[no] = {.revision = std::make_shared<const MachineRevision>(std::move(revision)),
                            .program = nullptr,
                            .uses = 0};
  return {};
}

Result<void> load_state_machine(World& world, const json::Value& body) {
  MachineRegistry& registry = world.state.machines;
  StateMachine machine;
  machine.no = MachineNo{TRY(number_of(body))};
  machine.name = text_of(body, "name");
  machine.revision = TRY(revision_of(world, body));
  machine.created_at = {json::get_int(body, "created_at")};
  machine.tags = tags_of(body);
  machine.last_version = static_cast<int>(json::get_int(body, "last_version"));
  for (const json::Value& entry : json::get_array(body, "versions"))
    machine.versions[static_cast<int>(json::get_int(entry, "number"))] = {
        .revision = TRY(revision_of(world, entry)),
        .description = text_of(entry, "description"),
        .created_at = {json::get_int(entry, "created_at")}};
  for (const json::Value& entry : json::get_array(body, "aliases")) {
    MachineAlias alias{.description = text_of(entry, "description"),
                       .routes = {},
                       .created_at = {json::get_int(entry, "created_at")},
                       .updated_at = {json::get_int(entry, "updated_at")}};
    for (const json::Value& route : json::get_array(entry, "routes"))
      alias.routes.push_back({.version = static_cast<int>(json::get_int(route, "version")),
                              .weight = static_cast<int>(json::get_int(route, "weight"))});
    machine.aliases[text_of(entry, "name")] = std::move(alias);
  }
  machine.published_at_creation = json::get_bool(body, "published_at_creation");
  machine.description_at_creation = text_of(body, "description_at_creation");
  machine.deleting = json::get_bool(body, "deleting");
  if (!registry.machine_names.emplace(machine.name, machine.no).second)
    return fail(Code::Internal, "its name is used by another state machine");
  registry.next_machine = std::max(registry.next_machine, machine.no.value + 1);
  const MachineNo no = machine.no;
  registry.machines[no] = std::move(machine);
  return {};
}

Result<void> load_activity(World& world, const json::Value& body) {
  MachineRegistry& registry = world.state.machines;
  Activity activity;
  activity.no = ActivityNo{TRY(number_of(body))};
  activity.name = text_of(body, "name");
  activity.created_at = {json::get_int(body, "created_at")};
  activity.encryption = shared_of(body, "encryption");
  activity.tags = tags_of(body);
  if (!registry.activity_names.emplace(activity.name, activity.no).second)
    return fail(Code::Internal, "its name is used by another activity");
  registry.next_activity = std::max(registry.next_activity, activity.no.value + 1);
  const ActivityNo no = activity.no;
  registry.activities[no] = std::move(activity);
  return {};
}

}  // namespace stoker::core
