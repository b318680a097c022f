#include "core/job/update.h"

#include <algorithm>

#include "base/assert.h"
#include "core/job/gang.h"
#include "core/job/submit.h"
#include "core/resources/quota_shares.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

bool waits(const Job& job) {
  return !is_terminal(job.status) && !is_active(job.status);
}

Result<void> check_waits(const Job& job) {
  if (waits(job)) return {};
  return fail(Code::Conflict, "Job " + job.public_id() + (is_terminal(job.status) ? " has ended" : " runs") +
                                  " (" + std::string(name_of(job.status)) +
                                  "): only a job that waits can be updated");
}

Result<void> check_can_move(const Job& job, const JobQueue& to) {
  if (job.is_child())
    return fail(Code::InvalidArgument,
                "jobQueue: a child stays in the job queue of its array; move the array as a whole");
  if (!job.is_array()) return {};
  const auto running = std::ranges::count_if(job.extra->array->children,
                                             [](const Job& child) { return is_active(child.status); });
  if (running == 0) return {};
  return fail(Code::Conflict, "jobQueue: " + std::to_string(running) + " children of array job " +
                                  job.public_id() + " run; it cannot move to job queue " + to.name +
                                  " before they have ended");
}

// The members of SubmitJob that the job would have been submitted with.
json::Shared changed_overrides(const JobSpec& spec, const UpdateJob& request, bool moves_to_fifo) {
  json::Object out =
      spec.overrides && spec.overrides->is_object() ? spec.overrides->get_object() : json::Object{};
  if (moves_to_fifo) {
    out.stable_erase("shareIdentifier");
    out.stable_erase("schedulingPriorityOverride");
  }
  if (request.share) out["shareIdentifier"] = *request.share;
  if (request.priority) out["schedulingPriorityOverride"] = *request.priority;
  return out.empty() ? nullptr : std::make_shared<const json::Value>(std::move(out));
}

// One job, or an array or a child as one entry of the table.
void change_one(World& world, Job& job, QueueNo queue, JobSpec* spec, Instant now) {
  State& state = world.state;
  const bool waiting = job.status == JobStatus::Runnable;
  if (waiting) {
    leave_waiting(state, job);
    drop_claim(world, job.no);
  }
  if (!job.is_child()) share_loses_job(world, job, now);
  JobSpec* before = std::exchange(job.spec, spec);
  ++spec->jobs;
  release_spec(world, before, 1);
  if (job.queue != queue) {
    if (job.is_child()) {
      job.queue = queue;
    } else {
      --state.queues.at(job.queue).jobs;
      ++state.queues.at(queue).jobs;
      state.jobs.move(job, queue);
    }
  }
  if (!job.is_child()) share_gains_job(world, job, now);
  if (waiting) enter_waiting(state, job);
}

void change_child(World& world, Job& child, QueueNo queue, JobSpec* spec, Instant now) {
  if (waits(child)) {
    change_one(world, child, queue, spec, now);
  } else {
    child.queue = queue;  // it has ended, or the queue is the same
  }
  // Without a record of its own it is as its array says.
  if (child.recorded || child.changed) world.changes.job(child);
}

}  // namespace

Result<Answer> update_job(World& world, Instant now, const UpdateJob& request) {
  State& state = world.state;
  // 1. Everything that can be refused, before anything changes.
  Job* job = state.jobs.find(request.id, request.index);
  if (job == nullptr)
    return fail(Code::NotFound, "Job " + request.id.str() +
                                    (request.index < 0 ? "" : ":" + std::to_string(request.index)) +
                                    " does not exist");
  if (job->is_node())
    return fail(Code::InvalidArgument,
                "Job " + job->public_id() + " is a node of a multi-node parallel job; update the whole job");
  TRY(check_waits(*job));
  if (!request.priority && !request.share && !request.queue)
    return fail(Code::InvalidArgument,
                "One of schedulingPriority, shareIdentifier and jobQueue must be given");
  const JobQueue* queue = &state.queues.at(job->queue);
  if (request.queue && *request.queue != queue->name) {
    queue = state.find_queue(*request.queue);
    if (queue == nullptr)
      return fail(Code::InvalidArgument, "Job queue " + *request.queue + " does not exist");
    TRY(check_can_move(*job, *queue));
    TRY(check_queue(state, *queue, *job->spec->definition));
  }
  const ShareRule rule = share_rule(state, *queue);
  const bool shares = rule != ShareRule::None;
  if (!shares && (request.priority || request.share))
    return fail(Code::InvalidArgument,
                std::string(request.priority ? "schedulingPriority" : "shareIdentifier") + ": job queue " +
                    queue->name +
                    " has no scheduling policy: its jobs have neither priority nor share, and go " +
                    "in the order in which they were submitted");
  const json::Shared overrides = changed_overrides(*job->spec, request, !shares && queue->no != job->queue);
  const std::string share = request.share.value_or(shares ? job->spec->share : "");
  if (rule == ShareRule::Quota && !share.empty() && (request.share || queue->no != job->queue))
    TRY(check_quota_share(state, *queue, share));
  TRY(check_room_for_share(state, *queue, share, now));
  JobSpec* spec = TRY(find_or_make_spec(world, job->spec->definition, overrides, rule, job->spec->wish_tags));
  if (spec == job->spec && queue->no == job->queue && !job->is_array()) return Done{};

  // 2. The change.
  ++spec->jobs;  // held until all jobs that need it have it
  if (job->is_array())
    for (Job& child : job->extra->array->children) change_child(world, child, queue->no, spec, now);
  change_one(world, *job, queue->no, spec, now);
  if (job->is_gang()) update_nodes(world, *job);
  release_spec(world, spec, 1);
  world.changes.job(*job);
  world.pass_due = true;
  return Done{};
}

}  // namespace stoker::core
