#pragma once
// The state of the core in the terms of sizing (core/fleet).
#include "core/provision/fleet.h"
#include "core/world.h"

namespace stoker::core {

// Of a multi-node job: what each of its nodes needs at most.
fleet::Need need_of(const State& state, const Shape& shape);

// One job of the shape: a multi-node job as a gang, or as one run where all its nodes must be on one machine.
fleet::Demand demand_for(const State& state, const Shape& shape);

// The machines of an environment, what is known of its pools, and its budget's verdict.
fleet::FleetState snapshot_of(World& world, const ComputeEnvironment& environment, Fleet& fleet,
                              const fleet::FleetPolicy& policy, Instant now);

}  // namespace stoker::core
