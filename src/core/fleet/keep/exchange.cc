#include "core/fleet/keep/exchange.h"

#include <algorithm>

#include "core/fleet/keep/retire.h"
#include "core/fleet/sizing/mix.h"

namespace stoker::fleet {
namespace {

// The vCPUs, what they cost an hour, and what it costs to have them.
struct Instead {
  std::int64_t vcpus = 0;
  Money per_hour;
  Money at_once;
};

Instead sum_of(const Catalogue& catalogue, const Mix& mix, const ColdStart& cold) {
  Instead sum;
  for (const auto& [offer, count] : mix) {
    sum.vcpus += count * catalogue.find(offer->pool.type)->vcpus;
    sum.per_hour += offer->weighed * count;
    sum.at_once += cold.launch_fee * count;
  }
  sum.at_once += cost_of(sum.per_hour, cold.total());
  return sum;
}

// From when on a machine that costs more has wasted as much as the exchange costs.
std::optional<Instant> pays_from(Instant idle_since, Money per_hour, const Instead& instead) {
  const std::int64_t saved = (per_hour - instead.per_hour).micros;
  if (saved <= 0) return std::nullopt;
  const Wide wait = static_cast<Wide>(instead.at_once.micros) * hours(1).ms / saved;
  return wait > days(365).ms ? std::nullopt
                             : std::optional(idle_since + Duration{static_cast<std::int64_t>(wait)});
}

}  // namespace

Exchange exchange_dear(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                       const ExchangeTerms& terms, Instant now) {
  Exchange out;
  const std::int64_t minimum = policy.limits.vcpus_min;
  if (minimum == 0) return out;
  const Mixer mixer(catalogue, policy.limits);
  std::int64_t in_service = terms.survey.vcpus_in_service();
  for (const std::size_t i : idle_to_go(catalogue, policy, state)) {
    const FleetNode& node = state.nodes[i];
    const InstanceType* type = catalogue.find(node.pool.type);
    if (type == nullptr || terms.survey.wanted(i) || terms.leaving.contains(i)) continue;
    const std::int64_t missing = minimum - (in_service - type->vcpus);
    if (missing <= 0) {  // it goes by its window
      in_service -= type->vcpus;
      continue;
    }
    Tally others = terms.counted;
    others -= tally_of(*type);
    const Mix mix = mixer.best_within(terms.offers, missing,
                                      {.time = days(1), .launch_fee = policy.cold.launch_fee}, others);
    if (mix.empty()) continue;
    const Instead instead = sum_of(catalogue, mix, policy.cold);
    const Money per_hour = warm_terms(catalogue, policy, state, node.pool).per_hour;
    const auto pays = pays_from(node.idle_since, per_hour, instead);
    if (!pays) continue;
    const Instant warm_until = node.idle_since + window_of(catalogue, policy, state, node, now).window;
    const Instant goes = std::max(*pays, warm_until);
    if (now < goes) {
      if (!out.look_again || goes < *out.look_again) out.look_again = goes;
      continue;
    }
    in_service += instead.vcpus - type->vcpus;
    out.leaving.emplace(i, "the minimum of vCPUs is kept by cheaper machines, at " +
                               to_cents(instead.per_hour) + " instead of " + to_cents(per_hour) +
                               " USD an hour");
  }
  return out;
}

}  // namespace stoker::fleet
