#include "core/schedule/waiting.h"

#include "base/assert.h"
#include "core/resources/max_running.h"
#include "core/schedule/preempt/victims.h"
#include "core/state.h"

namespace stoker::core {

namespace {

JobNo limited_array(const State& state, const Job& job) {
  if (!job.is_child() || job.is_node()) return {};
  const std::optional<Tags>& tags = state.jobs.parent_of(job).extra->tags;
  return tags && max_running_in(*tags) ? job.parent : JobNo{};
}

}  // namespace

GroupKey group_of(const State& state, const Job& job) {
  const JobSpec& spec = *job.spec;
  const std::optional<std::int64_t>& most = spec.wishes.max_running;
  return {.share = spec.share,
          .priority = spec.share.empty() ? 0 : spec.scheduling_priority,
          .definition = most ? spec.definition->name : "",
          .definition_max = most.value_or(0),
          .array = limited_array(state, job),
          .shape = spec.shape,
          .stays = !spec.share.empty() && !is_preemptible(job)};
}

const WaitingGroup* find_waiting_group(const State& state, const Job& job) {
  const auto queue = state.waiting.find(job.queue);
  if (job.status != JobStatus::Runnable || queue == state.waiting.end()) return nullptr;
  const auto group = queue->second.find(group_of(state, job));
  return group == queue->second.end() ? nullptr : &group->second;
}

const WaitReason* find_wait_reason(const State& state, const Job& job) {
  const WaitingGroup* group = find_waiting_group(state, job);
  return group == nullptr ? nullptr : &group->shown();
}

bool is_about_capacity(WaitKind kind) {
  switch (kind) {
    case WaitKind::None:
    case WaitKind::Resources:
    case WaitKind::Order:
    case WaitKind::NeverFits:
    case WaitKind::NoNodes:
    case WaitKind::Launching:
    case WaitKind::NoCapacity:
    case WaitKind::Limit:
    case WaitKind::Budget:
    case WaitKind::Market:
    case WaitKind::Patience:
    case WaitKind::Invalid:
      return true;
    case WaitKind::Consumables:
    case WaitKind::Cap:
    case WaitKind::Reservation:
    case WaitKind::Disabled:
    case WaitKind::Quota:
      return false;
  }
  return false;
}

void enter_waiting(State& state, const Job& job) {
  WaitingGroup& group = state.waiting[job.queue][group_of(state, job)];
  group.jobs.insert(job.no);
  if (job.spec->wishes.has_deadline()) group.due.insert(job.no);
}

void leave_waiting(State& state, const Job& job) {
  WaitingJobs& waiting = state.waiting[job.queue];
  const auto found = waiting.find(group_of(state, job));
  ASSERT(found != waiting.end() && found->second.jobs.erase(job.no), "a runnable job that does not wait");
  found->second.due.erase(job.no);
  if (found->second.jobs.empty()) waiting.erase(found);
}

}  // namespace stoker::core
