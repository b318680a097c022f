#include "core/fleet/market/market_choice.h"

namespace stoker::fleet {

std::string_view name_of(MarketRule rule) {
  switch (rule) {
    case MarketRule::SpotOffered:
      return "spot first";
    case MarketRule::SpotOnly:
      return "spot only";
    case MarketRule::OnDemandOnly:
      return "on-demand only";
    case MarketRule::AfterPrice:
      return "spot is too dear";
    case MarketRule::AfterFailures:
      return "spot failed too often";
    case MarketRule::AfterWait:
      return "waited long enough for spot";
    case MarketRule::ForDeadline:
      return "for its deadline";
    case MarketRule::NoSpotPool:
      return "no spot pool will do";
    case MarketRule::WaitForSpot:
      return "spot is tried again first";
    case MarketRule::AheadOfDeadline:
      return "ahead of its deadline it waits for spot";
    case MarketRule::Contradiction:
      return "job and environment want different markets";
  }
  return "";
}

MarketChoice choose_market(const MarketPolicy& policy, const MarketView& view) {
  const bool never = policy.use == SpotUse::Never || view.wish == SpotWish::Never;
  const bool only = policy.use == SpotUse::Only || view.wish == SpotWish::Only;
  if (never && only) return {std::nullopt, MarketRule::Contradiction};
  if (never) return {Market::OnDemand, MarketRule::OnDemandOnly};
  if (only) {
    if (!view.offer.open) return {std::nullopt, MarketRule::WaitForSpot};
    return {Market::Spot, MarketRule::SpotOnly};
  }
  if (view.deadline) {
    if (view.deadline->on == Ground::OnDemand) return {Market::OnDemand, MarketRule::ForDeadline};
    if (view.deadline->on == Ground::Spot) return {Market::Spot, MarketRule::ForDeadline};
    return {std::nullopt, MarketRule::AheadOfDeadline};
  }
  // Nobody waits for on-demand where spot can be had.
  if (view.on_demand_open || !view.offer.open) {
    if (policy.wait_max.ms > 0 && view.waited >= policy.wait_max)
      return {Market::OnDemand, MarketRule::AfterWait};
    if (policy.failures_max > 0 && view.spot_failures >= policy.failures_max)
      return {Market::OnDemand, MarketRule::AfterFailures};
  }
  if (view.offer.open) return {Market::Spot, MarketRule::SpotOffered};
  if (view.offer.parked) return {std::nullopt, MarketRule::WaitForSpot};
  if (view.offer.dear) return {Market::OnDemand, MarketRule::AfterPrice};
  return {Market::OnDemand, MarketRule::NoSpotPool};
}

}  // namespace stoker::fleet
