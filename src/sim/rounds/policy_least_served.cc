// Who had the least GPU time so far: newcomers first (Gu et al., "Tiresias", NSDI 2019, without its queues).
#include <algorithm>

#include "sim/rounds/rounds.h"

namespace stoker::sim {

void order_least_served(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {},
                    [](const Turn& turn) { return std::pair(turn.served.ms * turn.gpus, turn.job); });
}

}  // namespace stoker::sim
