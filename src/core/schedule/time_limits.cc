#include "core/schedule/time_limits.h"

#include <algorithm>

#include "core/job/stop.h"
#include "core/schedule/order.h"

namespace stoker::core {
namespace {

// The action that is about what the head of the queue waits for; null: there is none.
const TimeLimitAction* action_for(const JobQueue& queue, const WaitReason& reason) {
  const auto found = std::ranges::find_if(queue.time_limit_actions, [&](const TimeLimitAction& action) {
    return reason.text.starts_with(action.reason);
  });
  return found == queue.time_limit_actions.end() ? nullptr : &*found;
}

void note_stuck(World& world, JobQueue& queue, StuckHead head) {
  if (queue.stuck == head) return;
  queue.stuck = std::move(head);
  world.changes.document(DocumentKind::JobQueue, std::to_string(queue.no.value));
}

}  // namespace

void cancel_stuck_heads(World& world, Instant now) {
  world.next_time_limit.reset();
  for (const auto& [no, waiting] : world.state.waiting) {
    JobQueue& queue = world.state.queues.at(no);
    if (queue.time_limit_actions.empty() || waiting.empty()) {
      note_stuck(world, queue, {});
      continue;
    }
    const Order::Next head = *Order(world.state, queue, now).next();
    const WaitReason& reason = waiting.at(*head.group).shown();
    Job& job = *world.state.jobs.find(head.job);
    const TimeLimitAction* action = action_for(queue, reason);
    if (action == nullptr) {
      // After a restart what it waits for is not known until its nodes are back.
      if (queue.stuck.job != head.job || !world.nodes_back_by) note_stuck(world, queue, {});
      continue;
    }
    StuckHead stuck{head.job, action->reason, std::max(reason.since, job.runnable_at)};
    if (queue.stuck.job == stuck.job && queue.stuck.reason == stuck.reason)
      stuck.since = std::clamp(queue.stuck.since, job.runnable_at, stuck.since);
    const Instant due = stuck.since + action->most;
    note_stuck(world, queue, std::move(stuck));
    if (due <= now) {
      end_unstarted(world, job, "Canceled by JobStateTimeLimit action due to reason: " + action->reason, now);
      world.pass_due = true;
    } else if (!world.next_time_limit || due < *world.next_time_limit) {
      world.next_time_limit = due;
    }
  }
}

}  // namespace stoker::core
