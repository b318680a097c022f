// states:startExecution: one execution starts another and may wait for its end.
#include "core/machines/errors.h"
#include "core/machines/sdk_answer.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"
#include "core/world.h"

namespace stoker::core {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";

void refuse(World& world, const workflow::StartTask& task, const Error& error) {
  const bool request_response = task.pattern == workflow::Pattern::RequestResponse;
  tell(world, ExecutionNo{task.token.execution},
       workflow::TaskFailed{.token = task.token,
                            .error = "StepFunctions." + std::string(error.name) + "Exception",
                            .cause = sdk_cause(error.message, "AWSStepFunctions", 400, error.name,
                                               id_of_task(task.token, "request")),
                            .stage = request_response ? workflow::TaskFailed::Stage::Run
                                                      : workflow::TaskFailed::Stage::Submit});
}

void refuse_parameters(World& world, const workflow::StartTask& task, std::string_view why) {
  tell(world, ExecutionNo{task.token.execution},
       workflow::TaskFailed{.token = task.token,
                            .error = std::string(asl::kRuntime),
                            .cause = "The Parameters '" + task.parameters.text() +
                                     "' could not be used to start the Task: [" + std::string(why) + "]",
                            .stage = workflow::TaskFailed::Stage::Data});
}

// Input: JSON, or JSON in a string; absent or null is {}.
std::string input_of(const json::Value& parameters) {
  const json::Value* input = json::find(parameters, "Input");
  if (input == nullptr || input->is_null()) return "{}";
  if (input->is_string()) return std::string(json::text(*input));
  return json::write(*input);
}

std::optional<std::string_view> wrong_member(const json::Value& parameters) {
  for (const std::string_view member : {"StateMachineArn", "Name", "TraceHeader"}) {
    const json::Value* value = json::find(parameters, member);
    if (value != nullptr && !value->is_string() && !value->is_null()) return member;
  }
  return std::nullopt;
}

workflow::Document submitted(const ExecutionInfo& info, const Place& place,
                             const workflow::TaskToken& token) {
  json::Object out{{"ExecutionArn", info.arn(place)}, {"StartDate", info.started_at.ms}};
  const std::size_t bytes = json::write(json::Value(out)).size();
  json::Object ordered{{"ExecutionArn", out["ExecutionArn"]}};
  add_sdk_metadata(ordered, id_of_task(token, "request"), info.started_at, bytes, kContentType);
  ordered["StartDate"] = info.started_at.ms;
  return workflow::Document(json::Value(std::move(ordered)));
}

// DescribeExecution in the spelling of the integrations.
json::Value description(const World& world, const ExecutionInfo& info, bool parsed) {
  const workflow::Execution& live = *info.live;
  const Place& place = world.state.machines.place;
  const auto payload = [&](const workflow::Document& document) {
    return parsed ? document.value() : json::Value(document.text());
  };
  json::Object out;
  if (live.cause()) out["Cause"] = *live.cause();
  if (live.error()) out["Error"] = *live.error();
  out["ExecutionArn"] = info.arn(place);
  out["Input"] = payload(live.start().input);
  out["InputDetails"] = json::Object{{"Included", true}};
  out["Name"] = info.name;
  if (live.output() != nullptr) {
    out["Output"] = payload(*live.output());
    out["OutputDetails"] = json::Object{{"Included", true}};
  }
  out["RedriveCount"] = live.redrive_count();
  const std::string refusal = live.redrive_refusal(live.stopped_at());
  out["RedriveStatus"] = refusal.empty() ? "REDRIVABLE" : "NOT_REDRIVABLE";
  if (!refusal.empty()) out["RedriveStatusReason"] = refusal;
  out["StartDate"] = info.started_at.ms;
  if (!info.alias.empty()) out["StateMachineAliasArn"] = alias_arn(place, info.machine, info.alias);
  out["StateMachineArn"] = machine_arn(place, info.machine);
  if (info.version != 0) out["StateMachineVersionArn"] = version_arn(place, info.machine, info.version);
  out["Status"] = workflow::name(live.status());
  out["StopDate"] = live.stopped_at().ms;
  return out;
}

workflow::News end_news(const World& world, const ExecutionInfo& info) {
  const Invoker& invoker = *info.invoker;
  if (info.live->status() == workflow::Status::Succeeded)
    return workflow::TaskSucceeded{.token = invoker.token,
                                   .output = workflow::Document(description(world, info, invoker.parsed))};
  return workflow::TaskFailed{.token = invoker.token,
                              .error = std::string(asl::kTaskFailed),
                              .cause = json::write(description(world, info, false))};
}

}  // namespace

void invoke_execution(World& world, Instant now, const workflow::StartTask& task, Actions& out) {
  const json::Value& parameters = task.parameters.value();
  const ExecutionNo caller{task.token.execution};
  if (json::find(parameters, "StateMachineArn") == nullptr)
    return refuse_parameters(world, task, "The field 'StateMachineArn' is required but was missing");
  if (const auto member = wrong_member(parameters))
    return refuse_parameters(world, task,
                             "The value for the field '" + std::string(*member) + "' must be a STRING");
  const bool sync = task.pattern == workflow::Pattern::Sync || task.pattern == workflow::Pattern::Sync2;
  const Uuid seeds = id_of_task(task.token, "seed");
  const Uuid seeds2 = id_of_task(task.token, "seed2");
  auto started = start_execution(
      world, now,
      {.machine_arn = std::string(json::get_string(parameters, "StateMachineArn")),
       .name = std::string(json::get_string(parameters, "Name")),
       .input = input_of(parameters),
       .trace_header = std::string(json::get_string(parameters, "TraceHeader")),
       .id = id_of_task(task.token, "execution"),
       .seed = std::hash<Uuid>{}(seeds),
       .seed2 = std::hash<Uuid>{}(seeds2),
       .invoker =
           Invoker{.token = task.token, .waits = sync, .parsed = task.pattern == workflow::Pattern::Sync2},
       .wants_express = {}},
      out);
  if (!started) return refuse(world, task, started.error());
  ExecutionInfo& info = **started;
  if (sync) world.workflows.invoked[task.token] = info.no;
  workflow::Document answer = submitted(info, world.state.machines.place, task.token);
  if (task.pattern == workflow::Pattern::RequestResponse) {
    tell(world, caller, workflow::TaskSucceeded{.token = task.token, .output = std::move(answer)});
    return;
  }
  if (!task.submitted)
    tell(world, caller, workflow::TaskSubmitted{.token = task.token, .output = std::move(answer)});
  // Asked again after a restart, and it has ended meanwhile.
  if (sync && info.status != workflow::Status::Running) {
    if (info.live)
      tell_invoker(world, info);
    else
      fetch_for_redrive(world, info.no, {.request = {}, .map_run = {}, .only_report = true}, out);
  }
}

void tell_invoker(World& world, const ExecutionInfo& info) {
  if (!info.invoker || !info.invoker->waits) return;
  world.workflows.invoked.erase(info.invoker->token);
  tell(world, ExecutionNo{info.invoker->token.execution}, end_news(world, info));
}

}  // namespace stoker::core
