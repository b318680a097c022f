#pragma once
// Who would have to stop so that a multi-node job can start: docs/decisions/066.
#include <optional>

#include "core/schedule/gate.h"
#include "core/schedule/preempt/plan.h"
#include "core/world.h"

namespace stoker::core {

struct GangPlan {
  PreemptionPlan stop;      // names no node: the job has several
  std::string environment;  // where the job will run,
  KeptPlace keep;           // and the machines to be kept there for it
};
// The grounds are those of plan_preemption(). For the job for which machines of an environment are kept,
// there; not necessarily on those. Nothing is changed but that shapes may be registered. Costs by the nodes
// of the environment times the logarithm of those that could be stopped.
std::optional<GangPlan> plan_gang_preemption(World& world, Prospect& prospect, const Contender& contender);

}  // namespace stoker::core
