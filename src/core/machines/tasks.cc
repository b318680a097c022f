// Tasks by kind: what the core does itself, and what it asks of the server.
#include "base/text.h"
#include "core/job/stop.h"
#include "core/machines/errors.h"
#include "core/machines/workflows.h"
#include "core/workflow/digest/digest.h"
#include "core/workflow/run/execution.h"
#include "core/workflow/run/resource.h"
#include "core/world.h"

namespace stoker::core {
namespace {

constexpr std::string_view kStopReason = "The Step Functions execution that waits for this job was ended";

void start_activity_task(World& world, Instant now, const workflow::StartTask& task, Actions& out) {
  if (task.started) return;  // asked again after a restart: a worker has it
  const auto activity = world.state.machines.activity_at(task.resource);
  if (!activity)
    tell(world, ExecutionNo{task.token.execution},
         workflow::TaskFailed{.token = task.token,
                              .error = std::string(asl::kRuntime),
                              .cause = "The activity " + task.resource + " does not exist.",
                              .stage = workflow::TaskFailed::Stage::Data});
  else
    offer_task(world, now, (*activity)->no, task.token, out);
}

bool is_batch_sync(const workflow::StartTask& task) {
  return task.service == "batch" && task.api == "submitJob" &&
         (task.pattern == workflow::Pattern::Sync || task.pattern == workflow::Pattern::Sync2);
}

}  // namespace

Uuid id_of_task(const workflow::TaskToken& token, std::string_view purpose) {
  const std::string digest =
      hex_digest("SHA-256", token.str() + '/' + std::string(purpose)).value_or(std::string(32, '0'));
  std::uint64_t halves[2] = {0, 0};
  for (std::size_t i = 0; i < 32; ++i)
    halves[i / 16] = halves[i / 16] << 4 | static_cast<std::uint64_t>(hex_digit(digest[i]));
  return Uuid::from_random(halves[0], halves[1]);
}

void start_task(World& world, Instant now, ExecutionInfo& info, workflow::StartTask task, Actions& out) {
  if (task.kind == workflow::TaskKind::Activity) return start_activity_task(world, now, task, out);
  if (task.kind == workflow::TaskKind::Service && task.service == "states" && task.api == "startExecution")
    return invoke_execution(world, now, task, out);
  if (is_batch_sync(task)) await_job(world, task, out);
  if (task.submitted) return;  // asked again after a restart: it is under way
  const Place& place = world.state.machines.place;
  out.push_back(CallService{std::move(task), info.arn(place)});
}

void cancel_task(World& world, Instant now, const workflow::CancelTask& task, Actions& out) {
  const workflow::Resource resource = workflow::read_resource(task.resource);
  if (resource.kind != workflow::TaskKind::Activity && resource.service != "batch" &&
      resource.service != "states")
    out.push_back(CancelService{task.token});
  if (resource.pattern != workflow::Pattern::Sync && resource.pattern != workflow::Pattern::Sync2) return;
  if (resource.service == "batch") {
    const Uuid job = id_of_task(task.token, "job");
    world.workflows.jobs.erase(job);
    (void)terminate_job(world, now, {.id = job, .index = -1, .reason = std::string(kStopReason)}, out);
  } else if (resource.service == "states") {
    const auto child = world.workflows.invoked.find(task.token);
    if (child == world.workflows.invoked.end()) return;
    if (ExecutionInfo* info = world.state.executions.find(child->second))
      hear(world, now, *info, workflow::Stop{});
  }
}

// ---- jobs that a task waits for ----

void await_job(World& world, const workflow::StartTask& task, Actions& out) {
  world.workflows.jobs[id_of_task(task.token, "job")] = {.token = task.token, .submitted = false};
  if (task.submitted) job_submitted(world, task.token, out);
}

void job_submitted(World& world, const workflow::TaskToken& token, Actions& out) {
  const Uuid id = id_of_task(token, "job");
  const auto awaited = world.workflows.jobs.find(id);
  if (awaited == world.workflows.jobs.end()) return;
  awaited->second.submitted = true;
  const Job* job = world.state.jobs.find(id);
  if (job == nullptr || is_terminal(job->status)) out.push_back(DescribeEndedJob{token, id});
}

void tell_ended_jobs(World& world, Actions& out) {
  for (const Uuid& id : std::exchange(world.workflows.ended_jobs, {})) {
    const auto awaited = world.workflows.jobs.find(id);
    if (awaited != world.workflows.jobs.end() && awaited->second.submitted)
      out.push_back(DescribeEndedJob{awaited->second.token, id});
  }
}

}  // namespace stoker::core
