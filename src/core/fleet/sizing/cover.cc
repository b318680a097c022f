#include "core/fleet/sizing/cover.h"

#include <algorithm>
#include <limits>

namespace stoker::fleet {
namespace {

struct Cell {
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
  std::int64_t machines = 0;
  std::size_t last = 0;  // the type of the last machine
};

// The type with the least cost per slot.
std::size_t cheapest_per_slot(std::span<const CoverType> types, const CoverTerms& terms) {
  const auto dearer = [&](const CoverType& a, const CoverType& b) {
    return static_cast<Wide>(cost_of_one(a, terms).micros) * b.slots <
           static_cast<Wide>(cost_of_one(b, terms).micros) * a.slots;
  };
  return static_cast<std::size_t>(std::ranges::min_element(types, dearer) - types.begin());
}

}  // namespace

Money cost_of_one(const CoverType& type, const CoverTerms& terms) {
  return cost_of(type.per_hour, terms.time) + terms.launch_fee;
}

std::vector<std::int64_t> cover(std::span<const CoverType> types, std::int64_t runs,
                                const CoverTerms& terms) {
  std::vector<std::int64_t> counts(types.size(), 0);
  if (types.empty() || runs <= 0) return counts;
  if (runs > kCoverRunsMax) {
    const std::size_t best = cheapest_per_slot(types, terms);
    const std::int64_t machines = (runs - kCoverRunsMax + types[best].slots - 1) / types[best].slots;
    counts[best] += machines;
    runs -= machines * types[best].slots;
  }
  // cells[n]: the cheapest machines with at least n slots.
  std::vector<Cell> cells(static_cast<std::size_t>(std::max<std::int64_t>(runs, 0)) + 1);
  cells[0].cost = 0;
  for (std::size_t n = 1; n < cells.size(); ++n)
    for (std::size_t t = 0; t < types.size(); ++t) {
      const auto slots = static_cast<std::size_t>(types[t].slots);
      const Cell& rest = cells[n > slots ? n - slots : 0];
      const std::int64_t cost = rest.cost + cost_of_one(types[t], terms).micros;
      if (cost < cells[n].cost || (cost == cells[n].cost && rest.machines + 1 < cells[n].machines))
        cells[n] = {cost, rest.machines + 1, t};
    }
  for (std::size_t n = cells.size() - 1; n > 0;) {
    const std::size_t t = cells[n].last;
    ++counts[t];
    const auto slots = static_cast<std::size_t>(types[t].slots);
    n = n > slots ? n - slots : 0;
  }
  return counts;
}

}  // namespace stoker::fleet
