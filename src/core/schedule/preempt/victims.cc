#include "core/schedule/preempt/victims.h"

#include "core/schedule/preempt/claims.h"

namespace stoker::core {

Victim victim_of(const Job& job, Instant now) {
  return {.job = job.no,
          .priority = job.spec->scheduling_priority,
          .lost = lost_work(job, now),
          .since = job.extra->attempts.back().placed_at};
}

bool goes_before(const Victim& a, const Victim& b) {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.lost != b.lost) return a.lost < b.lost;
  return a.since != b.since ? a.since > b.since : a.job > b.job;
}

Duration lost_work(const Job& job, Instant now) {
  if (job.status != JobStatus::Running || now < job.started_at) return {};
  return now - kept_until(job.spec->wishes, {.works_from = job.started_at, .told_at = now, .at = now});
}

bool is_preemptible(const Job& job) {
  return job.spec->wishes.preemptible.value_or(true) && preemptions(job) < kPreemptionsMax;
}

}  // namespace stoker::core
