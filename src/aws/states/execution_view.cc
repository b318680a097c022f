#include "aws/states/execution_view.h"

#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

ExecutionFacts facts_of(const core::State& state, const core::ExecutionInfo& info) {
  const core::Place& place = state.machines.place;
  ExecutionFacts out;
  out.no = info.no.value;
  out.arn = info.arn(place);
  out.machine_arn = core::machine_arn(place, info.machine);
  if (info.version != 0) out.version_arn = core::version_arn(place, info.machine, info.version);
  if (!info.alias.empty()) out.alias_arn = core::alias_arn(place, info.machine, info.alias);
  out.map_run_arn = info.map_run_arn;
  out.name = info.name;
  return out;
}

// What a look at the state gave.
struct Looked {
  std::optional<Result<json::Value>> answer;  // when the execution is in memory, or is not there at all
  ExecutionFacts facts;
  std::shared_ptr<const workflow::Program> program;
  core::RevisionRef revision;
  Instant now;
};

Looked look(const core::State& state, Instant now, const Result<const core::ExecutionInfo*>& found,
            ExecutionView& view) {
  Looked out;
  if (!found) {
    out.answer = std::unexpected(found.error());
    return out;
  }
  const core::ExecutionInfo& info = **found;
  out.facts = facts_of(state, info);
  out.now = now;
  out.revision = info.revision;
  if (info.live) out.answer = view(out.facts, *info.live, now);
  return out;
}

Result<json::Value> view_stored(Looked& looked, const Result<std::optional<workflow::Snapshot>>& stored,
                                ExecutionView& view) {
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return core::execution_does_not_exist(looked.facts.arn);
  // A definition that is not accepted any more: what it was is still told.
  const auto program = looked.revision->parsed ? workflow::Program::create(looked.revision->parsed) : nullptr;
  const auto execution = TRY(workflow::Execution::load(program, workflow::Limits{}, **stored));
  return view(looked.facts, execution, looked.now);
}

void finish(Backend& backend, Looked looked, ExecutionView view, Completion done) {
  if (looked.answer) return done(std::move(*looked.answer));
  const std::uint64_t no = looked.facts.no;
  backend.read_execution(no, [looked = std::move(looked), view = std::move(view), done = std::move(done)](
                                 Result<std::optional<workflow::Snapshot>> stored) mutable {
    done(view_stored(looked, stored, view));
  });
}

}  // namespace

json::Object describe_execution(const ExecutionFacts& facts, const workflow::Execution& execution,
                                Instant now, bool metadata_only) {
  json::Object out{{"executionArn", facts.arn},
                   {"stateMachineArn", facts.machine_arn},
                   {"name", facts.name},
                   {"status", workflow::name(execution.status())},
                   {"startDate", wire_time(execution.started_at())}};
  if (execution.stopped_at()) out["stopDate"] = wire_time(execution.stopped_at());
  if (!metadata_only) out["input"] = execution.start().input.text();
  out["inputDetails"] = json::Object{{"included", !metadata_only}};
  if (execution.output() != nullptr) {
    if (!metadata_only) out["output"] = execution.output()->text();
    out["outputDetails"] = json::Object{{"included", !metadata_only}};
  }
  if (execution.error()) out["error"] = *execution.error();
  if (execution.cause()) out["cause"] = *execution.cause();
  if (!facts.map_run_arn.empty()) out["mapRunArn"] = facts.map_run_arn;
  if (!facts.version_arn.empty()) out["stateMachineVersionArn"] = facts.version_arn;
  if (!facts.alias_arn.empty()) out["stateMachineAliasArn"] = facts.alias_arn;
  if (!execution.start().trace_header.empty()) out["traceHeader"] = execution.start().trace_header;
  out["redriveCount"] = execution.redrive_count();
  if (execution.redriven_at()) out["redriveDate"] = wire_time(execution.redriven_at());
  const std::string refusal = execution.redrive_refusal(now);
  out["redriveStatus"] = refusal.empty() ? "REDRIVABLE" : "NOT_REDRIVABLE";
  if (!refusal.empty()) out["redriveStatusReason"] = refusal;
  return out;
}

json::Object list_entry(const core::Place& place, const core::ExecutionInfo& info) {
  json::Object out{{"executionArn", info.arn(place)},
                   {"stateMachineArn", core::machine_arn(place, info.machine)},
                   {"name", info.name},
                   {"status", workflow::name(info.status)},
                   {"startDate", wire_time(info.started_at)}};
  if (info.stopped_at) out["stopDate"] = wire_time(info.stopped_at);
  if (!info.map_run_arn.empty()) out["mapRunArn"] = info.map_run_arn;
  if (info.version != 0) out["stateMachineVersionArn"] = core::version_arn(place, info.machine, info.version);
  if (!info.alias.empty()) out["stateMachineAliasArn"] = core::alias_arn(place, info.machine, info.alias);
  out["redriveCount"] = info.redrive_count;
  if (info.redriven_at) out["redriveDate"] = wire_time(info.redriven_at);
  return out;
}

void with_execution(Backend& backend, std::string arn, ExecutionView view, Completion done) {
  auto shared = std::make_shared<ExecutionView>(std::move(view));
  read_state<Looked>(
      backend,
      [arn = std::move(arn), shared](const core::State& state, Instant now) {
        return look(state, now, state.executions.at(arn), *shared);
      },
      [&backend, shared, done = std::move(done)](Looked looked) mutable {
        finish(backend, std::move(looked), std::move(*shared), std::move(done));
      });
}

void with_execution(Backend& backend, std::uint64_t no, Error missing, ExecutionView view, Completion done) {
  auto shared = std::make_shared<ExecutionView>(std::move(view));
  read_state<Looked>(
      backend,
      [no, missing = std::move(missing), shared](const core::State& state, Instant now) {
        const core::ExecutionInfo* info = state.executions.find(core::ExecutionNo{no});
        Result<const core::ExecutionInfo*> found = info;
        if (info == nullptr) found = std::unexpected(missing);
        return look(state, now, found, *shared);
      },
      [&backend, shared, done = std::move(done)](Looked looked) mutable {
        finish(backend, std::move(looked), std::move(*shared), std::move(done));
      });
}

}  // namespace stoker::aws
