#include "core/fleet/keep/move.h"

#include <algorithm>

namespace stoker::fleet {

bool pays_to_move(const std::vector<NodeRuns>& runs) {
  Duration saved;
  Duration redone;
  for (const NodeRuns& entry : runs) {
    if (!entry.movable) return false;
    saved = std::max(saved, entry.left);
    redone = redone + entry.redone;
  }
  return saved > redone;
}

}  // namespace stoker::fleet
