// Activities at work: tasks wait for workers, workers wait for tasks.
#include "core/machines/errors.h"
#include "core/machines/execution_rules.h"
#include "core/machines/limits.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"
#include "core/world.h"

namespace stoker::core {
namespace {

// Gives the task to the worker; false when the task is over.
bool give(World& world, Instant now, const workflow::TaskToken& token, const Poller& poller, Actions& out) {
  ExecutionInfo* info = world.state.executions.find(ExecutionNo{token.execution});
  if (info == nullptr || !info->live) return false;
  const auto task = info->live->task(token);
  if (!task || task->started) return false;
  if (hear(world, now, *info, workflow::TaskStarted{.token = token, .worker = poller.worker}) !=
      workflow::Heard::Taken)
    return false;
  out.push_back(
      Replied{poller.request, ActivityTaskGiven{.token = token.str(), .input = task->parameters.text()}});
  return true;
}

}  // namespace

void offer_task(World& world, Instant now, ActivityNo activity, const workflow::TaskToken& token,
                Actions& out) {
  ActivityQueue& queue = world.workflows.activities[activity];
  if (!queue.pollers.empty()) {
    const Poller poller = std::move(queue.pollers.front());
    queue.pollers.pop_front();
    if (!give(world, now, token, poller, out)) queue.pollers.push_front(poller);
    return;
  }
  queue.tasks.push_back(token);
}

std::optional<Result<Answer>> get_activity_task(World& world, Instant now, RequestId request,
                                                const GetActivityTask& asked, Actions& out) {
  const auto activity = world.state.machines.activity_at(asked.arn);
  if (!activity) return std::unexpected(activity.error());
  const ActivityNo number = (*activity)->no;
  ActivityQueue& queue = world.workflows.activities[number];
  const Poller poller{.request = request, .worker = asked.worker};
  while (!queue.tasks.empty()) {
    const workflow::TaskToken token = queue.tasks.front();
    queue.tasks.pop_front();
    if (give(world, now, token, poller, out)) return std::nullopt;
  }
  if (queue.pollers.size() >= kPollersMax)
    return states_error(Code::LimitExceeded, "ActivityWorkerLimitExceeded",
                        "Activity Worker Limit Exceeded: '" + asked.arn + "'");
  queue.pollers.push_back(poller);
  world.workflows.poll_ends.push_back({now + kPollTime, {number, request}});
  return std::nullopt;
}

}  // namespace stoker::core
