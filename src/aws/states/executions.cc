// Executions: start, stop, redrive, describe, list.
#include "aws/states/execution_view.h"
#include "aws/states/frame.h"
#include "core/machines/errors.h"
#include "core/workflow/run/execution.h"

namespace stoker::aws {
namespace {

using core::ExecutionInfo;

core::StartExecution read_start(const json::Value& input, Backend& backend, bool sync) {
  const Uuid seed = backend.new_uuid();
  const Uuid seed2 = backend.new_uuid();
  const json::Value* text = json::find(input, "input");
  return {.arn = std::string(json::get_string(input, "stateMachineArn")),
          .name = std::string(json::get_string(input, "name")),
          .input = text == nullptr ? "{}" : std::string(json::text(*text)),
          .trace_header = std::string(json::get_string(input, "traceHeader")),
          .id = backend.new_uuid(),
          .seed = std::hash<Uuid>{}(seed),
          .seed2 = std::hash<Uuid>{}(seed2),
          .sync = sync,
          .task = std::nullopt};
}

Result<core::Request> prepare_start(const Place&, json::Value& input, Backend& backend) {
  return read_start(input, backend, false);
}
json::Value finish_start(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& started = std::get<core::ExecutionStarted>(answer);
  return json::Object{{"executionArn", started.arn}, {"startDate", wire_time(started.at)}};
}

Result<core::Request> prepare_start_sync(const Place&, json::Value& input, Backend& backend) {
  return read_start(input, backend, true);
}
json::Value finish_start_sync(const Place&, const json::Value& input, const core::Answer& answer) {
  constexpr std::int64_t kBilledStepMs = 100;
  constexpr std::int64_t kBilledMemoryMb = 64;
  const auto& ended = std::get<core::SyncExecutionEnded>(answer);
  const bool included = json::get_string(input, "includedData") != "METADATA_ONLY";
  json::Object out{{"executionArn", ended.arn},
                   {"stateMachineArn", ended.machine_arn},
                   {"name", ended.name},
                   {"startDate", wire_time(ended.started_at)},
                   {"stopDate", wire_time(ended.stopped_at)},
                   {"status", ended.status}};
  if (ended.error) out["error"] = *ended.error;
  if (ended.cause) out["cause"] = *ended.cause;
  if (included) out["input"] = ended.input;
  out["inputDetails"] = json::Object{{"included", included}};
  if (ended.output && included) out["output"] = *ended.output;
  out["outputDetails"] = json::Object{{"included", included}};
  if (!ended.trace_header.empty()) out["traceHeader"] = ended.trace_header;
  const std::int64_t ran = (ended.stopped_at - ended.started_at).ms;
  const std::int64_t billed = (ran + kBilledStepMs - 1) / kBilledStepMs * kBilledStepMs;
  out["billingDetails"] = json::Object{{"billedMemoryUsedInMB", kBilledMemoryMb},
                                       {"billedDurationInMilliseconds", std::max(billed, kBilledStepMs)}};
  return out;
}

std::optional<std::string> text_member(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  if (value == nullptr) return std::nullopt;
  return std::string(json::text(*value));
}

Result<core::Request> prepare_stop(const Place&, json::Value& input, Backend&) {
  return core::StopExecution{.arn = std::string(json::get_string(input, "executionArn")),
                             .error = text_member(input, "error"),
                             .cause = text_member(input, "cause")};
}
json::Value finish_stop(const Place&, const json::Value&, const core::Answer& answer) {
  return json::Object{{"stopDate", wire_time(std::get<core::ExecutionStopped>(answer).at)}};
}

Result<core::Request> prepare_redrive(const Place&, json::Value& input, Backend&) {
  return core::RedriveExecution{.arn = std::string(json::get_string(input, "executionArn")),
                                .client_token = std::string(json::get_string(input, "clientToken"))};
}
json::Value finish_redrive(const Place&, const json::Value&, const core::Answer& answer) {
  return json::Object{{"redriveDate", wire_time(std::get<core::ExecutionRedriven>(answer).at)}};
}

void describe(const Place&, json::Value input, Backend& backend, Completion done) {
  const bool metadata_only = json::get_string(input, "includedData") == "METADATA_ONLY";
  with_execution(
      backend, std::string(json::get_string(input, "executionArn")),
      [metadata_only](const ExecutionFacts& facts, const workflow::Execution& execution, Instant now) {
        return Result<json::Value>(describe_execution(facts, execution, now, metadata_only));
      },
      std::move(done));
}

// ---- lists ----

// What a page is taken from, and whether an execution belongs on it.
struct Listing {
  const std::set<core::ExecutionNo>* numbers = nullptr;  // null: none
  std::string token_of;
  int version = 0;
  std::string alias;
};

Result<Listing> listing_of(const json::Value& input, const core::State& state) {
  Listing out;
  const std::string_view machine_text = json::get_string(input, "stateMachineArn");
  const std::string_view run_text = json::get_string(input, "mapRunArn");
  if (machine_text.empty() == run_text.empty())
    return core::states_validation("Must provide exactly one of stateMachineArn or mapRunArn",
                                   core::ValidationReason::MissingParameter);
  out.token_of = "executions " + std::string(machine_text) + std::string(run_text) + ' ' +
                 std::string(json::get_string(input, "statusFilter")) + ' ' +
                 std::string(json::get_string(input, "redriveFilter"));
  if (!run_text.empty()) {
    TRY(state.executions.map_run_at(run_text));
    const auto children = state.executions.of_map_run.find(run_text);
    if (children != state.executions.of_map_run.end()) out.numbers = &children->second;
    return out;
  }
  const core::StatesArn arn = TRY(core::parse_states_arn(machine_text, core::ArnKind::StateMachine));
  const core::StateMachine* machine = state.machines.find_machine(arn.name);
  if (machine == nullptr) return core::machine_does_not_exist(machine_text);
  if (machine->revision->express) return core::machine_type_not_supported();
  if (machine->aliases.contains(arn.qualifier)) {
    out.alias = arn.qualifier;
  } else if (!arn.qualifier.empty()) {
    out.version = arn.version().value_or(0);
    if (!machine->versions.contains(out.version)) return core::machine_does_not_exist(machine_text);
  }
  const auto found = state.executions.of_machine.find(arn.name);
  if (found != state.executions.of_machine.end()) out.numbers = &found->second;
  return out;
}

bool belongs(const Listing& listing, const ExecutionInfo& info, std::string_view status,
             std::string_view redriven) {
  if (listing.version != 0 && info.version != listing.version) return false;
  if (!listing.alias.empty() && info.alias != listing.alias) return false;
  if (!status.empty() && workflow::name(info.status) != status) return false;
  return redriven.empty() || (redriven == "REDRIVEN") == (info.redrive_count > 0);
}

// Newest first. A filter that matches little gives short pages and a token.
Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const Listing listing = TRY(listing_of(input, state));
  const Page page = TRY(read_states_page(input, listing.token_of));
  const std::string_view status = json::get_string(input, "statusFilter");
  const std::string_view redriven = json::get_string(input, "redriveFilter");
  json::Array entries;
  json::Object out;
  if (listing.numbers != nullptr) {
    const auto below = parse_int(page.after);
    auto it = std::make_reverse_iterator(
        below ? listing.numbers->lower_bound(core::ExecutionNo{static_cast<std::uint64_t>(*below)})
              : listing.numbers->end());
    std::uint64_t last = 0;
    for (std::size_t looked = 0;
         it != listing.numbers->rend() && entries.size() < page.size && looked < kListScanMax;
         ++it, ++looked) {
      last = it->value;
      const ExecutionInfo& info = *state.executions.find(*it);
      if (belongs(listing, info, status, redriven)) entries.push_back(list_entry(state.machines.place, info));
    }
    if (it != listing.numbers->rend()) out["nextToken"] = page_token(listing.token_of, std::to_string(last));
  }
  json::Object ordered{{"executions", std::move(entries)}};
  if (const auto token = out.find("nextToken"); token != out.end()) ordered["nextToken"] = token->value();
  return ordered;
}

Result<json::Value> describe_machine(const Place&, const json::Value& input, const core::State& state,
                                     Instant) {
  const ExecutionInfo* info = TRY(state.executions.at(json::get_string(input, "executionArn")));
  json::Object out =
      revision_detail(*info->revision, json::get_string(input, "includedData") == "METADATA_ONLY");
  out["stateMachineArn"] = core::machine_arn(state.machines.place, info->machine);
  out["updateDate"] = wire_time(info->revision->updated_at);
  if (!info->map_run_arn.empty()) out["mapRunArn"] = info->map_run_arn;
  if (const auto slash = info->machine.find('/'); slash != std::string::npos)
    out["label"] = info->machine.substr(slash + 1);
  return out;
}

}  // namespace

void add_executions(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesStartExecution] = {.prepare = prepare_start, .finish = finish_start};
  handlers[StatesStartSyncExecution] = {.prepare = prepare_start_sync, .finish = finish_start_sync};
  handlers[StatesStopExecution] = {.prepare = prepare_stop, .finish = finish_stop};
  handlers[StatesRedriveExecution] = {.prepare = prepare_redrive, .finish = finish_redrive};
  handlers[StatesDescribeExecution] = {.run = describe};
  handlers[StatesListExecutions] = {.read = list};
  handlers[StatesDescribeStateMachineForExecution] = {.read = describe_machine};
}

}  // namespace stoker::aws
