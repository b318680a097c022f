// StartExecution: from a machine, version or alias to a running execution.
#include "core/machines/errors.h"
#include "core/machines/json_text.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"
#include "core/world.h"

namespace stoker::core {
namespace {

constexpr std::uint64_t kPercent = 100;
constexpr Duration kExpressMax = minutes(5);  // Step Functions quotas
constexpr Duration kStandardMax = days(365);  // the same

// What the ARN of a start names.
struct Target {
  const StateMachine* machine = nullptr;
  RevisionRef revision;
  int version = 0;
  std::string alias;
};

int version_by_weight(const MachineAlias& alias, std::uint64_t random) {
  auto left = static_cast<int>(random % kPercent);
  for (const MachineRoute& route : alias.routes) {
    if (left < route.weight) return route.version;
    left -= route.weight;
  }
  return alias.routes.back().version;
}

Result<Target> find_target(const World& world, const std::string& text, std::uint64_t random) {
  const StatesArn arn = TRY(parse_states_arn(text, ArnKind::StateMachine));
  Target out;
  out.machine = world.state.machines.find_machine(arn.name);
  if (out.machine == nullptr || !arn.label.empty()) return machine_does_not_exist(text);
  if (out.machine->deleting) return machine_is_deleting(text);
  if (arn.qualifier.empty()) {
    out.revision = out.machine->revision;
    return out;
  }
  if (const auto alias = out.machine->aliases.find(arn.qualifier); alias != out.machine->aliases.end()) {
    out.alias = arn.qualifier;
    out.version = version_by_weight(alias->second, random);
  } else {
    out.version = arn.version().value_or(0);
  }
  const auto version = out.machine->versions.find(out.version);
  if (version == out.machine->versions.end()) return machine_does_not_exist(text);
  out.revision = version->second.revision;
  return out;
}

Result<workflow::Document> read_input(const std::string& text) {
  constexpr std::string_view kSentence = "Invalid State Machine Execution Input: '";
  if (text.empty())
    return states_error(Code::InvalidArgument, "InvalidExecutionInput",
                        std::string(kSentence) + "Invalid execution input.'");
  auto document = workflow::Document::parse(text);
  if (document) return document;
  return states_error(Code::InvalidArgument, "InvalidExecutionInput",
                      std::string(kSentence) + why_not_json(text, document.error().message) + "'");
}

// Another UUID than the name that the start may have got.
Uuid id_of_run(const Uuid& start) {
  std::uint64_t low = 0;
  for (std::size_t i = 8; i < start.bytes.size(); ++i) low = low << 8 | start.bytes[i];
  return id_of_task({.execution = 0, .thread = 0, .secret_high = std::hash<Uuid>{}(start), .secret_low = low},
                    "run");
}

ExecutionInfo& enter(World& world, ExecutionInfo made) {
  ExecutionTable& table = world.state.executions;
  made.no = ExecutionNo{world.workflows.next_execution++};
  use_revision(world, made.revision);
  const ExecutionNo no = made.no;
  ExecutionInfo& info = table.all.emplace(no, std::move(made)).first->second;
  table.add_to_indexes(info);
  return info;
}

void begin(World& world, Instant now, ExecutionInfo& info, workflow::ExecutionStart start) {
  const Place& place = world.state.machines.place;
  start.no = info.no.value;
  start.name = info.name;
  start.machine_name = info.machine;
  if (info.version != 0) start.version_arn = version_arn(place, info.machine, info.version);
  if (!info.alias.empty()) start.alias_arn = alias_arn(place, info.machine, info.alias);
  start.role_arn = info.revision->role_arn;
  start.express = info.express();
  start.time_max = info.express() ? kExpressMax : kStandardMax;
  info.started_at = now;
  workflow::Effects effects;
  info.live = std::make_unique<workflow::Execution>(program_of(world, info.revision), world.settings.workflow,
                                                    std::move(start), now, effects);
  world.workflows.turn_length +=
      info.live->events() + info.live->steps();  // it goes as far as it can at once
  adopt(world, info, std::move(effects));
}

// Step Functions API Reference, StartExecution: the same name and input while it runs is the same request.
bool same_request(const ExecutionInfo& known, const Starting& request) {
  if (request.invoker && known.invoker && known.invoker->token == request.invoker->token) return true;
  return known.live && known.status == workflow::Status::Running &&
         known.live->start().input.text() == request.input && !request.invoker;
}

}  // namespace

Result<ExecutionInfo*> start_execution(World& world, Instant now, Starting request, Actions&) {
  ExecutionTable& table = world.state.executions;
  if (!request.name.empty()) TRY(check_states_name(request.name));
  const Target target = TRY(find_target(world, request.machine_arn, request.seed));
  const bool express = target.revision->express;
  if (request.wants_express && *request.wants_express != express) return machine_type_not_supported();
  workflow::Document input = TRY(read_input(request.input));
  if (request.name.empty()) request.name = request.id.str();
  if (!express) {
    const auto known = table.names.find(target.machine->name + ':' + request.name);
    if (known != table.names.end()) {
      ExecutionInfo& info = table.all.at(known->second);
      if (same_request(info, request)) return &info;
      return execution_already_exists(info.arn(world.state.machines.place));
    }
  }
  if (!program_of(world, target.revision))
    return invalid_definition("Invalid State Machine Definition: 'this server no longer accepts it'");
  if (table.all.size() >= kExecutionsMax)
    return states_error(Code::LimitExceeded, "ExecutionLimitExceeded",
                        "Execution Limit Exceeded: '" + std::to_string(kExecutionsMax) + "'");

  ExecutionInfo made;
  made.revision = target.revision;
  made.machine = target.machine->name;
  made.name = request.name;
  if (express) made.run_id = id_of_run(request.id).str();
  made.version = target.version;
  made.alias = target.alias;
  made.invoker = request.invoker;
  ExecutionInfo& info = enter(world, std::move(made));
  ++table.running[target.machine->no];

  const Place& place = world.state.machines.place;
  workflow::ExecutionStart start;
  start.arn = info.arn(place);
  start.machine_arn = machine_arn(place, info.machine);
  start.input = std::move(input);
  start.seed = request.seed;
  start.seed2 = request.seed2;
  start.trace_header = request.trace_header;
  begin(world, now, info, std::move(start));
  return &info;
}

void start_map_child(World& world, Instant now, ExecutionInfo& parent, workflow::StartChild child,
                     Actions& out) {
  ExecutionTable& table = world.state.executions;
  const StatesArn arn = parse_states_arn(child.arn).value_or(StatesArn{});
  const std::string machine = arn.name + '/' + arn.label;
  if (const auto known = table.names.find(machine + ':' + child.name); known != table.names.end()) {
    const ExecutionInfo& info = table.all.at(known->second);  // asked again after a restart
    if (info.status != workflow::Status::Running)
      fetch_for_redrive(world, info.no, {.request = {}, .map_run = child.child, .only_report = true}, out);
    return;
  }
  auto input = workflow::Document::parse(child.input);
  if (!input) input = workflow::Document();
  ExecutionInfo made;
  made.revision = parent.revision;
  made.machine = machine;
  made.name = child.name;
  if (child.express) made.run_id = arn.run.empty() ? child.name : arn.run;
  made.child = child.child;
  made.map_run_arn = child.map_run_arn;
  ExecutionInfo& info = enter(world, std::move(made));

  const Uuid high = id_of_task({child.child.execution, child.child.run, child.child.index, 0}, child.name);
  const Uuid low = id_of_task({child.child.execution, child.child.run, child.child.index, 1}, child.name);
  workflow::ExecutionStart start;
  start.arn = child.arn;
  start.machine_arn = child.machine_arn;
  start.input = *std::move(input);
  start.seed = std::hash<Uuid>{}(high) ^ parent.live->start().seed;
  start.seed2 = std::hash<Uuid>{}(low) ^ parent.live->start().seed2;
  start.map_state = child.state;
  start.map_run_arn = child.map_run_arn;
  start.child = child.child;
  begin(world, now, info, std::move(start));
}

}  // namespace stoker::core
