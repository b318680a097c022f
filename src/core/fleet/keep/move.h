#pragma once
// Whether runs are worth moving off a machine, so that it can go.
#include <vector>

#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

// A job is moved that often at most, and not again for so long after it was moved, but when its machine is to
// be left. So a job that is moved to and fro loses little, and all its moves are bounded.
inline constexpr int kMovesMax = 20;
inline constexpr Duration kMoveRest = hours(1);

// Emptying a machine saves its price for as long as its runs would have kept it. It costs the work that they
// do again and their starts elsewhere; at most at the same price, since each of them has a part of a machine
// there. All must be movable.
bool pays_to_move(const std::vector<NodeRuns>& runs);

}  // namespace stoker::fleet
