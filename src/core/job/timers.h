#pragma once
// What happens because time passes: attempt time-outs and the forgetting of old jobs.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

void run_timers(World& world, Instant now, Actions& out);
// The earliest instant at which run_timers or a placement pass has something to do because of time alone.
std::optional<Instant> next_timer(const World& world);

}  // namespace stoker::core
