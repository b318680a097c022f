// Most work left first: long jobs never stand at the end alone, so all are done soonest. The open-shop
// schedule that Shockwave compares with.
#include <algorithm>

#include "sim/rounds/rounds.h"

namespace stoker::sim {

void order_longest_left(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {}, [](const Turn& turn) { return std::pair(-turn.left.ms, turn.job); });
}

}  // namespace stoker::sim
