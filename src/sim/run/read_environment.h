#pragma once
// Where jobs run, as the member environments of a scenario says it.
#include "sim/run/members.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

// One entry of the list. Machines are of the catalogue.
Result<void> read_environment(Members& members, const fleet::Catalogue& catalogue,
                              SimEnvironment& environment);

}  // namespace stoker::sim
