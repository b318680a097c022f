#pragma once
// The look at the fleets: what waits, what is there, what to launch and what to let go. After the placement
// pass, at most every kLooksApart; what happens in between is seen together. Costs by machines and shapes.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

inline constexpr Duration kLooksApart = seconds(5);

void look_at_fleets(World& world, Instant now, Actions& out);

// When look_at_fleets() has something to do because of time alone.
std::optional<Instant> next_look(const World& world);

}  // namespace stoker::core
