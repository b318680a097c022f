#pragma once
// "Can never run" because of the limits: not even an environment without any other machine could hold it.
#include <optional>
#include <string>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/demand.h"
#include "core/fleet/sizing/policy.h"

namespace stoker::fleet {

// Nothing when one job of the demand may be inside the limits: proved limit by limit, and for jobs that take
// one machine by type. Else how to go on after "the environments", with the limit that binds: "cannot meet
// the CPU requirement of the job. Machines for it have 32 vCPU at least, and …". Types that could not hold a
// run do not count.
std::optional<std::string> beyond_limits(const Catalogue& catalogue, const FleetPolicy& policy,
                                         const Demand& demand);

}  // namespace stoker::fleet
