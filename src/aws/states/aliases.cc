// Aliases of state machine versions: create, update, delete, describe, list.
#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

std::vector<core::AliasRoute> read_routes(const json::Value& input) {
  std::vector<core::AliasRoute> out;
  for (const json::Value& route : json::get_array(input, "routingConfiguration"))
    out.push_back({.version_arn = std::string(json::get_string(route, "stateMachineVersionArn")),
                   .weight = static_cast<int>(json::get_int(route, "weight"))});
  return out;
}

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  return core::CreateStateMachineAlias{.name = std::string(json::get_string(input, "name")),
                                       .description = std::string(json::get_string(input, "description")),
                                       .routes = read_routes(input)};
}
json::Value finish_create(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& made = std::get<core::ArnCreated>(answer);
  return json::Object{{"stateMachineAliasArn", made.arn}, {"creationDate", wire_time(made.at)}};
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  core::UpdateStateMachineAlias out;
  out.arn = json::get_string(input, "stateMachineAliasArn");
  if (const json::Value* description = json::find(input, "description"))
    out.description = std::string(json::text(*description));
  if (json::find(input, "routingConfiguration") != nullptr) out.routes = read_routes(input);
  return out;
}
json::Value finish_update(const Place&, const json::Value&, const core::Answer& answer) {
  return json::Object{{"updateDate", wire_time(std::get<core::StateMachineUpdated>(answer).at)}};
}

Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteStateMachineAlias{.arn = std::string(json::get_string(input, "stateMachineAliasArn"))};
}

Result<json::Value> describe(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view text = json::get_string(input, "stateMachineAliasArn");
  const core::StatesArn arn = TRY(core::parse_states_arn(text, core::ArnKind::StateMachine));
  const core::StateMachine* machine = state.machines.find_machine(arn.name);
  if (machine == nullptr || !machine->aliases.contains(arn.qualifier))
    return core::referenced_resource_not_found();
  const core::MachineAlias& alias = machine->aliases.at(arn.qualifier);
  json::Array routes;
  for (const core::MachineRoute& route : alias.routes)
    routes.push_back(json::Object{
        {"stateMachineVersionArn", core::version_arn(state.machines.place, machine->name, route.version)},
        {"weight", route.weight}});
  json::Object out{
      {"stateMachineAliasArn", core::alias_arn(state.machines.place, machine->name, arn.qualifier)},
      {"name", arn.qualifier},
      {"routingConfiguration", std::move(routes)},
      {"creationDate", wire_time(alias.created_at)},
      {"updateDate", wire_time(alias.updated_at)}};
  if (!alias.description.empty()) out["description"] = alias.description;
  return out;
}

// Of the machine, or, for the ARN of a version, those that point to it.
Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view text = json::get_string(input, "stateMachineArn");
  const core::StatesArn arn = TRY(core::parse_states_arn(text, core::ArnKind::StateMachine));
  const core::StateMachine* machine = state.machines.find_machine(arn.name);
  const auto version = arn.version();
  if (machine == nullptr || !arn.label.empty() || (!arn.qualifier.empty() && !version))
    return core::machine_does_not_exist(text);
  if (version && !machine->versions.contains(*version)) return core::referenced_resource_not_found();
  const std::string list = "aliases of " + arn.name + ':' + arn.qualifier;
  const Page page = TRY(read_states_page(input, list));
  json::Array entries;
  json::Object out;
  auto it = page.after.empty() ? machine->aliases.begin() : machine->aliases.upper_bound(page.after);
  std::string last;
  for (; it != machine->aliases.end() && entries.size() < page.size; ++it) {
    const auto& [name, alias] = *it;
    last = name;
    if (version &&
        std::ranges::find(alias.routes, *version, &core::MachineRoute::version) == alias.routes.end())
      continue;
    entries.push_back(
        json::Object{{"stateMachineAliasArn", core::alias_arn(state.machines.place, machine->name, name)},
                     {"creationDate", wire_time(alias.created_at)}});
  }
  out["stateMachineAliases"] = std::move(entries);
  if (it != machine->aliases.end()) out["nextToken"] = page_token(list, last);
  return out;
}

}  // namespace

void add_state_machine_aliases(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesCreateStateMachineAlias] = {.prepare = prepare_create, .finish = finish_create};
  handlers[StatesUpdateStateMachineAlias] = {.prepare = prepare_update, .finish = finish_update};
  handlers[StatesDeleteStateMachineAlias] = {.prepare = prepare_delete, .finish = nothing};
  handlers[StatesDescribeStateMachineAlias] = {.read = describe};
  handlers[StatesListStateMachineAliases] = {.read = list};
}

}  // namespace stoker::aws
