#pragma once
// Fleet sizing in the simulation: when it looks, what it is shown, and its plan carried out.
#include "sim/run/world.h"

namespace stoker::sim {

// Looks at all environments that have a fleet, if it is time.
void look(World& world);
// The next look at the environment is then at the latest.
void foresee_look(World& world, std::size_t environment, Instant at);

}  // namespace stoker::sim
