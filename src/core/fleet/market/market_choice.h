#pragma once
// Spot or on-demand for the runs of one demand.
#include <optional>
#include <string_view>

#include "core/fleet/deadline/deadline.h"
#include "core/fleet/demand/demand.h"
#include "core/fleet/market/pool.h"
#include "core/fleet/sizing/policy.h"

namespace stoker::fleet {

enum class MarketRule : std::uint8_t {
  SpotOffered,  // spot first, and there is some
  SpotOnly,
  OnDemandOnly,
  AfterPrice,       // every spot pool is too dear
  AfterFailures,    // spot failed too often just now
  AfterWait,        // the job waited long enough
  ForDeadline,      // as the deadline rule says (deadline/): spot, or on-demand
  NoSpotPool,       // none is steady enough or has a price
  WaitForSpot,      // parked pools will be tried again first
  AheadOfDeadline,  // the deadline rule waits for spot, which costs nothing
  Contradiction,    // the job wants what the environment does not give
};
std::string_view name_of(MarketRule rule);

struct SpotOffer {
  bool open = false;    // a pool that can be used now
  bool parked = false;  // one that could be, were it not parked
  bool dear = false;    // one that asks too much
};

struct MarketChoice {
  std::optional<Market> market;  // nothing: wait
  MarketRule rule = MarketRule::Contradiction;
  bool operator==(const MarketChoice&) const = default;
};

// `waited` of the run that waits longest. With a deadline its rule decides in place of the environment's for
// spot first; an environment or a job that wants one market alone gets that one.
struct MarketView {
  SpotWish wish = SpotWish::First;
  SpotOffer offer = {};
  bool on_demand_open = true;  // some pool of it can be used now
  int spot_failures = 0;
  Duration waited = {};
  std::optional<DeadlineChoice> deadline = {};
};
MarketChoice choose_market(const MarketPolicy& policy, const MarketView& view);

}  // namespace stoker::fleet
