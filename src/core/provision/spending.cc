#include "core/provision/spending.h"

#include <algorithm>

namespace stoker::core {

Instant month_of(Instant at) {
  // The day of the month by the civil calendar, counted from March of year 0 (era of 400 years).
  constexpr std::int64_t kDay = 86'400'000;
  constexpr std::int64_t kEraDays = 146'097;
  const std::int64_t day = at.ms / kDay;
  const std::int64_t of_era = (day + 719'468) % kEraDays;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36'524 - of_era / (kEraDays - 1)) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const std::int64_t day_of_month = of_year - (153 * month + 2) / 5;  // from 0
  return {(day - day_of_month) * kDay};
}

Instant next_month(Instant at) {
  return month_of(month_of(at) + days(31));
}

Money cost_since(const LaunchedNode& launched, Instant from, Instant now) {
  if (!launched.started_at) return {};
  return cost_of(launched.price, std::max(Duration{}, now - std::max(from, launched.started_at)));
}

bool begin_month(Fleet& fleet, Instant now) {
  const Instant month = month_of(now);
  if (month <= fleet.month) return false;  // a clock that was set back begins no month
  fleet.month = month;
  fleet.spent = {};
  return true;
}

void charge_ended(Fleet& fleet, const LaunchedNode& launched, Instant now) {
  begin_month(fleet, now);
  fleet.spent += cost_since(launched, fleet.month, now);
}

fleet::BudgetVerdict judge_budget(const fleet::Budget& budget, const Fleet& fleet,
                                  const std::vector<LaunchedNode*>& machines, Instant now) {
  Money spent = fleet.spent;
  Money rate;
  for (const LaunchedNode* launched : machines) {
    spent += cost_since(*launched, fleet.month, now);
    if (!launched->retired) rate += launched->price;
  }
  return fleet::judge(budget, spent, rate, now);
}

}  // namespace stoker::core
