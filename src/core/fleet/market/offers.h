#pragma once
// Which pools could serve a need now, at what price; and which of them an allocation strategy takes.
#include <vector>

#include "core/fleet/demand/demand.h"
#include "core/fleet/market/market_choice.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

struct Offer {
  Pool pool;
  std::size_t order = 0;  // of the type in the policy's list
  std::int64_t vcpus = 0;
  std::int64_t gpus = 0;
  std::int64_t slots = 0;  // runs an empty machine takes
  Money price;             // per hour
  Money weighed;  // the price the strategy compares: with a premium for interruptions where it says so
  std::int64_t interruption_percent = 0;  // 0: not known
  bool parked = false;
  Instant parked_until;
  bool avoided = false;  // others first
};

struct Offers {
  std::vector<Offer> spot;       // affordable and steady enough; parked ones too
  std::vector<Offer> on_demand;  // parked ones too
  bool spot_dear = false;        // some spot pool asks more than the policy pays
  bool spot_unsteady = false;    // some spot pool is interrupted more than the demand bears
  bool without_price = false;    // some pool has no known price

  [[nodiscard]] SpotOffer summary() const;
};

Offers find_offers(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                   const Demand& demand, Instant now);

// The offers that the strategy would use for the next machines, the cheapest per run first. BEST_FIT names
// its type even when pools of it are parked: it waits for them; the others leave parked pools out. Strategies
// about spot treat on-demand as BEST_FIT_PROGRESSIVE does.
std::vector<Offer> narrow(Strategy strategy, Market market, std::vector<Offer> offers);
void drop_parked(std::vector<Offer>& offers);
// Where there are others that can be used now.
void drop_avoided(std::vector<Offer>& offers);

}  // namespace stoker::fleet
