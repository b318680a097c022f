#pragma once
// Who can be stopped so that others run, and in which order.
#include "core/model/job.h"
#include "core/model/types.h"

namespace stoker::core {

// An attempt that could be stopped, and what that would cost.
struct Victim {
  JobNo job;
  int priority = 0;
  Duration lost;  // work since the last checkpoint
  Instant since;  // placed
};
// The job must be active.
Victim victim_of(const Job& job, Instant now);
// The order in which victims are taken: lowest priority, least lost work, youngest, last submitted.
bool goes_before(const Victim& a, const Victim& b);
// What stopping it now would lose (model/wishes.h).
Duration lost_work(const Job& job, Instant now);
// The job may be stopped for others, and so may borrow: its tag stoker:preemptible says so or nothing, and it
// was not preempted kPreemptionsMax times.
bool is_preemptible(const Job& job);
// A job that was stopped so often is left alone; the attempts of a job stay a list that can be kept.
inline constexpr int kPreemptionsMax = 100;

}  // namespace stoker::core
