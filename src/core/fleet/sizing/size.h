#pragma once
// Fleet sizing: what to launch and what to let go, for one environment, now.
#include <span>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/demand.h"
#include "core/fleet/sizing/plan.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

// `demands` in the order in which they should be served: what the placement pass could not place now. The
// plan depends on nothing but the arguments. It keeps inside the limits if the state is inside; it launches
// nothing for runs that fit on machines that are ready or under way; it does not let go a machine that it
// just wants. What a limit keeps waiting keeps what it is short of from those after it, and machines make
// room that cannot hold it.
Plan size_fleet(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                std::span<const Demand> demands, Instant now);

}  // namespace stoker::fleet
