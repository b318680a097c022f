#include "core/machines/execution_rules.h"

#include "core/job/submit.h"
#include "core/machines/errors.h"
#include "core/machines/json_text.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"

namespace stoker::core {
namespace {

std::unexpected<Error> task_timed_out() {
  return states_error(Code::Conflict, "TaskTimedOut",
                      "Task Timed Out: 'Provided task does not exist anymore'");
}

// The execution whose task the token names; InvalidToken for what was never a token of ours.
struct Named {
  workflow::TaskToken token;
  ExecutionInfo* info = nullptr;
};
Result<Named> task_of(World& world, const std::string& text) {
  const auto token = workflow::TaskToken::parse(text);
  if (!token || token->execution == 0 || token->execution >= world.workflows.next_execution)
    return invalid_token();
  ExecutionInfo* info = world.state.executions.find(ExecutionNo{token->execution});
  if (info == nullptr || !info->live || !info->live->task(*token)) return task_timed_out();
  return Named{*token, info};
}

Result<Answer> heard(workflow::Heard heard) {
  if (heard == workflow::Heard::Stale) return task_timed_out();
  return Done{};
}

}  // namespace

Reply start_execution(World& world, Instant now, RequestId id, const StartExecution& request, Actions& out) {
  auto started =
      start_execution(world, now,
                      {.machine_arn = request.arn,
                       .name = request.name,
                       .input = request.input,
                       .trace_header = request.trace_header,
                       .id = request.id,
                       .seed = request.seed,
                       .seed2 = request.seed2,
                       .invoker = request.task ? std::optional(Invoker{*request.task}) : std::nullopt,
                       .wants_express = request.sync ? std::optional(true) : std::nullopt},
                      out);
  if (!started) return std::unexpected(started.error());
  ExecutionInfo& info = **started;
  if (!request.sync) return ExecutionStarted{info.arn(world.state.machines.place), info.started_at};
  world.workflows.sync_callers[info.no] = id;
  return std::nullopt;
}

Result<Answer> stop_execution(World& world, Instant now, const StopExecution& request) {
  const ExecutionInfo* found = TRY(world.state.executions.at(request.arn));
  ExecutionInfo& info = *world.state.executions.find(found->no);
  if (info.status != workflow::Status::Running) return ExecutionStopped{info.stopped_at};
  hear(world, now, info, workflow::Stop{.error = request.error, .cause = request.cause});
  return ExecutionStopped{info.live ? info.live->stopped_at() : now};
}

Reply redrive_execution(World& world, Instant now, RequestId id, const RedriveExecution& request,
                        Actions& out) {
  const auto found = world.state.executions.at(request.arn);
  if (!found) return std::unexpected(found.error());
  const ExecutionInfo& info = **found;
  if (const auto at = redriven_by(info, request.client_token, now)) return ExecutionRedriven{*at};
  if (info.status == workflow::Status::Running || info.status == workflow::Status::Succeeded)
    return states_error(
        Code::Conflict, "ExecutionNotRedrivable",
        "Execution is " + std::string(workflow::name(info.status)) + " and cannot be redriven");
  fetch_for_redrive(world, info.no, {.request = id, .client_token = request.client_token, .map_run = {}},
                    out);
  return std::nullopt;
}

Result<Answer> send_task_success(World& world, Instant now, const SendTaskSuccess& request) {
  auto [token, info] = TRY(task_of(world, request.token));
  auto output = workflow::Document::parse(request.output);
  if (!output)
    return states_error(Code::InvalidArgument, "InvalidOutput",
                        "Invalid Output: '" + why_not_json(request.output, output.error().message) + "'");
  return heard(hear(world, now, *info, workflow::TaskSucceeded{token, *std::move(output)}));
}

Result<Answer> send_task_failure(World& world, Instant now, const SendTaskFailure& request) {
  auto [token, info] = TRY(task_of(world, request.token));
  return heard(hear(world, now, *info,
                    workflow::TaskFailed{.token = token, .error = request.error, .cause = request.cause}));
}

Result<Answer> send_task_heartbeat(World& world, Instant now, const SendTaskHeartbeat& request) {
  auto [token, info] = TRY(task_of(world, request.token));
  return heard(hear(world, now, *info, workflow::TaskHeartbeat{token}));
}

Result<Answer> update_map_run(World& world, Instant now, const ChangeMapRun& request) {
  const MapRunOwner owner = TRY(world.state.executions.map_run_at(request.arn));
  ExecutionInfo* info = world.state.executions.find(owner.execution);
  const workflow::UpdateMapRun news{.run = owner.run,
                                    .concurrency_max = request.concurrency_max,
                                    .tolerated_failure_percentage = request.tolerated_failure_percentage,
                                    .tolerated_failure_count = request.tolerated_failure_count};
  if (info == nullptr || hear(world, now, *info, news) == workflow::Heard::Stale)
    return states_validation("Map Run has already completed and cannot be updated",
                             ValidationReason::CompletedMapRun);
  return Done{};
}

Result<Answer> submit_task_job(World& world, Instant now, const SubmitTaskJob& request) {
  const ExecutionInfo* info = world.state.executions.find(ExecutionNo{request.token.execution});
  const auto task = info != nullptr && info->live ? info->live->task(request.token) : std::nullopt;
  if (!task) return task_timed_out();
  SubmitJob job = request.job;
  job.started_by = StartedBy{info->arn(world.state.machines.place), task->state};
  return submit_job(world, now, job);
}

void on_workflow_news(World& world, Instant now, std::uint64_t execution, const workflow::News& news,
                      Actions& out) {
  ExecutionInfo* info = world.state.executions.find(ExecutionNo{execution});
  if (info == nullptr) return;
  hear(world, now, *info, news);
  if (const auto* submitted = std::get_if<workflow::TaskSubmitted>(&news))
    job_submitted(world, submitted->token, out);
  if (const auto* succeeded = std::get_if<workflow::TaskSucceeded>(&news))
    world.workflows.jobs.erase(id_of_task(succeeded->token, "job"));
  if (const auto* failed = std::get_if<workflow::TaskFailed>(&news))
    world.workflows.jobs.erase(id_of_task(failed->token, "job"));
}

}  // namespace stoker::core
