// Max-min fairness over GPU time, as Gavel weighs jobs of several GPUs: the share of rounds of each so that
// the least GPU time is as large as can be, and in each round those first that are most behind their share
// (docs/decisions/070).
#include <algorithm>
#include <tuple>

#include "sim/rounds/rounds.h"

namespace stoker::sim {
namespace {

constexpr std::int64_t kWhole = 1'000'000;

// How many GPUs, in millionths, everybody may have at most so that together they have all: water filling.
std::int64_t water_level(const std::vector<Turn>& turns, std::int64_t gpus) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(turns.size());
  for (const Turn& turn : turns) sizes.push_back(turn.gpus * kWhole);
  std::ranges::sort(sizes);
  std::int64_t left = gpus * kWhole;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t level = left / static_cast<std::int64_t>(sizes.size() - i);
    if (sizes[i] > level) return level;
    left -= sizes[i];
  }
  return INT64_MAX;  // enough for all
}

}  // namespace

void share_max_min_gpu_time(std::vector<Turn>& turns, std::int64_t gpus) {
  const std::int64_t level = water_level(turns, gpus);
  for (Turn& turn : turns) turn.share = std::max<std::int64_t>(1, std::min(kWhole, level / turn.gpus));
}

// Everybody starts with half a round, as Gavel's scheduler counts: else all would have one before anybody has
// a second, whatever their shares.
void order_max_min_gpu_time(std::vector<Turn>& turns) {
  std::ranges::sort(turns, {}, [](const Turn& turn) {
    const std::int64_t halves = 2 * turn.rounds + 1;
    return turn.share == 0 ? std::tuple(INT64_MAX, std::int64_t{0}, turn.job)
                           : std::tuple(halves * kWhole * 1000 / turn.share, -turn.share, turn.job);
  });
}

}  // namespace stoker::sim
