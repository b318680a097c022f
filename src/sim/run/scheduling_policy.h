#pragma once
// The scheduling policy of a queue in a scenario, with the members of CreateSchedulingPolicy.
#include "sim/run/members.h"

namespace stoker::sim {

// The member schedulingPolicy of a queue; null when it is absent. Its members are known and of the right
// kind; what they may be is for the core to say (set_up.h).
Result<json::Shared> read_scheduling_policy(Members& queue);

// Jobs under it name quota shares. `policy` may be null.
bool is_about_quotas(const json::Shared& policy);

}  // namespace stoker::sim
