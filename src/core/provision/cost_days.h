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
using CostsByKind = std::array<Money, cost::kKindCount>;  // by cost::Kind

// One environment on one day (UTC). A part of a machine's life that goes on past midnight counts for the day
// on which it began.
struct CostDay {
  Instant day;  // its first instant
  std::string environment;
  Money billed;
  std::map<CostPayer, CostsByKind> lines;  // they add up to `billed`
};
// By day, then environment.
using CostDays = std::map<std::pair<Instant, std::string>, CostDay>;

// The first instant of the day in which `at` lies.
Instant day_of(Instant at);

}  // namespace stoker::core
