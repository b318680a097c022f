#include "core/schedule/waiting.h"

#include "base/assert.h"
#include "core/state.h"

namespace stoker::core {

GroupKey group_of(const Job& job) {
  const JobSpec& spec = *job.spec;
  return {.share = spec.share,
          .priority = spec.share.empty() ? 0 : spec.scheduling_priority,
          .shape = spec.shape};
}

const WaitReason* find_wait_reason(const State& state, const Job& job) {
  const auto queue = state.waiting.find(job.queue);
  if (job.status != JobStatus::Runnable || queue == state.waiting.end()) return nullptr;
  const auto group = queue->second.find(group_of(job));
  return group == queue->second.end() ? nullptr : &group->second.reason;
}

void enter_waiting(State& state, const Job& job) {
  state.waiting[job.queue][group_of(job)].jobs.insert(job.no);
}

void leave_waiting(State& state, const Job& job) {
  WaitingJobs& waiting = state.waiting[job.queue];
  const auto found = waiting.find(group_of(job));
  ASSERT(found != waiting.end() && found->second.jobs.erase(job.no), "a runnable job that does not wait");
  if (found->second.jobs.empty()) waiting.erase(found);
}

}  // namespace stoker::core
