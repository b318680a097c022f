// The end of an execution.
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

EventType event_of(Status status) {
  switch (status) {
    case Status::Aborted:
      return EventType::ExecutionAborted;
    case Status::TimedOut:
      return EventType::ExecutionTimedOut;
    default:
      return EventType::ExecutionFailed;
  }
}

}  // namespace

void Interpreter::succeed(Thread& top, Document output) {
  append(EventType::ExecutionSucceeded, top.last, ObjectText().add_payload("output", output.text()).take());
  if (over()) return;
  s_.last_event = s_.next_event - 1;
  s_.status = Status::Succeeded;
  s_.output = std::move(output);
  drop_children(top);
  drop_thread(kTopThread);
  // No redrive from here: what is kept for one goes.
  for (auto& [no, run] : s_.runs) drop_map_run(run);
  finish_ending(now_);
}

void Interpreter::end(Status status, std::optional<std::string> error, std::optional<std::string> cause,
                      std::uint64_t previous, Instant at) {
  if (over()) return;
  if (cause) cause = cut(*cause, s_.limits.cause_bytes_max);
  // Both are absent, not null, when they are not given.
  write(event_of(status), previous, ObjectText().add_if("cause", cause).add_if("error", error).take());
  s_.last_event = s_.next_event - 1;
  s_.status = status;
  // RECORDED: an execution that timed out shows neither.
  if (status != Status::TimedOut) {
    s_.error = std::move(error);
    s_.cause = std::move(cause);
  }
  // What was under way is given up, without events; where it stood is kept for a redrive.
  for (auto& [no, thread] : s_.threads) {
    if (thread.task)
      out_.emplace_back(CancelTask{thread.task->token, std::get<asl::Task>(thread.state->kind).resource});
    give_up_task(thread);
    if (thread.phase == Phase::MapRun) {
      if (MapRun* run = find_run(thread.run); run != nullptr && run->stage != RunStage::Over)
        give_up_map_run(*run, status == Status::Failed ? Status::Failed : Status::Aborted);
    } else if (thread.phase != Phase::Children && thread.phase != Phase::Failed) {
      set_phase(thread, Phase::Aborted);
    }
  }
  finish_ending(at);
}

void Interpreter::finish_ending(Instant at) {
  s_.stopped_at = at;
  s_.ready.clear();
  s_.timers.clear();
  joins_.clear();
  s_.context.reset();
  s_.changed = true;
  out_.emplace_back(Ended{s_.status});
}

}  // namespace stoker::workflow
