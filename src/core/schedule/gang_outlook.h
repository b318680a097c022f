#pragma once
// Where a gang that finds no room now can start first: what would fit if the runs that are there had ended.
// Worked out on copies with the code that places.
#include <string>
#include <vector>

#include "core/placement/gang.h"
#include "core/schedule/estimate.h"
#include "core/world.h"

namespace stoker::core {

struct GangOutlook {
  std::vector<Node*> nodes;      // that the gang would use
  std::vector<Shape> parts;      // of it, by node: what its runs there need together
  std::size_t placed = 0;        // how many of its runs would have a place
  Runs in_the_way;               // that have to end first, ascending
  std::optional<Instant> start;  // when they all have, as far as time limits tell
};

// On these nodes, when those runs have ended. Runs that are not named stay.
GangOutlook gang_outlook_on(const World& world, const std::vector<Node*>& nodes, const GangAsk& ask,
                            const Runs& in_the_way, Instant now);

// On the set of these nodes where the gang can start first, as near each other as it wishes. Where they could
// not hold all of it even when empty, those that would hold most.
GangOutlook best_gang_outlook(const World& world, const std::vector<Node*>& nodes, const GangAsk& ask,
                              Instant now);

}  // namespace stoker::core
