#pragma once
// Where all nodes of a multi-node job can run at once: in the first of its environments that has room for the
// whole of it. Nodes that are kept for other jobs serve no gang.
#include <vector>

#include "core/job/life.h"
#include "core/schedule/gate.h"
#include "core/schedule/kept.h"

namespace stoker::core {

// What the nodes of a job of that shape ask for, as far as its quota share leaves it the choice.
GangAsk gang_ask(const State& state, const Shape& gang, const QuotaVerdict& verdict);

struct GangSearch {
  std::vector<RunPlace> places;  // of the nodes, in their order; empty: no place
  Hold hold;                     // why, when there is none
};

// Where nothing has room, nodes may be kept for the job from now on. A job with a claim goes where room was
// made for it, if it can.
GangSearch find_gang_places(World& world, Kept& kept, const Contender& contender);
// For a job with a claim: the nodes where it can start when those have ended that are being stopped.
void keep_for_claim(World& world, Kept& kept, const Contender& contender);

}  // namespace stoker::core
