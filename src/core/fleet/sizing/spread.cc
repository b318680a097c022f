#include "core/fleet/sizing/spread.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace stoker::fleet {
namespace {

// Each on a machine of the offer, or on as many as the runs fill.
Money per_run(Money price, const Offer& offer, std::int64_t runs) {
  return {price.micros / std::max<std::int64_t>(1, std::min(offer.slots, runs))};
}

}  // namespace

bool Spread::is_crowded(const Pool& pool) const {
  if (pool.market != Market::Spot) return false;
  // When there is one more; two are never too many.
  const std::int64_t all = survey_.spot_nodes() + 1;
  const std::int64_t most =
      std::max<std::int64_t>(2, (all * policy_.market.pool_share_percent_max + 99) / 100);
  return survey_.nodes_in(pool) + 1 > most;
}

std::vector<Offer> Spread::uncrowded(const std::vector<Offer>& offers, std::int64_t runs) const {
  if (offers.empty() || offers.front().pool.market != Market::Spot) return offers;
  std::optional<Money> most;
  for (const Offer& offer : offers)
    if (const auto on_demand = catalogue_.on_demand(offer.pool.type, policy_.region)) {
      const Money price = per_run(*on_demand, offer, runs);
      if (!most || price < *most) most = price;
    }
  std::vector<Offer> cheap = offers;
  std::erase_if(cheap, [&](const Offer& offer) { return most && per_run(offer.price, offer, runs) > *most; });
  if (cheap.empty()) return offers;
  std::vector<Offer> open = cheap;
  std::erase_if(open, [&](const Offer& offer) { return is_crowded(offer.pool); });
  if (!open.empty()) return open;
  const auto there = [&](const Offer& offer) { return survey_.nodes_in(offer.pool); };
  const std::int64_t fewest = there(*std::ranges::min_element(cheap, {}, there));
  std::erase_if(cheap, [&](const Offer& offer) { return there(offer) > fewest; });
  return cheap;
}

Pool Spread::pick(const std::vector<Offer>& offers, const InstanceType& type) const {
  const Offer* best = nullptr;
  std::tuple<bool, std::int64_t, std::int64_t> best_key;
  for (const Offer& offer : offers) {
    if (offer.pool.type != type.name) continue;
    const std::int64_t there = survey_.nodes_in(offer.pool);
    const bool crowded = is_crowded(offer.pool);
    const std::tuple key(crowded, crowded ? 0 : offer.weighed.micros, there);
    if (best != nullptr && key >= best_key) continue;
    best = &offer;
    best_key = key;
  }
  return best->pool;
}

}  // namespace stoker::fleet
