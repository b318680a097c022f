#pragma once
// What a compute environment says of its fleet, in the terms of sizing.
#include "base/result.h"
#include "core/provision/fleet.h"
#include "core/world.h"

namespace stoker::core {

// Machines are launched for it: MANAGED, of type EC2 or SPOT, not Kubernetes, on a server that launches.
bool is_launching(const Settings& settings, const ComputeEnvironment& environment);

// What the names of its machines begin with, and no other's: then comes a number that is never used again.
std::string name_prefix(const ComputeEnvironment& environment);

// From its document (aws-batch.md 7.2, 7.3) and its tags (resources/fleet_tags.h). The text of the error is
// why the environment is INVALID.
Result<fleet::FleetPolicy> fleet_policy(const Settings& settings, const ComputeEnvironment& environment,
                                        const Fleet& fleet);

// The subnets of its document whose zones are not known yet.
std::vector<std::string> unknown_subnets(const ComputeEnvironment& environment, const Fleet& fleet);

}  // namespace stoker::core
