#pragma once
// Who would have to stop so that a waiting job can start: planned on copies of the books, with the same
// predicates that start jobs. Nothing is stopped here, and there is no plan where stopping would not let the
// job start.
//
// Two grounds. Across shares: a job within the limits of its share takes back what shares that hold more than
// their limits have. Inside a share that allows it: a job takes the place of one with lower
// schedulingPriority. Who is stopped for a job cannot stop that job in turn: it is of a share that is over
// its limits, while the other's is not, or it has the lower priority of the two.
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/state.h"

namespace stoker::core {

// An attempt that could be stopped, and what that would cost.
struct Victim {
  JobNo job;
  int priority = 0;
  Duration lost;  // work since the last checkpoint
  Instant since;  // placed
};
// The order in which victims are taken: lowest priority, least lost work, youngest, last submitted.
bool goes_before(const Victim& a, const Victim& b);
// What stopping it now would lose. A job that saves when it is told to end loses nothing, one that saves
// every so often what it did since, any other all it did.
Duration lost_work(const Job& job, Instant now);
// The job may be stopped for others, and so may borrow: its tag stoker:preemptible says so or nothing, and it
// was not preempted kPreemptionsMax times.
bool is_preemptible(const Job& job);
// A job that was stopped so often is left alone; the attempts of a job stay a list that can be kept.
inline constexpr int kPreemptionsMax = 100;

struct PreemptionPlan {
  std::string node;  // where the job will run; "": there is room already, its share has to give
  std::vector<JobNo> victims;
};
// `kept`: nodes that are kept for other jobs, where none of it would be this one's.
std::optional<PreemptionPlan> plan_preemption(const State& state, const Job& job,
                                              const std::set<std::string>& kept, Instant now);

}  // namespace stoker::core
