// What becomes of an error: Retry, then Catch, then up to the parent, then the end (amazon-states-language.md
// 5.2, 5.3, 7.2 rules 7 to 10).
#include "base/assert.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"
#include "core/workflow/run/retry.h"

namespace stoker::workflow {
namespace {

bool is_map(const asl::State& state) {
  return std::holds_alternative<asl::Map>(state.kind);
}
bool is_parallel(const asl::State& state) {
  return std::holds_alternative<asl::Parallel>(state.kind);
}

// What Retry and Catch match: a heartbeat that ran out shows as States.Timeout and matches both names.
std::string_view matched(const Raised& raised) {
  return raised.heartbeat ? asl::kHeartbeatTimeout : std::string_view(raised.error);
}

}  // namespace

Raised Interpreter::note_fault(Thread& thread, const Fault& fault, std::uint64_t after) {
  Raised raised = raise(fault, thread.state->name, thread.entered_event);
  if (raised.cause) raised.cause = cut(*raised.cause, s_.limits.cause_bytes_max);
  // Run-time data errors write no event of their own; those of JSONata do.
  if (fault.error == asl::kQueryEvaluationError) {
    thread.last = append(EventType::EvaluationFailed, after,
                         ObjectText()
                             .add_if("cause", raised.cause)
                             .add("error", raised.error)
                             .add_unless_empty("location", fault.location)
                             .add("state", thread.state->name)
                             .take());
    touch(thread);
  }
  return raised;
}

void Interpreter::fault(Thread& thread, const Fault& fault, std::uint64_t after, bool joined) {
  Raised raised = note_fault(thread, fault, after);
  if (!over()) fail(thread.no, std::move(raised), joined);
}

bool Interpreter::retry_state(Thread& thread, const Raised& raised) {
  const auto retrying =
      retry(thread.state->retry, thread.retries, matched(raised), [this] { return random(); });
  touch(thread);
  if (!retrying) return false;
  drop_work(thread);
  ++thread.retry_count;
  set_phase(thread, Phase::Retry);
  set_due(thread, now_ + retrying->delay);
  return true;
}

void Interpreter::fail(ThreadNo no, Raised raised, bool joined) {
  while (!over()) {
    Thread& thread = s_.threads.at(no);
    give_up_task(thread);
    // Never retried or caught: States.Runtime ends the execution from where it is, with no event between.
    if (raised.error == asl::kRuntime) {
      if (thread.phase != Phase::MapRun) set_phase(thread, Phase::Failed);
      return end(Status::Failed, std::move(raised.error), std::move(raised.cause), thread.last, now_);
    }
    if (retry_state(thread, raised)) return;
    // Retries are spent. Rule 7: MapStateFailed and ParallelStateFailed advance the chain.
    if (!joined && is_map(*thread.state)) chain(thread, EventType::MapStateFailed);
    if (!joined && is_parallel(*thread.state)) chain(thread, EventType::ParallelStateFailed);
    if (over()) return;
    if (const auto catcher = find_catcher(thread.state->catchers, matched(raised))) {
      auto leaving = leave_by_catcher(around(thread), *catcher, raised);
      auto fits = leaving ? check_variables(thread, leaving->assigned) : Evaluated<void>();
      if (leaving && fits) {
        drop_work(thread);
        return exit(thread, *std::move(leaving));
      }
      // The catcher itself failed: its error goes up, past the other catchers.
      raised = note_fault(thread, leaving ? fits.error() : leaving.error(), thread.last);
      if (over()) return;
    }
    // What a redrive goes on with is kept: finished branches, the children of a map run.
    set_phase(thread, thread.children ? Phase::Children : thread.run != 0 ? Phase::MapRun : Phase::Failed);
    if (raised.error == asl::kRuntime || thread.parent == 0) {
      auto error = raised.error_given ? std::optional(std::move(raised.error)) : std::nullopt;
      return end(Status::Failed, std::move(error), std::move(raised.cause), thread.last, now_);
    }
    // Up: rule 8, all of it behind the failing event.
    Thread& parent = s_.threads.at(thread.parent);
    const std::uint64_t failing = thread.last;
    if (is_map(*parent.state))
      append(EventType::MapIterationFailed, failing,
             ObjectText().add("index", thread.index).add("name", parent.state->name).take());
    else if (std::holds_alternative<asl::Task>(thread.state->kind))
      append(EventType::TaskStateAborted, failing);  // RECORDED: the failed task's own, in a Parallel only
    abort_siblings(parent, no, failing);
    parent.last = failing;
    touch(parent);
    no = parent.no;
    joined = false;
  }
}

void Interpreter::abort_siblings(Thread& parent, ThreadNo except, std::uint64_t failing) {
  for (std::size_t i = 0; i < parent.children->started && !over(); ++i) {
    const ThreadNo no = parent.children->threads[i];
    const auto found = s_.threads.find(no);
    if (no != except && found != s_.threads.end()) abort_tree(found->second, failing);
  }
}

// Children before their parents, each once.
void Interpreter::abort_tree(Thread& root, std::uint64_t failing) {
  struct Level {
    Thread* thread;
    std::size_t next_child = 0;
  };
  std::vector<Level> path = {{&root}};
  while (!path.empty() && !over()) {
    Level& level = path.back();
    const Children* children = level.thread->children.get();
    if (children != nullptr && level.next_child < children->started) {
      const auto found = s_.threads.find(children->threads[level.next_child++]);
      if (found != s_.threads.end()) path.push_back({&found->second});
      continue;
    }
    abort_one(*level.thread, failing);
    path.pop_back();
  }
}

void Interpreter::abort_one(Thread& thread, std::uint64_t failing) {
  // A state that is not entered yet has nothing to abort.
  const bool entered = thread.phase != Phase::Begin && thread.phase != Phase::Enter;
  if (thread.task)
    out_.emplace_back(CancelTask{thread.task->token, std::get<asl::Task>(thread.state->kind).resource});
  give_up_task(thread);
  if (thread.phase == Phase::MapRun)
    if (MapRun* run = find_run(thread.run); run != nullptr && run->stage != RunStage::Over) {
      give_up_map_run(*run, Status::Aborted);
      append(EventType::MapRunAborted, failing);
    }
  if (entered) {
    const asl::Kind& kind = thread.state->kind;
    if (std::holds_alternative<asl::Task>(kind)) append(EventType::TaskStateAborted, failing);
    if (std::holds_alternative<asl::Wait>(kind)) append(EventType::WaitStateAborted, failing);
    if (std::holds_alternative<asl::Parallel>(kind)) append(EventType::ParallelStateAborted, failing);
    if (std::holds_alternative<asl::Map>(kind)) append(EventType::MapStateAborted, failing);
  }
  if (thread.phase != Phase::Children && thread.phase != Phase::MapRun) set_phase(thread, Phase::Aborted);
  const Thread& parent = s_.threads.at(thread.parent);
  if (is_map(*parent.state))
    append(EventType::MapIterationAborted, failing,
           ObjectText().add("index", thread.index).add("name", parent.state->name).take());
}

}  // namespace stoker::workflow
