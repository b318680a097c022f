#pragma once
// Tenants of the jobs as shares of their queues.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sim/run/scenario.h"

namespace stoker::sim {

// The share identifier of the tenant's jobs, empty on queues without shares. On queues with quota shares it
// is the tenant's name; with another scheduling policy its letters and digits, since identifiers have no
// others.
std::string share_of_tenant(const SimQueue& queue, std::string_view tenant);

// `tenants` by the names of their queues, which the scenario has. Each tenant can have a share, and none has
// that of another: InvalidArgument names those that do not.
Result<void> check_tenants(const Scenario& scenario,
                           const std::map<std::string_view, std::set<std::string_view>>& tenants);

}  // namespace stoker::sim
