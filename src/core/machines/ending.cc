// The end of an execution, and its way back: redrive.
#include <algorithm>

#include "core/machines/errors.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"
#include "core/world.h"

namespace stoker::core {
namespace {

workflow::ChildEnded child_ended(const ExecutionInfo& info) {
  const workflow::Execution& live = *info.live;
  return {.child = *info.child,
          .status = live.status(),
          .output = live.output() != nullptr ? live.output()->text() : std::string(),
          .error = live.error(),
          .cause = live.cause(),
          .started_at = info.started_at};
}

SyncExecutionEnded sync_answer(const World& world, const ExecutionInfo& info) {
  const workflow::Execution& live = *info.live;
  const Place& place = world.state.machines.place;
  SyncExecutionEnded out;
  out.arn = info.arn(place);
  out.machine_arn = machine_arn(place, info.machine);
  out.name = info.name;
  out.started_at = info.started_at;
  out.stopped_at = live.stopped_at();
  out.status = workflow::name(live.status());
  out.input = live.start().input.text();
  if (live.output() != nullptr) out.output = live.output()->text();
  out.error = live.error();
  out.cause = live.cause();
  out.trace_header = live.start().trace_header;
  return out;
}

void count_end(World& world, const ExecutionInfo& info) {
  StateMachine* machine = world.state.machines.find_machine(info.revision->machine);
  if (info.child || machine == nullptr) return;
  auto& running = world.state.executions.running;
  const auto count = running.find(machine->no);
  if (count == running.end()) return;
  if (--count->second != 0) return;
  running.erase(count);
  if (machine->deleting) forget_machine(world, *machine);
}

// Everybody who waits for the end hears of it.
void report(World& world, ExecutionInfo& info) {
  if (info.child) tell(world, ExecutionNo{info.child->execution}, child_ended(info));
  tell_invoker(world, info);
}

void remember_token(ExecutionInfo& info, const std::string& token) {
  if (token.empty()) return;
  if (info.redrive_tokens.size() == kRedriveTokensMax) info.redrive_tokens.erase(info.redrive_tokens.begin());
  info.redrive_tokens.push_back({.token = token, .at = info.redriven_at});
}

}  // namespace

std::optional<Instant> redriven_by(const ExecutionInfo& info, std::string_view client_token, Instant now) {
  const auto known = std::ranges::find(info.redrive_tokens, client_token, &RedriveToken::token);
  if (known == info.redrive_tokens.end() || now - known->at > kRedriveTokenTime) return std::nullopt;
  return known->at;
}

void end_execution(World& world, Instant, ExecutionInfo& info, Actions& out) {
  const workflow::Execution& live = *info.live;
  if (info.status != workflow::Status::Running || live.status() == workflow::Status::Running) return;
  WorkflowWork& work = world.workflows;
  info.status = live.status();
  info.stopped_at = live.stopped_at();
  note_changed(world, info);  // a long turn may have recorded it as it was before this
  report(world, info);
  if (const auto caller = work.sync_callers.find(info.no); caller != work.sync_callers.end()) {
    out.push_back(Replied{caller->second, sync_answer(world, info)});
    work.sync_callers.erase(caller);
  }
  count_end(world, info);
  if (!info.express()) work.retirements.insert({info.stopped_at + world.settings.execution_history, info.no});
}

void stop_executions_of(World& world, const StateMachine& machine) {
  const auto numbers = world.state.executions.of_machine.find(machine.name);
  if (numbers == world.state.executions.of_machine.end()) return;
  for (const ExecutionNo no : numbers->second)
    if (world.state.executions.find(no)->status == workflow::Status::Running)
      tell(world, no, workflow::Stop{});
}

void forget_execution(World& world, ExecutionInfo& info) {
  WorkflowWork& work = world.workflows;
  work.retirements.erase({info.stopped_at + world.settings.execution_history, info.no});
  if (info.due) work.timers.erase({info.due, info.no});
  world.state.executions.remove_from_indexes(info);
  release_revision(world, info.revision);
  if (!info.express()) work.removed.push_back(info.no.value);
  const ExecutionNo no = info.no;
  world.state.executions.all.erase(no);
}

void fetch_for_redrive(World& world, ExecutionNo no, Redriving who, Actions& out) {
  auto& waiting = world.workflows.redriving[no];
  if (waiting.empty()) out.push_back(FetchExecution{no.value});
  waiting.push_back(who);
}

void execution_fetched(World& world, Instant now, ExecutionNo no, const workflow::Snapshot* snapshot,
                       Actions& out) {
  const auto found = world.workflows.redriving.find(no);
  if (found == world.workflows.redriving.end()) return;
  const std::vector<Redriving> waiting = std::move(found->second);
  world.workflows.redriving.erase(found);
  if (waiting.empty()) return;  // who wanted it has ended
  ExecutionInfo* info = world.state.executions.find(no);
  const auto refuse_all = [&](const std::string& why) {
    for (const Redriving& who : waiting)
      if (who.request)
        out.push_back(
            Replied{*who.request, states_error(Code::Conflict, "ExecutionNotRedrivable", std::string(why))});
  };
  if (info == nullptr || snapshot == nullptr || !program_of(world, info->revision))
    return refuse_all(
        "Execution is not redrivable: it is no longer remembered in full, or its definition is no "
        "longer accepted");
  if (!info->live) {
    auto loaded =
        workflow::Execution::load(program_of(world, info->revision), world.settings.workflow, *snapshot);
    if (!loaded) return refuse_all("Execution is not redrivable: " + loaded.error().message);
    info->live = std::make_unique<workflow::Execution>(*std::move(loaded));
    adopt(world, *info, {});
  }
  for (const Redriving& who : waiting) {
    if (info->status == workflow::Status::Running) {  // another one was first
      if (const auto at = redriven_by(*info, who.client_token, now); at && who.request) {
        out.push_back(Replied{*who.request, ExecutionRedriven{*at}});
        continue;
      }
      if (who.request)
        out.push_back(Replied{*who.request, states_error(Code::Conflict, "ExecutionNotRedrivable",
                                                         "Execution is RUNNING and cannot be redriven")});
      continue;
    }
    if (who.only_report) {
      report(world, *info);
      continue;
    }
    const std::string refusal = info->live->redrive_refusal(now);
    if (!refusal.empty()) {
      if (who.request)
        out.push_back(Replied{*who.request,
                              states_error(Code::Conflict, "ExecutionNotRedrivable", std::string(refusal))});
      else
        report(world, *info);
      continue;
    }
    world.workflows.retirements.erase({info->stopped_at + world.settings.execution_history, info->no});
    info->status = workflow::Status::Running;
    info->stopped_at = {};
    if (const StateMachine* machine = world.state.machines.find_machine(info->revision->machine);
        machine != nullptr && !info->child)
      ++world.state.executions.running[machine->no];
    hear(world, now, *info, workflow::Redrive{});
    info->redriven_at = info->live->redriven_at();
    info->redrive_count = info->live->redrive_count();
    remember_token(*info, who.client_token);
    if (who.request) out.push_back(Replied{*who.request, ExecutionRedriven{info->redriven_at}});
  }
}

}  // namespace stoker::core
