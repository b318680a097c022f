#include "core/fleet/market/offers.h"

#include <algorithm>

namespace stoker::fleet {
namespace {

// Pools about which nothing is known count as interrupted that often.
constexpr std::int64_t kUnknownInterruption = 25;
// The highest band has no upper edge; as a premium on the price it counts like this.
constexpr std::int64_t kPremiumMax = 30;

std::int64_t interruption_of(const Offer& offer) {
  return offer.interruption_percent == 0 ? kUnknownInterruption : offer.interruption_percent;
}

bool costs_less(const Offer& a, const Offer& b) {
  // Per run: price / slots, without dividing.
  const Wide left = static_cast<Wide>(a.weighed.micros) * b.slots;
  const Wide right = static_cast<Wide>(b.weighed.micros) * a.slots;
  if (left != right) return left < right;
  if (a.weighed != b.weighed) return a.weighed < b.weighed;
  return a.order < b.order;
}

void mark_parked(Offer& offer, const PoolBook& pools, Instant now) {
  const auto parked = pools.parked(offer.pool, now);
  offer.parked = parked.has_value();
  if (parked) offer.parked_until = parked->until;
  offer.avoided = pools.avoided(offer.pool, now);
}

void keep_type_of_first(std::vector<Offer>& offers) {
  if (offers.empty()) return;
  const std::string type = offers.front().pool.type;
  std::erase_if(offers, [&](const Offer& offer) { return offer.pool.type != type; });
}

void keep_steadiest(std::vector<Offer>& offers) {
  if (offers.empty()) return;
  const std::int64_t least = interruption_of(*std::ranges::min_element(offers, {}, interruption_of));
  std::erase_if(offers, [&](const Offer& offer) { return interruption_of(offer) != least; });
}

}  // namespace

void drop_parked(std::vector<Offer>& offers) {
  std::erase_if(offers, [](const Offer& offer) { return offer.parked; });
}

void drop_avoided(std::vector<Offer>& offers) {
  const auto is_open = [](const Offer& offer) { return !offer.parked && !offer.avoided; };
  if (std::ranges::any_of(offers, is_open)) std::erase_if(offers, &Offer::avoided);
}

SpotOffer Offers::summary() const {
  SpotOffer offer{.open = false, .parked = false, .dear = spot_dear};
  for (const Offer& one : spot) (one.parked ? offer.parked : offer.open) = true;
  return offer;
}

Offers find_offers(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                   const Demand& demand, Instant now) {
  Offers offers;
  for (std::size_t order = 0; order < policy.types.size(); ++order) {
    const InstanceType* type = catalogue.find(policy.types[order]);
    if (type == nullptr) continue;
    const std::int64_t count = slots(room_of(*type), demand.need);
    if (count == 0) continue;
    const auto on_demand = catalogue.on_demand(type->name, policy.region);
    for (const std::string& zone : policy.zones) {
      Offer offer{.pool = {type->name, zone, Market::OnDemand},
                  .order = order,
                  .vcpus = type->vcpus,
                  .gpus = type->gpus,
                  .slots = count,
                  .price = {},
                  .weighed = {},
                  .interruption_percent = 0,
                  .parked = false,
                  .parked_until = {},
                  .avoided = false};
      if (on_demand) {
        offer.price = offer.weighed = *on_demand;
        mark_parked(offer, state.pools, now);
        offers.on_demand.push_back(offer);
      } else {
        offers.without_price = true;
      }
      const auto quote = state.quotes.find({type->name, zone});
      const auto spot = quote != state.quotes.end() ? std::optional(quote->second.price)
                                                    : catalogue.typical_spot(type->name, policy.region);
      if (!spot) {
        offers.without_price = true;
        continue;
      }
      offer.pool.market = Market::Spot;
      offer.price = *spot;
      offer.interruption_percent = quote != state.quotes.end() && quote->second.interruption_percent != 0
                                       ? quote->second.interruption_percent
                                       : type->interruption_percent;
      if (on_demand && static_cast<Wide>(spot->micros) * 100 >
                           static_cast<Wide>(on_demand->micros) * policy.market.price_percent_max) {
        offers.spot_dear = true;
        continue;
      }
      if (demand.interruption_percent_max > 0 && interruption_of(offer) > demand.interruption_percent_max) {
        offers.spot_unsteady = true;
        continue;
      }
      const bool premium = policy.strategy == Strategy::SpotPriceCapacityOptimized;
      offer.weighed = {offer.price.micros *
                       (100 + (premium ? std::min(kPremiumMax, interruption_of(offer)) : 0)) / 100};
      mark_parked(offer, state.pools, now);
      offers.spot.push_back(offer);
    }
  }
  return offers;
}

std::vector<Offer> narrow(Strategy strategy, Market market, std::vector<Offer> offers) {
  const bool on_spot = market == Market::Spot;
  const auto by_list = [](const Offer& a, const Offer& b) { return a.order < b.order; };
  std::ranges::stable_sort(offers, costs_less);
  switch (strategy) {
    case Strategy::BestFit:
      keep_type_of_first(offers);
      break;
    case Strategy::BestFitProgressiveOrdered:
      drop_parked(offers);
      std::ranges::stable_sort(offers, by_list);
      keep_type_of_first(offers);
      break;
    case Strategy::SpotCapacityOptimizedPrioritized:
      drop_parked(offers);
      if (!on_spot) break;
      keep_steadiest(offers);
      std::ranges::stable_sort(offers, by_list);
      keep_type_of_first(offers);
      break;
    case Strategy::SpotCapacityOptimized:
      drop_parked(offers);
      if (on_spot) keep_steadiest(offers);
      break;
    case Strategy::BestFitProgressive:
    case Strategy::SpotPriceCapacityOptimized:
      drop_parked(offers);
      break;
  }
  return offers;
}

}  // namespace stoker::fleet
