#include "core/schedule/time_limits.h"

#include <algorithm>

#include "core/job/stop.h"
#include "core/schedule/order.h"

namespace stoker::core {

void cancel_stuck_heads(World& world, Instant now) {
  world.next_time_limit.reset();
  for (const auto& [no, waiting] : world.state.waiting) {
    const JobQueue& queue = world.state.queues.at(no);
    if (queue.time_limit_actions.empty() || waiting.empty()) continue;
    const Order::Next head = *Order(world.state, queue, now).next();
    const WaitReason& reason = waiting.at(*head.group).shown();
    Job& job = *world.state.jobs.find(head.job);
    for (const TimeLimitAction& action : queue.time_limit_actions) {
      if (!reason.text.starts_with(action.reason)) continue;
      const Instant due = std::max(reason.since, job.runnable_at) + action.most;
      if (due <= now) {
        end_unstarted(world, job, "Canceled by JobStateTimeLimit action due to reason: " + action.reason,
                      now);
        world.pass_due = true;
        break;
      }
      if (!world.next_time_limit || due < *world.next_time_limit) world.next_time_limit = due;
    }
  }
}

}  // namespace stoker::core
