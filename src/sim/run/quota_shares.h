#pragma once
// Quota shares of a queue in a scenario, with the members of CreateQuotaShare.
#include <vector>

#include "core/model/quota.h"
#include "sim/run/members.h"

namespace stoker::sim {

// The member quotaShares of a queue; none when it is absent or empty. The queue's number is not set.
Result<std::vector<core::QuotaShare>> read_quota_shares(Members& queue);

}  // namespace stoker::sim
