#pragma once
// Where all nodes of a multi-node job can run at once: in the first of its environments that has room for the
// whole of it. Nodes that are kept for earlier jobs serve no gang.
#include <vector>

#include "core/job/life.h"
#include "core/schedule/gate.h"
#include "core/schedule/kept.h"

namespace stoker::core {

// What its nodes ask for, as far as its quota share leaves it the choice.
GangAsk gang_ask(World& world, const Contender& contender);

struct GangSearch {
  std::vector<RunPlace> places;  // of the nodes, in their order; empty: no place
  Hold hold;                     // why, when there is none
};

// Where nothing has room, nodes may be kept for the job from now on.
GangSearch find_gang_places(World& world, Kept& kept, const Contender& contender);
// Keeps them without a look at what has room: for a job for which others are being stopped, and which some
// rule holds until they have ended.
void keep_gang_places(World& world, Kept& kept, const Contender& contender);

}  // namespace stoker::core
