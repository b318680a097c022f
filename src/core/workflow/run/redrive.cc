// Redrive: what failed or was given up is entered again; what succeeded keeps its output
// (amazon-states-language.md 8.3).
#include "core/workflow/run/redrive.h"

#include <algorithm>

#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/map_run.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

constexpr Duration kRedrivable = days(14);  // since the end (RedriveExecution)

}  // namespace

std::string redrive_refusal(const ExecutionState& state, Instant now) {
  if (state.status == Status::Running || state.status == Status::Succeeded)
    return "Execution is " + std::string(name(state.status)) + " and cannot be redriven";
  if (state.start.express) return "Express executions cannot be redriven";
  if (now - state.stopped_at > kRedrivable) return "Execution redrivable period exceeded";
  // The redrive's own event and at least one more must fit.
  if (state.next_event + 1 >= state.limits.events_max) return "Execution history event limit exceeded";
  return {};
}

Heard Interpreter::on(const Redrive&) {
  if (!redrive_refusal(s_, now_).empty()) return Heard::Stale;
  s_.status = Status::Running;
  s_.error.reset();
  s_.cause.reset();
  s_.stopped_at = {};
  s_.redriven_at = now_;
  ++s_.redrive_count;
  s_.context.reset();
  // The time-out starts anew.
  const auto timeout = s_.start.map_state.empty() ? s_.program->definition().timeout_s : std::nullopt;
  s_.timeout_at = timeout ? now_ + seconds(*timeout) : Instant{};
  if (s_.start.time_max && (!s_.timeout_at || now_ + *s_.start.time_max < s_.timeout_at))
    s_.timeout_at = now_ + *s_.start.time_max;
  const std::uint64_t redriven = append(EventType::ExecutionRedriven, s_.last_event,
                                        ObjectText().add("redriveCount", s_.redrive_count).take());
  // By number, not by iterator: more threads may come on the way.
  std::vector<ThreadNo> stopped;
  for (const auto& [no, thread] : s_.threads) stopped.push_back(no);
  for (const ThreadNo no : stopped) {
    if (over()) break;
    redrive_thread(s_.threads.at(no), redriven);
  }
  return Heard::Taken;
}

void Interpreter::redrive_thread(Thread& thread, std::uint64_t redriven) {
  thread.last = redriven;
  thread.retries.clear();
  thread.retry_count = 0;
  touch(thread);
  if (thread.phase == Phase::MapRun) return redrive_run(thread);
  if (thread.phase != Phase::Children) return set_phase(thread, thread.begun ? Phase::Enter : Phase::Begin);
  // Unfinished iterations go on; those that never started may take their places.
  const Children& children = *thread.children;
  if (children.finished == children.total) return joins_.push_back(thread.no);
  while (!over() && children.started < children.total &&
         children.started - children.finished < children.concurrency)
    start_iteration(thread, redriven);
}

void Interpreter::redrive_run(Thread& thread) {
  MapRun* run = find_run(thread.run);
  if (run == nullptr || !run->items) {
    // Its items were never read: the state begins anew.
    drop_work(thread);
    return set_phase(thread, Phase::Enter);
  }
  run->stage = RunStage::Running;
  run->status = Status::Running;
  run->stopped_at = {};
  run->redriven_at = now_;
  ++run->redrive_count;
  s_.changed_runs.insert(run->no);
  thread.last = append(
      EventType::MapRunRedriven, thread.last,
      ObjectText().add("mapRunArn", map_run_arn(s_, *run)).add("redriveCount", run->redrive_count).take());
  run->started_event = thread.last;
  run->to_redrive.clear();
  for (std::size_t i = run->children.size(); i-- > 0;) {
    MapChild& child = run->children[i];
    if (child.status == ChildStatus::Succeeded) continue;
    move_child(*run, child, ChildStatus::PendingRedrive);
    run->changed_children.insert(i);
    run->to_redrive.push_back(i);
  }
  settle_map_run(thread, *run);
}

}  // namespace stoker::workflow
