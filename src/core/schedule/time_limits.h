#pragma once
// jobStateTimeLimitActions: the job at the head of its queue that has waited for one and the same reason for
// too long is cancelled (aws-batch.md 6.3).
#include "core/world.h"

namespace stoker::core {

// After a pass, which gave the reasons. Sets World::next_time_limit; a pass is due when somebody was
// cancelled.
void cancel_stuck_heads(World& world, Instant now);

}  // namespace stoker::core
