#pragma once
// Ending jobs on request (aws-batch: CancelJob, TerminateJob, DeleteJobQueue).
#include "base/result.h"
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

// SUBMITTED, PENDING and RUNNABLE jobs end as FAILED at once. STARTING and RUNNING ones are left alone,
// unknown and ended ones too; none of that is an error. An array: all its children. InvalidArgument for one
// node of a multi-node job that has not ended.
Result<Answer> cancel_job(World& world, Instant now, const CancelJob& request);
// As cancel, and active jobs are stopped: they end when their node says so.
Result<Answer> terminate_job(World& world, Instant now, const TerminateJob& request, Actions& out);
// Every job of the queue.
void terminate_jobs_of(World& world, QueueNo queue, const std::string& reason, Instant now, Actions& out);

// Every job of the queue that names this share.
void terminate_jobs_of_share(World& world, QueueNo queue, const std::string& share, const std::string& reason,
                             Instant now, Actions& out);

// Fails a job, or the children of an array, as far as they have not started.
void end_unstarted(World& world, Job& job, const std::string& reason, Instant now);
// Asks the node to stop the active attempt.
void ask_to_stop(World& world, Job& job, Actions& out);

}  // namespace stoker::core
