// Task states: one try is Scheduled, Started, perhaps Submitted, and its end (amazon-states-language.md
// 6, 7.3).
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

struct TaskEvents {
  EventType scheduled, started, succeeded, failed, timed_out;
};
TaskEvents events_of(TaskKind kind) {
  using enum EventType;
  switch (kind) {
    case TaskKind::Activity:
      return {ActivityScheduled, ActivityStarted, ActivitySucceeded, ActivityFailed, ActivityTimedOut};
    case TaskKind::Lambda:
      return {LambdaFunctionScheduled, LambdaFunctionStarted, LambdaFunctionSucceeded, LambdaFunctionFailed,
              LambdaFunctionTimedOut};
    default:
      return {TaskScheduled, TaskStarted, TaskSucceeded, TaskFailed, TaskTimedOut};
  }
}

Resource resource_of(const Thread& thread) {
  return read_resource(std::get<asl::Task>(thread.state->kind).resource);
}

// Task* events name their resource, the others do not.
ObjectText& add_resource(ObjectText& details, const Resource& resource) {
  if (resource.kind == TaskKind::Service)
    details.add("resource", resource.name).add("resourceType", resource.service);
  return details;
}

std::string scheduled_details(const Resource& resource, const Document& parameters, const TaskTerms& terms,
                              std::string_view region) {
  ObjectText details;
  if (resource.kind == TaskKind::Service) {
    if (terms.heartbeat_s) details.add("heartbeatInSeconds", *terms.heartbeat_s);
    details.add("parameters", parameters.text()).add("region", region);
    add_resource(details, resource);
  } else {
    if (resource.kind == TaskKind::Activity && terms.heartbeat_s)
      details.add("heartbeatInSeconds", *terms.heartbeat_s);
    details.add_payload("input", parameters.text()).add("resource", resource.name);
  }
  if (!terms.role.empty() && resource.kind != TaskKind::Activity)
    details.add_json("taskCredentials", ObjectText().add("roleArn", terms.role).take());
  if (terms.timeout_s) details.add("timeoutInSeconds", *terms.timeout_s);
  return details.take();
}

// The name that a result which is too large is blamed on (5.4).
std::string_view blamed(const Resource& resource) {
  return resource.kind == TaskKind::Service ? resource.service : resource.name;
}

}  // namespace

void Interpreter::try_task(Thread& thread, std::uint64_t evaluation_after) {
  const Resource resource = resource_of(thread);
  // A token is new for each try. `$$.Task.Token` is there for those who can be told it.
  const TaskToken token = new_token(thread);
  const bool tells_token = resource.kind == TaskKind::Service && resource.pattern != Pattern::RequestResponse;
  const Surroundings surroundings = around(thread, tells_token ? token.str() : std::string());
  // The arguments are evaluated anew on each try, from the same input.
  auto parameters = effective_input(surroundings);
  if (!parameters) return fault(thread, parameters.error(), evaluation_after);
  if (auto fits = check_size(s_.limits, *parameters, thread.state->name); !fits)
    return fault(thread, fits.error(), evaluation_after);
  auto terms = task_terms(surroundings);
  if (!terms) return fault(thread, terms.error(), evaluation_after);

  const TaskEvents events = events_of(resource.kind);
  chain(thread, events.scheduled,
        scheduled_details(resource, *parameters, *terms, arn_field(s_.start.arn, 3)));
  RunningTask task;
  task.token = token;
  task.parameters = *std::move(parameters);
  task.role = std::move(terms->role);
  // 5.5: the time-out counts from Scheduled, the heartbeat from Started.
  if (terms->timeout_s) task.timeout_at = now_ + seconds(*terms->timeout_s);
  task.heartbeat_s = terms->heartbeat_s.value_or(0);
  if (resource.kind != TaskKind::Activity) {
    ObjectText details;
    chain(thread, events.started,
          resource.kind == TaskKind::Service ? add_resource(details, resource).take() : "");
    task.started = true;
    if (task.heartbeat_s > 0) task.heartbeat_at = now_ + seconds(task.heartbeat_s);
  }
  if (over()) return;
  thread.task = std::move(task);
  set_phase(thread, Phase::Task);
  set_due(thread, {});
  out_.emplace_back(start_task(thread));
}

Thread* Interpreter::find_task(const TaskToken& token) {
  if (over()) return nullptr;
  const auto found = s_.threads.find(token.thread);
  if (found == s_.threads.end() || found->second.phase != Phase::Task || found->second.task->token != token)
    return nullptr;
  return &found->second;
}

Heard Interpreter::on(const TaskStarted& news) {
  Thread* thread = find_task(news.token);
  if (thread == nullptr || thread->task->started) return Heard::Stale;
  thread->task->started = true;
  chain(*thread, EventType::ActivityStarted, ObjectText().add_if("workerName", news.worker).take());
  if (thread->task && thread->task->heartbeat_s > 0)
    thread->task->heartbeat_at = now_ + seconds(thread->task->heartbeat_s);
  if (!over()) set_due(*thread, {});
  return Heard::Taken;
}

Heard Interpreter::on(const TaskSubmitted& news) {
  Thread* thread = find_task(news.token);
  if (thread == nullptr || thread->task->submitted) return Heard::Stale;
  const Resource resource = resource_of(*thread);
  if (resource.kind != TaskKind::Service || resource.pattern == Pattern::RequestResponse) return Heard::Stale;
  thread->task->submitted = true;
  ObjectText details;
  details.add_payload("output", news.output.text());
  chain(*thread, EventType::TaskSubmitted, add_resource(details, resource).take());
  return Heard::Taken;
}

Heard Interpreter::on(const TaskSucceeded& news) {
  Thread* thread = find_task(news.token);
  if (thread == nullptr) return Heard::Stale;
  const Resource resource = resource_of(*thread);
  const TaskEvents events = events_of(resource.kind);
  // RECORDED: a result that is too large makes the task one that failed.
  if (auto fits = check_size(s_.limits, news.output, blamed(resource)); !fits) {
    fail_task(*thread, events.failed, raise(fits.error(), thread->state->name, thread->entered_event));
    return Heard::Taken;
  }
  ObjectText details;
  details.add_payload("output", news.output.text());
  chain(*thread, events.succeeded, add_resource(details, resource).take());
  if (over()) return Heard::Taken;
  give_up_task(*thread);
  leave_state(*thread, news.output, thread->last);
  return Heard::Taken;
}

Heard Interpreter::on(const TaskFailed& news) {
  Thread* thread = find_task(news.token);
  if (thread == nullptr) return Heard::Stale;
  const Resource resource = resource_of(*thread);
  if (news.stage == TaskFailed::Stage::Data) {
    give_up_task(*thread);
    fault(*thread,
          {.error = std::string(asl::kRuntime),
           .cause = news.cause.value_or(""),
           .prefixed = true,
           .location = {}},
          thread->last);
    return Heard::Taken;
  }
  const bool at_submit = news.stage == TaskFailed::Stage::Submit && resource.kind == TaskKind::Service &&
                         resource.pattern != Pattern::RequestResponse && !thread->task->submitted;
  Raised raised;
  raised.error_given = news.error.has_value();
  raised.error = cut(news.error.value_or(""), s_.limits.error_bytes_max);
  if (news.cause) raised.cause = cut(*news.cause, s_.limits.cause_bytes_max);
  fail_task(*thread, at_submit ? EventType::TaskSubmitFailed : events_of(resource.kind).failed,
            std::move(raised));
  return Heard::Taken;
}

Heard Interpreter::on(const TaskHeartbeat& news) {
  Thread* thread = find_task(news.token);
  if (thread == nullptr) return Heard::Stale;
  if (thread->task->heartbeat_s > 0 && thread->task->started) {
    thread->task->heartbeat_at = now_ + seconds(thread->task->heartbeat_s);
    set_due(*thread, {});
  }
  return Heard::Taken;
}

void Interpreter::time_out(Thread& thread, bool heartbeat) {
  // RECORDED: no cause. The work is wanted no more, whatever its pattern.
  Raised raised{
      .error = std::string(asl::kTimeout), .cause = {}, .error_given = true, .heartbeat = heartbeat};
  out_.emplace_back(CancelTask{thread.task->token, std::get<asl::Task>(thread.state->kind).resource});
  fail_task(thread, events_of(resource_of(thread).kind).timed_out, std::move(raised));
}

void Interpreter::fail_task(Thread& thread, EventType type, Raised raised) {
  ObjectText details;
  details.add_if("cause", raised.cause);
  if (raised.error_given) details.add("error", raised.error);
  chain(thread, type, add_resource(details, resource_of(thread)).take());
  if (over()) return;
  give_up_task(thread);
  fail(thread.no, std::move(raised));
}

void Interpreter::give_up_task(Thread& thread) {
  thread.task.reset();
  set_due(thread, {});
}

StartTask start_task(const Thread& thread) {
  const Resource resource = resource_of(thread);
  return {.token = thread.task->token,
          .kind = resource.kind,
          .pattern = resource.pattern,
          .resource = std::get<asl::Task>(thread.state->kind).resource,
          .service = resource.service,
          .api = resource.api,
          .parameters = thread.task->parameters,
          .role = thread.task->role,
          .state = thread.state->name,
          .submitted = thread.task->submitted,
          .started = thread.task->started};
}

std::string cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  // Not within a character of UTF-8.
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0) == 0x80) --bytes_max;
  return std::string(text.substr(0, bytes_max));
}

}  // namespace stoker::workflow
