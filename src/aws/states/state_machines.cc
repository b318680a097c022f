// State machines: create, update, delete, describe, list.
#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kList = "state machines";

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  return core::CreateStateMachine{
      .name = std::string(json::get_string(input, "name")),
      .definition = std::string(json::get_string(input, "definition")),
      .role_arn = std::string(json::get_string(input, "roleArn")),
      .express = json::get_string(input, "type") == "EXPRESS",
      .logging = take_document(input, "loggingConfiguration"),
      .tracing = take_document(input, "tracingConfiguration"),
      .encryption = take_document(input, "encryptionConfiguration"),
      .tags = read_tag_list(input),
      .publish = json::get_bool(input, "publish"),
      .version_description = std::string(json::get_string(input, "versionDescription"))};
}
json::Value finish_create(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& made = std::get<core::ArnCreated>(answer);
  json::Object out{{"stateMachineArn", made.arn}, {"creationDate", wire_time(made.at)}};
  if (!made.version_arn.empty()) out["stateMachineVersionArn"] = made.version_arn;
  return out;
}

std::optional<std::string> text_member(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  if (value == nullptr) return std::nullopt;
  return std::string(json::text(*value));
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend& backend) {
  return core::UpdateStateMachine{
      .arn = std::string(json::get_string(input, "stateMachineArn")),
      .definition = text_member(input, "definition"),
      .role_arn = text_member(input, "roleArn"),
      .logging = take_document(input, "loggingConfiguration"),
      .tracing = take_document(input, "tracingConfiguration"),
      .encryption = take_document(input, "encryptionConfiguration"),
      .publish = json::get_bool(input, "publish"),
      .version_description = std::string(json::get_string(input, "versionDescription")),
      .revision_id = backend.new_uuid().str()};
}
json::Value finish_update(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& updated = std::get<core::StateMachineUpdated>(answer);
  json::Object out{{"updateDate", wire_time(updated.at)}};
  if (!updated.revision_id.empty()) out["revisionId"] = updated.revision_id;
  if (!updated.version_arn.empty()) out["stateMachineVersionArn"] = updated.version_arn;
  return out;
}

Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteStateMachine{.arn = std::string(json::get_string(input, "stateMachineArn"))};
}

Result<json::Value> describe(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view text = json::get_string(input, "stateMachineArn");
  const core::StatesArn arn = TRY(core::parse_states_arn(text, core::ArnKind::StateMachine));
  const core::StateMachine* machine = state.machines.find_machine(arn.name);
  if (machine == nullptr || !arn.label.empty()) return core::machine_does_not_exist(text);
  const core::MachineVersion* version = nullptr;
  if (!arn.qualifier.empty()) {
    const auto number = arn.version();
    const auto found = number ? machine->versions.find(*number) : machine->versions.end();
    if (found == machine->versions.end()) return core::machine_does_not_exist(text);
    version = &found->second;
  }
  const core::MachineRevision& revision = version != nullptr ? *version->revision : *machine->revision;
  json::Object out = revision_detail(revision, json::get_string(input, "includedData") == "METADATA_ONLY");
  out["stateMachineArn"] = version != nullptr
                               ? core::version_arn(state.machines.place, machine->name, *arn.version())
                               : core::machine_arn(state.machines.place, machine->name);
  out["status"] = machine->deleting ? "DELETING" : "ACTIVE";
  out["type"] = revision.express ? "EXPRESS" : "STANDARD";
  out["creationDate"] = wire_time(version != nullptr ? version->created_at : machine->created_at);
  if (version != nullptr && !version->description.empty()) out["description"] = version->description;
  return out;
}

Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_states_page(input, kList));
  return list_numbered(
      state.machines.machines, page, kList, "stateMachines", [&](const core::StateMachine& machine) {
        return json::Object{{"stateMachineArn", core::machine_arn(state.machines.place, machine.name)},
                            {"name", machine.name},
                            {"type", machine.revision->express ? "EXPRESS" : "STANDARD"},
                            {"creationDate", wire_time(machine.created_at)}};
      });
}

}  // namespace

void add_state_machines(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesCreateStateMachine] = {.prepare = prepare_create, .finish = finish_create};
  handlers[StatesUpdateStateMachine] = {.prepare = prepare_update, .finish = finish_update};
  handlers[StatesDeleteStateMachine] = {.prepare = prepare_delete, .finish = nothing};
  handlers[StatesDescribeStateMachine] = {.read = describe};
  handlers[StatesListStateMachines] = {.read = list};
}

}  // namespace stoker::aws
