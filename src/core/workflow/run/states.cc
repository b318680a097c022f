// Entering and leaving states, and the kinds that need nobody else: Pass, Wait, Choice, Succeed, Fail.
#include "base/assert.h"
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

struct StateEvents {
  EventType entered;
  EventType exited;
};
StateEvents events_of(const asl::Kind& kind) {
  using enum EventType;
  if (std::holds_alternative<asl::Task>(kind)) return {TaskStateEntered, TaskStateExited};
  if (std::holds_alternative<asl::Pass>(kind)) return {PassStateEntered, PassStateExited};
  if (std::holds_alternative<asl::Wait>(kind)) return {WaitStateEntered, WaitStateExited};
  if (std::holds_alternative<asl::Choice>(kind)) return {ChoiceStateEntered, ChoiceStateExited};
  if (std::holds_alternative<asl::Parallel>(kind)) return {ParallelStateEntered, ParallelStateExited};
  if (std::holds_alternative<asl::Map>(kind)) return {MapStateEntered, MapStateExited};
  if (std::holds_alternative<asl::Succeed>(kind)) return {SucceedStateEntered, SucceedStateExited};
  return {FailStateEntered, FailStateEntered};  // a Fail is never left
}

// {"x": "42"}: names to JSON texts.
std::string assigned_text(const Assigned& assigned) {
  ObjectText text;
  for (const auto& [name, value] : assigned) text.add(name, std::string_view(value.text()));
  return text.take();
}

}  // namespace

void Interpreter::enter(Thread& thread) {
  const std::uint64_t before = thread.last;
  thread.entered_at = now_;
  thread.retries.clear();
  thread.retry_count = 0;
  const std::string& name = thread.state->name;
  const asl::Kind& kind = thread.state->kind;
  // 7.2 rule 1: the first StateEntered of an execution has previous 0.
  thread.entered_event =
      chain(thread, events_of(kind).entered,
            ObjectText().add_payload("input", thread.input.text()).add("name", name).take());
  if (over()) return;
  if (std::holds_alternative<asl::Pass>(kind)) return enter_pass(thread, before);
  if (std::holds_alternative<asl::Wait>(kind)) return enter_wait(thread);
  if (std::holds_alternative<asl::Choice>(kind)) return enter_choice(thread, before);
  if (std::holds_alternative<asl::Succeed>(kind)) return enter_succeed(thread, before);
  if (std::holds_alternative<asl::Fail>(kind)) return enter_fail(thread, before);
  if (std::holds_alternative<asl::Task>(kind)) return try_task(thread, before);
  if (std::holds_alternative<asl::Parallel>(kind)) return start_parallel(thread, before);
  start_map(thread, before);
}

// RECORDED: what fails while a state is being entered has its EvaluationFailed behind the event before
// StateEntered; a Wait is the exception.
void Interpreter::enter_pass(Thread& thread, std::uint64_t before) {
  const auto& pass = std::get<asl::Pass>(thread.state->kind);
  auto result = effective_input(around(thread));
  if (!result) return fault(thread, result.error(), before);
  if (pass.result && thread.state->language == asl::Language::JsonPath) result = Document(*pass.result);
  leave_state(thread, *result, before);
}

void Interpreter::enter_choice(Thread& thread, std::uint64_t before) {
  auto chosen = choose(around(thread));
  if (!chosen) return fault(thread, chosen.error(), before);
  if (auto fits = check_variables(thread, chosen->leaving.assigned); !fits)
    return fault(thread, fits.error(), before);
  exit(thread, std::move(chosen->leaving));
}

void Interpreter::enter_succeed(Thread& thread, std::uint64_t before) {
  auto result = effective_input(around(thread));
  if (!result) return fault(thread, result.error(), before);
  leave_state(thread, *result, before);
}

void Interpreter::enter_wait(Thread& thread) {
  auto until = wait_until(around(thread), now_);
  if (!until) return fault(thread, until.error(), thread.last);
  set_phase(thread, Phase::Wait);
  if (*until > now_) return set_due(thread, *until);
  auto result = effective_input(around(thread));
  if (!result) return fault(thread, result.error(), thread.last);
  leave_state(thread, *result, thread.last);
}

void Interpreter::enter_fail(Thread& thread, std::uint64_t before) {
  auto failure = fail_with(around(thread));
  if (!failure) return fault(thread, failure.error(), before);
  Raised raised;
  raised.error_given = failure->error.has_value();
  raised.error = failure->error.value_or("");
  raised.cause = std::move(failure->cause);
  fail(thread.no, std::move(raised));
}

void Interpreter::leave_state(Thread& thread, const Document& result, std::uint64_t evaluation_after) {
  auto leaving = leave(around(thread), result);
  if (!leaving) return fault(thread, leaving.error(), evaluation_after);
  if (auto fits = check_variables(thread, leaving->assigned); !fits)
    return fault(thread, fits.error(), evaluation_after);
  exit(thread, *std::move(leaving));
}

Evaluated<void> Interpreter::check_variables(const Thread& thread, const Assigned& assigned) {
  if (assigned.empty()) return {};
  // An upper bound is kept; only when it passes the limit the variables are really counted.
  std::size_t added = 0;
  for (const auto& [name, value] : assigned) added += value.text().size();
  if (s_.variable_bytes + added > s_.limits.variables_bytes_max) {
    s_.variable_bytes = 0;
    for (const auto& [no, other] : s_.threads)
      for (const auto& [name, value] : other.variables) s_.variable_bytes += json::write(*value).size();
  }
  if (s_.variable_bytes + added > s_.limits.variables_bytes_max)
    return std::unexpected(variables_fault(thread.state->name));
  s_.variable_bytes += added;
  s_.changed = true;
  return {};
}

void Interpreter::exit(Thread& thread, Leaving leaving) {
  ObjectText details;
  if (!leaving.assigned.empty())
    details.add_json("assignedVariables", assigned_text(leaving.assigned))
        .add_json("assignedVariablesDetails", R"({"truncated":false})");
  details.add("name", thread.state->name).add_payload("output", leaving.output.text());
  chain(thread, events_of(thread.state->kind).exited, details.take());
  if (over()) return;
  // New values are visible from the next state on.
  for (auto& [name, value] : leaving.assigned) thread.variables.insert_or_assign(name, value.shared());
  thread.task.reset();
  set_due(thread, {});
  if (leaving.next.empty()) return finish(thread, std::move(leaving.output));
  const auto next = thread.machine->states.find(leaving.next);
  ASSERT(next != thread.machine->states.end(), "a transition leads nowhere");
  thread.state = &next->second;
  thread.input = std::move(leaving.output);
  set_phase(thread, Phase::Enter);
}

void Interpreter::finish(Thread& thread, Document output) {
  if (thread.parent == 0) return succeed(thread, std::move(output));
  Thread& parent = s_.threads.at(thread.parent);
  Children& siblings = *parent.children;
  const std::size_t index = thread.index;
  const std::uint64_t last = thread.last;
  std::uint64_t joined_after = last;  // 7.2 rule 6
  if (siblings.items)
    joined_after = append(EventType::MapIterationSucceeded, last,
                          ObjectText().add("index", index).add("name", parent.state->name).take());
  if (over()) return;
  siblings.results[index] = std::move(output);
  ++siblings.finished;
  set_phase(thread, Phase::Aborted);  // out of the ready ones
  s_.finished_threads.push_back({.thread = thread.no, .parent = parent.no, .index = index});
  s_.changed_threads.erase(thread.no);
  s_.threads.erase(thread.no);
  // 7.2 rule 3: the next iteration follows the last chain event of this one.
  if (siblings.items && siblings.started < siblings.total) start_iteration(parent, last);
  if (siblings.finished < siblings.total) return;
  parent.last = joined_after;
  touch(parent);
  joins_.push_back(parent.no);
}

}  // namespace stoker::workflow
