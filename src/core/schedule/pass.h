#pragma once
// One placement pass: which waiting jobs start now, and where.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

// Starts what fits and leaves a reason at every shape that waits. Costs by placements and shapes, not by
// jobs.
void run_pass(World& world, Instant now, Actions& out);

}  // namespace stoker::core
