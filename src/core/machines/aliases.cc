// CreateStateMachineAlias, UpdateStateMachineAlias, DeleteStateMachineAlias.
#include "base/text.h"
#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"

namespace stoker::core {
namespace {

constexpr int kWeightsSum = 100;

template <class Value>
std::string list_of(const std::vector<AliasRoute>& routes, Value value) {
  std::vector<std::string> texts;
  for (const AliasRoute& route : routes) texts.push_back(value(route));
  return "[" + join(texts, ", ") + "]";
}

std::unexpected<Error> bad_routes(std::string_view rule, const std::vector<AliasRoute>& routes) {
  return states_validation("Routing configuration must contain " + std::string(rule) + ". Received: " +
                           list_of(routes, [](const AliasRoute& route) { return route.version_arn; }));
}

struct Routes {
  StateMachine* machine = nullptr;
  std::vector<MachineRoute> list;
};

// One or two existing versions of one machine, with weights that add up. The shape check has seen to the
// number of routes and to each weight.
Result<Routes> read_routes(World& world, const std::vector<AliasRoute>& routes) {
  std::vector<StatesArn> arns;
  for (const AliasRoute& route : routes) {
    arns.push_back(TRY(parse_states_arn(route.version_arn, ArnKind::StateMachine)));
    if (!arns.back().version()) return bad_routes("state machine version ARNs", routes);
  }
  Routes out;
  int sum = 0;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const MachineRoute route{.version = *arns[i].version(), .weight = routes[i].weight};
    if (std::ranges::find(out.list, route.version, &MachineRoute::version) != out.list.end())
      return bad_routes("distinct state machine version ARNs", routes);
    if (arns[i].name != arns[0].name) return bad_routes("versions of the same state machine", routes);
    sum += route.weight;
    out.list.push_back(route);
  }
  if (sum != kWeightsSum)
    return states_validation(
        "Sum of routing configuration weights must equal 100. Received: " +
        list_of(routes, [](const AliasRoute& route) { return std::to_string(route.weight); }));
  out.machine = arns.empty() ? nullptr : world.state.machines.find_machine(arns[0].name);
  for (const MachineRoute& route : out.list)
    if (out.machine == nullptr || !out.machine->versions.contains(route.version))
      return referenced_resource_not_found();
  if (out.machine == nullptr) return referenced_resource_not_found();
  if (out.machine->deleting)
    return machine_is_deleting(machine_arn(world.state.machines.place, arns[0].name));
  return out;
}

}  // namespace

Result<Answer> create_alias(World& world, Instant now, const CreateStateMachineAlias& request) {
  TRY(check_states_name(request.name));
  const Routes routes = TRY(read_routes(world, request.routes));
  StateMachine& machine = *routes.machine;
  const std::string arn = alias_arn(world.state.machines.place, machine.name, request.name);
  if (const auto known = machine.aliases.find(request.name); known != machine.aliases.end()) {
    if (known->second.routes != routes.list || known->second.description != request.description)
      return states_conflict(
          "Failed to create alias because an alias with the same name and a different routing configuration "
          "already exists.");
    return ArnCreated{.arn = arn, .at = known->second.created_at, .version_arn = {}};
  }
  if (machine.aliases.size() >= kAliasesMax)
    return quota_exceeded("A state machine can have at most " + std::to_string(kAliasesMax) + " aliases");
  machine.aliases[request.name] = {
      .description = request.description, .routes = routes.list, .created_at = now, .updated_at = now};
  note_machine(world, machine);
  return ArnCreated{.arn = arn, .at = now, .version_arn = {}};
}

Result<Answer> update_alias(World& world, Instant now, const UpdateStateMachineAlias& request) {
  const StatesArn arn = TRY(parse_states_arn(request.arn, ArnKind::StateMachine));
  if (!request.description && !request.routes)
    return states_validation("Either the description or the routing configuration must be specified");
  StateMachine* machine = world.state.machines.find_machine(arn.name);
  if (machine == nullptr || !machine->aliases.contains(arn.qualifier)) return referenced_resource_not_found();
  MachineAlias changed = machine->aliases.at(arn.qualifier);
  if (request.routes) {
    Routes routes = TRY(read_routes(world, *request.routes));
    if (routes.machine != machine) return bad_routes("versions of the same state machine", *request.routes);
    changed.routes = std::move(routes.list);
  }
  if (request.description) changed.description = *request.description;
  changed.updated_at = now;
  machine->aliases[arn.qualifier] = std::move(changed);
  note_machine(world, *machine);
  return StateMachineUpdated{.at = now, .revision_id = {}, .version_arn = {}};
}

Result<Answer> delete_alias(World& world, Instant, const DeleteStateMachineAlias& request) {
  const StatesArn arn = TRY(parse_states_arn(request.arn, ArnKind::StateMachine));
  StateMachine* machine = world.state.machines.find_machine(arn.name);
  if (machine != nullptr && machine->aliases.erase(arn.qualifier) != 0) note_machine(world, *machine);
  return Done{};
}

}  // namespace stoker::core
