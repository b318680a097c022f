// What people and the API see of an execution.
#include "core/workflow/run/execution.h"
#include "core/workflow/run/map_run.h"
#include "core/workflow/run/state.h"

namespace stoker::workflow {
namespace {

std::string_view waits_for(const Thread& thread, const ExecutionState& state) {
  switch (thread.phase) {
    case Phase::Wait:
      return "timer";
    case Phase::Retry:
      return "retry";
    case Phase::Task:
      return "task";
    case Phase::Children:
      return "children";
    case Phase::MapRun: {
      const auto run = state.runs.find(thread.run);
      if (run == state.runs.end() || run->second.stage == RunStage::Over) return "";
      if (run->second.stage == RunStage::Running) return "children";
      return run->second.stage == RunStage::Reading ? "reader" : "writer";
    }
    default:
      return "";
  }
}

}  // namespace

std::vector<ThreadView> thread_views(const ExecutionState& state) {
  std::vector<ThreadView> views;
  for (const auto& [no, thread] : state.threads)
    views.push_back({.thread = no,
                     .parent = thread.parent,
                     .index = thread.parent == 0 ? -1 : static_cast<std::int64_t>(thread.index),
                     .state = thread.state->name,
                     .type = asl::type_name(thread.state->kind),
                     .waits_for = waits_for(thread, state),
                     .entered_at = thread.entered_at,
                     .due = thread.timer,
                     .retry_count = thread.retry_count});
  return views;
}

std::vector<MapRunView> map_run_views(const ExecutionState& state) {
  std::vector<MapRunView> views;
  for (const auto& [no, run] : state.runs)
    views.push_back({.run = no,
                     .arn = map_run_arn(state.start.arn, run.label, run.uuid),
                     .state = run.state->name,
                     .status = run.status,
                     .started_at = run.started_at,
                     .stopped_at = run.stopped_at,
                     .redriven_at = run.redriven_at,
                     .redrive_count = run.redrive_count,
                     .concurrency_max = run.concurrency_max > 0
                                            ? run.concurrency_max
                                            : static_cast<std::int64_t>(state.limits.map_run_concurrency_max),
                     .tolerated_failure_percentage = run.tolerated_percentage.value_or(0),
                     .tolerated_failure_count = run.tolerated_count.value_or(0),
                     .items = run.item_counts,
                     .executions = run.child_counts});
  return views;
}

}  // namespace stoker::workflow
