#pragma once
// The requests of executions. Nothing: the answer comes later, as a Replied of its own.
#include "core/requests.h"
#include "core/world.h"

namespace stoker::core {

using Reply = std::optional<Result<Answer>>;

// StartExecution, StartSyncExecution.
Reply start_execution(World& world, Instant now, RequestId id, const StartExecution& request, Actions& out);
Result<Answer> stop_execution(World& world, Instant now, const StopExecution& request);
Reply redrive_execution(World& world, Instant now, RequestId id, const RedriveExecution& request,
                        Actions& out);
Reply get_activity_task(World& world, Instant now, RequestId id, const GetActivityTask& request,
                        Actions& out);
Result<Answer> send_task_success(World& world, Instant now, const SendTaskSuccess& request);
Result<Answer> send_task_failure(World& world, Instant now, const SendTaskFailure& request);
Result<Answer> send_task_heartbeat(World& world, Instant now, const SendTaskHeartbeat& request);
Result<Answer> update_map_run(World& world, Instant now, const ChangeMapRun& request);
// A submission on behalf of a task: only while the task lives, so that nothing runs for an execution that was
// stopped meanwhile.
Result<Answer> submit_task_job(World& world, Instant now, const SubmitTaskJob& request);

// The server's news of a task.
void on_workflow_news(World& world, Instant now, std::uint64_t execution, const workflow::News& news,
                      Actions& out);

}  // namespace stoker::core
