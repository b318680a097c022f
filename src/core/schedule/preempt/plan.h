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
#include <string>
#include <vector>

#include "core/schedule/preempt/prospect.h"
#include "core/world.h"

namespace stoker::core {

struct PreemptionPlan {
  std::string node;  // where the job will run; "": there is room already, its share has to give
  std::vector<JobNo> victims;
  // Of a multi-node job, which has several nodes: where it will run, and what is kept there for it.
  std::string environment = {};
  KeptPlace keep = {};
};
// The job waits in the queue of the prospect and belongs to one of its quota shares.
std::optional<PreemptionPlan> plan_preemption(const World& world, Prospect& prospect, const Job& job);

}  // namespace stoker::core
