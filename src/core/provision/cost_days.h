#pragma once
// What machines cost, day by day: all that was accounted for (accounts.h), by environment and by who paid.
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/cost/ledger.h"

namespace stoker::core {

// Days are remembered that long; then their sums go.
inline constexpr Duration kCostDaysKept = days(400);

// Who pays: a queue, and in it the share of the job; "" and "": the environment itself.
struct CostPayer {
  std::string queue;
  std::string share;
  auto operator<=>(const CostPayer&) const = default;
};
// What was paid for.
struct CostMachine {
  std::string type;  // "": not known, as of machines that are somebody's own
  bool spot = false;
  std::int64_t gpus = 0;
  auto operator<=>(const CostMachine&) const = default;
};
struct CostKey {
  CostPayer payer;
  CostMachine machine;  // of days from before it was kept: nothing
  auto operator<=>(const CostKey&) const = default;
};
using CostsByKind = std::array<Money, cost::kKindCount>;  // by cost::Kind
struct CostSums {
  CostsByKind billed{};
  CostsByKind list{};                             // the same at on-demand prices
  std::array<Duration, cost::kKindCount> time{};  // of machines, times the shares of them
  // `price`: of the machine; `on_demand`: what such a machine costs on demand, 0: the same.
  void add(const cost::Line& line, Money price, Money on_demand);
  void add(const CostSums& more);
};

// One environment on one day (UTC). A part of a machine's life that goes on past midnight counts for the day
// on which it began.
struct CostDay {
  Instant day;  // its first instant
  std::string environment;
  Money billed;
  std::map<CostKey, CostSums> lines;  // they add up to `billed`
};
// By day, then environment.
using CostDays = std::map<std::pair<Instant, std::string>, CostDay>;

using cost::day_of;

}  // namespace stoker::core
