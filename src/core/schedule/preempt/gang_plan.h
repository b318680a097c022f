#pragma once
// Who would have to stop so that a multi-node job can start: docs/decisions/066.
#include <optional>

#include "core/schedule/gate.h"
#include "core/schedule/preempt/plan.h"
#include "core/world.h"

namespace stoker::core {

// The grounds are those of plan_preemption(). On machines that are kept for nobody else. Costs by the nodes
// of the environment times the logarithm of those that could be stopped, and by those that are.
std::optional<PreemptionPlan> plan_gang_preemption(const World& world, Prospect& prospect,
                                                   const Contender& contender);

}  // namespace stoker::core
