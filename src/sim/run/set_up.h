#pragma once
// The environments and queues of a scenario, as the core is asked for them.
#include "sim/run/world.h"

namespace stoker::sim {

// All of them, with the machines that are there.
void set_up(World& world);

// InvalidArgument names the queue or environment that the core does not take, and why.
Result<void> check_set_up(const Scenario& scenario);

}  // namespace stoker::sim
