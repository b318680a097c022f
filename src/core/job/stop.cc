#include "core/job/stop.h"

#include "core/job/gang.h"
#include "core/job/life.h"

namespace stoker::core {
namespace {

void terminate_one(World& world, Job& job, const std::string& reason, Instant now, Actions& out) {
  if (is_terminal(job.status)) return;
  if (job.is_array()) {
    job.terminated = true;
    extra_of(job).status_reason = reason;
    world.changes.job(job);
    for (Job& child : job.extra->array->children) terminate_one(world, child, reason, now, out);
    return;
  }
  if (is_decided(job) && current_attempt(job).exit_code == 0) return;  // its main node has succeeded
  const bool again = job.terminated;
  job.terminated = true;
  if (!is_active(job.status)) {
    become_terminal(world, job, JobStatus::Failed, reason, now);
    return;
  }
  if (again) return;  // the first reason stands
  extra_of(job).status_reason = reason;
  world.changes.job(job);
  ask_to_stop(world, job, out);
}

}  // namespace

void end_unstarted(World& world, Job& job, const std::string& reason, Instant now) {
  if (is_terminal(job.status) || is_active(job.status)) return;
  if (!job.is_array()) {
    become_terminal(world, job, JobStatus::Failed, reason, now);
    return;
  }
  extra_of(job).status_reason = reason;
  world.changes.job(job);
  for (Job& child : job.extra->array->children) end_unstarted(world, child, reason, now);
}

void ask_to_stop(World& world, Job& job, Actions& out) {
  ++world.room_version;
  if (job.is_gang()) return stop_nodes(world, job, out);
  out.push_back(StopRun{current_attempt(job).node, current_token(job), world.settings.stop_grace});
}

namespace {

Result<void> check_is_no_node(const Job& job) {
  if (!job.is_node()) return {};
  return fail(Code::InvalidArgument,
              "Job " + job.public_id() +
                  " is a node of a multi-node parallel job, which ends as a whole: " + job.id.str());
}

}  // namespace

Result<Answer> cancel_job(World& world, Instant now, const CancelJob& request) {
  Job* job = world.state.jobs.find(request.id, request.index);
  if (job == nullptr || is_terminal(job->status)) return Done{};
  TRY(check_is_no_node(*job));
  if (is_active(job->status)) return Done{};
  job->cancelled = true;
  if (job->is_array())
    for (Job& child : job->extra->array->children)
      if (!is_terminal(child.status) && !is_active(child.status)) child.cancelled = true;
  end_unstarted(world, *job, request.reason, now);
  return Done{};
}

Result<Answer> terminate_job(World& world, Instant now, const TerminateJob& request, Actions& out) {
  if (Job* job = world.state.jobs.find(request.id, request.index)) {
    TRY(check_is_no_node(*job));
    terminate_one(world, *job, request.reason, now, out);
  }
  return Done{};
}

namespace {

template <class Wanted>
void terminate_each(World& world, QueueNo queue, const std::string& reason, Instant now, Actions& out,
                    Wanted wanted) {
  for (const JobStatus status :
       {JobStatus::Pending, JobStatus::Runnable, JobStatus::Starting, JobStatus::Running}) {
    std::optional<JobNo> next = world.state.jobs.of(queue, status).first();
    while (next) {
      const JobNo no = *next;
      Job& job = *world.state.jobs.find(no);
      if (wanted(job)) terminate_one(world, job, reason, now, out);
      next = world.state.jobs.of(queue, status).next_from(JobNo{no.value + 1});
    }
  }
}

}  // namespace

void terminate_jobs_of(World& world, QueueNo queue, const std::string& reason, Instant now, Actions& out) {
  terminate_each(world, queue, reason, now, out, [](const Job&) { return true; });
}

void terminate_jobs_of_share(World& world, QueueNo queue, const std::string& share, const std::string& reason,
                             Instant now, Actions& out) {
  terminate_each(world, queue, reason, now, out, [&](const Job& job) { return job.spec->share == share; });
}

}  // namespace stoker::core
