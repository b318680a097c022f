#include "core/fleet/market/market_choice.h"

#include <gtest/gtest.h>

namespace stoker::fleet {
namespace {

struct Row {
  const char* says;
  SpotUse use;
  MarketView view;
  MarketChoice choice;
};

TEST(ChooseMarket, follows_its_rules) {
  constexpr SpotOffer kOpen{.open = true};
  constexpr SpotOffer kParked{.parked = true, .dear = true};
  constexpr SpotOffer kDear{.dear = true};
  const Row rows[] = {
      {"an on-demand environment gives on-demand",
       SpotUse::Never,
       {.offer = kOpen},
       {Market::OnDemand, MarketRule::OnDemandOnly}},
      {"a job may refuse spot",
       SpotUse::First,
       {.wish = SpotWish::Never, .offer = kOpen},
       {Market::OnDemand, MarketRule::OnDemandOnly}},
      {"but not where there is nothing else",
       SpotUse::Only,
       {.wish = SpotWish::Never, .offer = kOpen},
       {std::nullopt, MarketRule::Contradiction}},
      {"nor insist on it where there is none",
       SpotUse::Never,
       {.wish = SpotWish::Only},
       {std::nullopt, MarketRule::Contradiction}},
      {"spot only waits for spot however long",
       SpotUse::Only,
       {.offer = kParked, .spot_failures = 9, .waited = days(9)},
       {std::nullopt, MarketRule::WaitForSpot}},
      {"spot only takes it when it is there",
       SpotUse::First,
       {.wish = SpotWish::Only, .offer = kOpen, .spot_failures = 9},
       {Market::Spot, MarketRule::SpotOnly}},
      {"spot first takes it",
       SpotUse::First,
       {.offer = kOpen, .spot_failures = 2, .waited = minutes(9)},
       {Market::Spot, MarketRule::SpotOffered}},
      {"until it failed three times",
       SpotUse::First,
       {.offer = kOpen, .spot_failures = 3},
       {Market::OnDemand, MarketRule::AfterFailures}},
      {"or the job waited ten minutes",
       SpotUse::First,
       {.offer = kOpen, .waited = minutes(10)},
       {Market::OnDemand, MarketRule::AfterWait}},
      {"which nobody waits for where spot can be had",
       SpotUse::First,
       {.offer = kOpen, .on_demand_open = false, .spot_failures = 3, .waited = minutes(10)},
       {Market::Spot, MarketRule::SpotOffered}},
      {"but for both",
       SpotUse::First,
       {.offer = kParked, .on_demand_open = false, .waited = minutes(10)},
       {Market::OnDemand, MarketRule::AfterWait}},
      {"or the deadline rule says so",
       SpotUse::First,
       {.offer = kOpen, .deadline = DeadlineChoice{Ground::OnDemand, DeadlineRule::SafetyNet}},
       {Market::OnDemand, MarketRule::ForDeadline}},
      {"a parked pool is tried again first",
       SpotUse::First,
       {.offer = kParked, .spot_failures = 1},
       {std::nullopt, MarketRule::WaitForSpot}},
      {"a dear one is not waited for",
       SpotUse::First,
       {.offer = kDear},
       {Market::OnDemand, MarketRule::AfterPrice}},
      {"nor one that does not exist", SpotUse::First, {}, {Market::OnDemand, MarketRule::NoSpotPool}},
  };
  for (const Row& row : rows) {
    const MarketPolicy policy{.use = row.use, .failures_max = 3, .wait_max = minutes(10)};
    const MarketChoice choice = choose_market(policy, row.view);
    EXPECT_EQ(choice, row.choice) << row.says << ", but: " << name_of(choice.rule);
  }
}

}  // namespace
}  // namespace stoker::fleet
