// What runs when: the timers that are due, then what is ready, one step each in turn.
#include "base/assert.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
Interpreter::Interpreter(ExecutionState& state, Instant now, Effects& out)
    : s_(state), now_(now), out_(out), budget_(state.limits.steps_per_turn) {}

void Interpreter::begin() {
  const ExecutionStart& start = s_.start;
  s_.started_at = now_;
  s_.changed = s_.input_changed = true;
  // TimeoutSeconds of the whole machine; children of a map run have none of their own.
  const auto timeout = start.map_state.empty() ? s_.program->definition().timeout_s : std::nullopt;
  if (timeout) s_.timeout_at = now_ + seconds(*timeout);
  if (start.time_max && (!s_.timeout_at || now_ + *start.time_max < s_.timeout_at))
    s_.timeout_at = now_ + *start.time_max;
  append(EventType::ExecutionStarted, 0,
         ObjectText()
             .add_payload("input", start.input.text())
             .add("roleArn", start.role_arn)
             .add_unless_empty("stateMachineAliasArn", start.alias_arn)
             .add_unless_empty("stateMachineVersionArn", start.version_arn)
             .take());
  if (over()) return;
  const asl::Machine* machine = top_machine(*s_.program, start);
  ASSERT(machine != nullptr, "no such Map state to run");
  Thread top;
  top.no = s_.next_thread++;
  top.machine = machine;
  top.state = &machine->states.find(machine->start_at)->second;
  top.input = start.input;
  Thread& thread = s_.threads.emplace(top.no, std::move(top)).first->second;
  set_phase(thread, Phase::Enter);
  run_ready();
}

Heard Interpreter::hear(const News& news) {
  // What fell due before the news came, came before it.
  if (!over()) run_due();
  const Heard heard = std::visit([this](const auto& n) { return on(n); }, news);
  if (!over()) run_ready();
  return heard;
}

Heard Interpreter::on(const TimerDue&) {
  return Heard::Taken;
}

Heard Interpreter::on(const Stop& news) {
  if (over()) return Heard::Stale;
  // RECORDED: ExecutionAborted with previous 0, no StateAborted before it.
  end(Status::Aborted, news.error, news.cause, 0, now_);
  return Heard::Taken;
}

Heard Interpreter::on(const GiveUp& news) {
  if (over()) return Heard::Stale;
  end(Status::Failed, std::string(asl::kRuntime), news.cause, s_.next_event - 1, now_);
  return Heard::Taken;
}

void Interpreter::run_due() {
  // The execution's own time-out: nothing can catch it. RECORDED: previous 0; it counts as ended when it was
  // due, however late it is noticed.
  if (s_.timeout_at && now_ >= s_.timeout_at)
    return end(Status::TimedOut, std::string(asl::kTimeout), std::nullopt, 0, s_.timeout_at);
  while (!over() && !s_.timers.empty() && s_.timers.begin()->first <= now_ && budget_ > 0) {
    const auto [due, no] = *s_.timers.begin();
    Thread& thread = s_.threads.at(no);
    if (thread.phase == Phase::Wait) {
      set_due(thread, {});
      auto result = effective_input(around(thread));
      if (result)
        leave_state(thread, *result, thread.last);
      else
        fault(thread, result.error(), thread.last);
    } else if (thread.phase == Phase::Retry) {
      set_due(thread, {});
      set_phase(thread, Phase::Try);
    } else {
      ASSERT(thread.phase == Phase::Task && thread.task, "a timer of nothing");
      const bool heartbeat =
          thread.task->heartbeat_at && thread.task->heartbeat_at <= now_ &&
          (!thread.task->timeout_at || thread.task->heartbeat_at < thread.task->timeout_at);
      time_out(thread, heartbeat);
    }
    pay_step();
    run_joins();  // before the next timer, which may end the parent
  }
}

void Interpreter::run_joins() {
  while (!over() && !joins_.empty()) {
    const ThreadNo no = joins_.back();
    joins_.pop_back();
    join(s_.threads.at(no));
  }
}

ThreadNo Interpreter::next_ready() {
  // Round about, so that no thread starves another. The place is in the record.
  const auto next = s_.ready.upper_bound(s_.cursor);
  return next != s_.ready.end() ? *next : *s_.ready.begin();
}

void Interpreter::run_ready() {
  for (run_joins(); !over() && !s_.ready.empty() && budget_ > 0; run_joins()) {
    const ThreadNo no = next_ready();
    if (s_.cursor != no) {
      s_.cursor = no;
      s_.changed = true;
    }
    step(s_.threads.at(no));
    pay_step();
  }
}

void Interpreter::pay(std::size_t steps) {
  budget_ -= std::min(budget_, steps);
  s_.steps += steps;
}

void Interpreter::pay_step() {
  pay(1 + static_cast<std::size_t>(effort_) / s_.limits.effort_per_step);
  effort_ = 0;
}

void Interpreter::step(Thread& thread) {
  switch (thread.phase) {
    case Phase::Begin:
      return begin_iteration(thread);
    case Phase::Enter:
      return enter(thread);
    case Phase::Try: {
      const std::uint64_t last = thread.last;
      if (std::holds_alternative<asl::Task>(thread.state->kind)) return try_task(thread, last);
      if (std::holds_alternative<asl::Parallel>(thread.state->kind)) return start_parallel(thread, last);
      return start_map(thread, last);
    }
    case Phase::MapRun:
      return step_map_run(thread);
    default:
      ASSERT(false, "nothing to do for a thread that is ready");
  }
}

void Interpreter::set_phase(Thread& thread, Phase phase) {
  thread.phase = phase;
  touch(thread);
  if (is_ready(phase))
    s_.ready.insert(thread.no);
  else
    s_.ready.erase(thread.no);
}

void Interpreter::set_due(Thread& thread, Instant due) {
  s_.timers.erase({thread.timer, thread.no});
  thread.due = due;
  thread.timer = earliest_due(thread);
  if (thread.timer) s_.timers.insert({thread.timer, thread.no});
  touch(thread);
}

}  // namespace stoker::workflow
