#include "core/fleet/sizing/mix.h"

#include <algorithm>

namespace stoker::fleet {
namespace {

Mix counts_of(const std::vector<const Offer*>& types, const std::vector<std::int64_t>& counts) {
  Mix mix;
  for (std::size_t t = 0; t < types.size(); ++t)
    if (counts[t] > 0) mix.emplace_back(types[t], counts[t]);
  return mix;
}

}  // namespace

std::vector<std::int64_t> least(const std::vector<SlotsOfType>& types, std::int64_t runs, Amount amount) {
  // The amount is the price of an hour.
  std::vector<CoverType> priced;
  for (const SlotsOfType& one : types) priced.push_back({one.slots, Money{amount_of(*one.type, amount)}});
  return cover(priced, runs, {.time = hours(1), .launch_fee = {}});
}

std::vector<const Offer*> Mixer::types_within(const std::vector<Offer>& usable, const Tally& tally) const {
  std::vector<const Offer*> types;
  for (const Offer& offer : usable) {
    const auto same = [&](const Offer* other) { return other->pool.type == offer.pool.type; };
    if (std::ranges::any_of(types, same)) continue;
    if (within(limits_, tally, *catalogue_.find(offer.pool.type))) types.push_back(&offer);
  }
  return types;
}

Mix Mixer::cheapest(const std::vector<const Offer*>& types, std::int64_t runs, const CoverTerms& terms) {
  std::vector<CoverType> priced;
  for (const Offer* offer : types) priced.push_back({offer->slots, offer->weighed});
  return counts_of(types, cover(priced, runs, terms));
}

Mix Mixer::leanest(const std::vector<const Offer*>& types, std::int64_t runs, const Tally& tally) const {
  std::vector<SlotsOfType> slots_of;
  for (const Offer* offer : types) slots_of.push_back({catalogue_.find(offer->pool.type), offer->slots});
  for (const Amount amount : kAmounts) {
    Mix mix = counts_of(types, least(slots_of, runs, amount));
    if (all_within(mix, tally)) return mix;
  }
  return {};
}

Mix Mixer::best_within(const std::vector<Offer>& usable, std::int64_t runs, const CoverTerms& terms,
                       const Tally& tally) const {
  const std::vector<const Offer*> types = types_within(usable, tally);
  if (types.empty()) return {};
  Mix mix = cheapest(types, runs, terms);
  return all_within(mix, tally) ? mix : leanest(types, runs, tally);
}

Tally Mixer::tally_of(const Mix& mix) const {
  Tally tally;
  for (const auto& [offer, count] : mix)
    for (std::int64_t i = 0; i < count; ++i) tally.add(*catalogue_.find(offer->pool.type));
  return tally;
}

bool Mixer::all_within(const Mix& mix, Tally tally) const {
  for (const auto& [offer, count] : mix)
    for (std::int64_t i = 0; i < count; ++i) {
      const InstanceType& type = *catalogue_.find(offer->pool.type);
      if (!within(limits_, tally, type)) return false;
      tally.add(type);
      ++tally.launches;
    }
  return true;
}

}  // namespace stoker::fleet
