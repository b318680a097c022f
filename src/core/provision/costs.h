#pragma once
// What jobs and environments cost so far, for read views: what is accounted for, and the provisional lines of
// machines that go on. Costs by the runs that those machines served.
#include <string>

#include "core/cost/summary.h"
#include "core/state.h"

namespace stoker::core {

// An array: with all its children.
cost::Totals cost_of_job(const State& state, const Job& job, Instant now);
cost::Totals cost_of_environment(const State& state, const std::string& environment, Instant now);

}  // namespace stoker::core
