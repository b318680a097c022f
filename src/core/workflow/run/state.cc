#include "core/workflow/run/state.h"

#include "base/assert.h"

namespace stoker::workflow {

bool is_ready(Phase phase) {
  return phase == Phase::Begin || phase == Phase::Enter || phase == Phase::Try;
}

Instant earliest_due(const Thread& thread) {
  Instant first = thread.due;
  if (!thread.task) return first;
  for (const Instant at : {thread.task->timeout_at, thread.task->heartbeat_at})
    if (at && (!first || at < first)) first = at;
  return first;
}

void find_what_waits(ExecutionState& state) {
  for (auto& [no, thread] : state.threads) {
    if (is_ready(thread.phase)) state.ready.insert(no);
    if (const auto run = state.runs.find(thread.run); thread.phase == Phase::MapRun &&
                                                      run != state.runs.end() &&
                                                      can_start_child(state.limits, run->second))
      state.ready.insert(no);
    thread.timer = earliest_due(thread);
    if (thread.timer) state.timers.insert({thread.timer, no});
  }
}

namespace {

void check_children(const ExecutionState& state, const Thread& thread) {
  const Children& children = *thread.children;
  ASSERT(children.threads.size() == children.total && children.results.size() == children.total,
         "children without room");
  std::size_t finished = 0;
  for (std::size_t i = 0; i < children.total; ++i) {
    if (children.results[i]) {
      ++finished;
      ASSERT(!state.threads.contains(children.threads[i]), "a finished child lives");
      continue;
    }
    if (i >= children.started) continue;
    const auto child = state.threads.find(children.threads[i]);
    ASSERT(child != state.threads.end() && child->second.parent == thread.no && child->second.index == i,
           "a child is lost");
  }
  ASSERT(finished == children.finished, "finished children are miscounted");
  ASSERT(state.status != Status::Running || finished < children.total, "a parent waits for nobody");
}

void check_thread(const ExecutionState& state, const Thread& thread) {
  ASSERT(thread.no < state.next_thread, "a thread of the future");
  ASSERT((thread.phase == Phase::Task) == thread.task.has_value(), "a task out of phase");
  ASSERT((thread.phase == Phase::Children) == (thread.children != nullptr), "children out of phase");
  ASSERT((thread.phase == Phase::MapRun) == (thread.run != 0), "a map run out of phase");
  ASSERT(thread.last < state.next_event && thread.entered_event < state.next_event, "an event of the future");
  ASSERT(thread.timer == earliest_due(thread), "a timer is wrong");
  if (thread.parent != 0) {
    const auto parent = state.threads.find(thread.parent);
    ASSERT(parent != state.threads.end() && parent->second.children &&
               parent->second.children->threads[thread.index] == thread.no,
           "a thread without its parent");
  }
  if (thread.children) check_children(state, thread);
  if (state.status != Status::Running) {
    ASSERT(thread.phase == Phase::Failed || thread.phase == Phase::Aborted ||
               thread.phase == Phase::Children || thread.phase == Phase::MapRun,
           "an execution that is over has a living thread");
    return;
  }
  ASSERT(thread.phase != Phase::Failed && thread.phase != Phase::Aborted,
         "a dead thread in a running execution");
  ASSERT((thread.phase == Phase::Wait || thread.phase == Phase::Retry) == static_cast<bool>(thread.due),
         "a timer out of phase");
  const bool run_ready =
      thread.phase == Phase::MapRun && can_start_child(state.limits, state.runs.at(thread.run));
  ASSERT(state.ready.contains(thread.no) == (is_ready(thread.phase) || run_ready), "ready, or not");
}

void check_run(const MapRun& run) {
  std::int64_t running = 0;
  std::int64_t items = 0;
  for (const MapChild& child : run.children) {
    running += child.status == ChildStatus::Running ? 1 : 0;
    items += static_cast<std::int64_t>(child.count);
  }
  if (run.settled) return;
  ASSERT(running == run.child_counts.running, "running children are miscounted");
  ASSERT(run.item_counts.pending == run.item_counts.total - items, "pending items are miscounted");
  ASSERT(run.stage != RunStage::Over || running == 0, "a map run that is over has a running child");
}

}  // namespace

void check_state(const ExecutionState& state) {
  for (const auto& [no, thread] : state.threads) check_thread(state, thread);
  for (const auto& [no, run] : state.runs) check_run(run);
  for (const ThreadNo no : state.ready) ASSERT(state.threads.contains(no), "a ready thread is gone");
  std::size_t timers = 0;
  for (const auto& [no, thread] : state.threads) timers += thread.timer ? 1 : 0;
  ASSERT(state.timers.size() == (state.status == Status::Running ? timers : 0), "timers are miscounted");
  ASSERT((state.status == Status::Running) == !state.stopped_at, "stopped, or not");
  ASSERT(state.status != Status::Running || !state.program || state.threads.contains(kTopThread),
         "nothing runs");
  ASSERT(state.status != Status::Succeeded || state.threads.empty(), "threads outlive their execution");
}

}  // namespace stoker::workflow
