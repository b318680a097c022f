#pragma once
// Spot machines not all in one pool: what takes one of them back often takes them all.
#include <vector>

#include "core/fleet/market/offers.h"
#include "core/fleet/sizing/survey.h"

namespace stoker::fleet {

// Borrows what it is made of.
class Spread {
 public:
  Spread(const Catalogue& catalogue, const FleetPolicy& policy, const Survey& survey)
      : catalogue_(catalogue), policy_(policy), survey_(survey) {}

  // Whether the pool has as many spot machines as it may have where there are others.
  [[nodiscard]] bool is_crowded(const Pool& pool) const;
  // Of one market: the offers of pools that may have one more; where there are none, of those with the
  // fewest. Pools that cost more for the runs than the cheapest machine on demand would are no choice.
  [[nodiscard]] std::vector<Offer> uncrowded(const std::vector<Offer>& offers, std::int64_t runs) const;
  // For a machine of the type: the cheapest pool that is not crowded, equal ones in turn; of crowded ones the
  // one with the fewest machines. Some offer is of the type.
  [[nodiscard]] Pool pick(const std::vector<Offer>& offers, const InstanceType& type) const;

 private:
  const Catalogue& catalogue_;
  const FleetPolicy& policy_;
  const Survey& survey_;
};

}  // namespace stoker::fleet
