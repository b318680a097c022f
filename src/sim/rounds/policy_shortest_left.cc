#include <algorithm>

#include "sim/rounds/rounds.h"

namespace stoker::sim {

void order_shortest_left(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {}, [](const Turn& turn) { return std::pair(turn.left, turn.job); });
}

}  // namespace stoker::sim
