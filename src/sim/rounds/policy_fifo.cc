#include <algorithm>

#include "sim/rounds/rounds.h"

namespace stoker::sim {

void order_fifo(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {}, &Turn::job);
}

}  // namespace stoker::sim
