#pragma once
// Machines of several types for a number of equal runs: the cheapest, or those that take up least below a
// limit.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/fleet/market/offers.h"
#include "core/fleet/sizing/cover.h"
#include "core/fleet/sizing/tally.h"

namespace stoker::fleet {

// A type, and how many runs it takes when it is empty: at least one.
struct SlotsOfType {
  const InstanceType* type = nullptr;
  std::int64_t slots = 0;
};
// How many machines of each type hold the runs and have together the least of an amount.
std::vector<std::int64_t> least(const std::vector<SlotsOfType>& types, std::int64_t runs, Amount amount);

// Offers, and how many machines of each. None: there are no such machines.
using Mix = std::vector<std::pair<const Offer*, std::int64_t>>;

// Borrows what it is made of, and the offers that it is asked about.
class Mixer {
 public:
  Mixer(const Catalogue& catalogue, const FleetLimits& limits) : catalogue_(catalogue), limits_(limits) {}

  // The first offer of each type of which one more machine is allowed, in the order of the offers.
  [[nodiscard]] std::vector<const Offer*> types_within(const std::vector<Offer>& usable,
                                                       const Tally& tally) const;
  // Of the types, whatever the limits say: those that are cheapest together.
  [[nodiscard]] static Mix cheapest(const std::vector<const Offer*>& types, std::int64_t runs,
                                    const CoverTerms& terms);
  // Those that are inside the limits with what there is: by the first amount of which the least of it is.
  [[nodiscard]] Mix leanest(const std::vector<const Offer*>& types, std::int64_t runs,
                            const Tally& tally) const;
  // The cheapest for all of the runs when they are inside the limits, else the leanest.
  [[nodiscard]] Mix best_within(const std::vector<Offer>& usable, std::int64_t runs, const CoverTerms& terms,
                                const Tally& tally) const;
  [[nodiscard]] Tally tally_of(const Mix& mix) const;

 private:
  [[nodiscard]] bool all_within(const Mix& mix, Tally tally) const;

  const Catalogue& catalogue_;
  const FleetLimits& limits_;
};

}  // namespace stoker::fleet
