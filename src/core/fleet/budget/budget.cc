#include "core/fleet/budget/budget.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::fleet {
namespace {

bool reached(Money spent, Money limit, int percent) {
  return percent > 0 && static_cast<Wide>(spent.micros) * 100 >= static_cast<Wide>(limit.micros) * percent;
}

std::optional<Instant> runs_out(Money left, Money rate, Instant now) {
  constexpr Wide kHour = 3'600'000;
  if (left <= Money{}) return now;
  if (rate <= Money{}) return std::nullopt;
  const Wide time = static_cast<Wide>(left.micros) * kHour / rate.micros;
  if (time > days(36'500).ms) return std::nullopt;
  return now + Duration{static_cast<std::int64_t>(time)};
}

}  // namespace

std::string_view name_of(BudgetLevel level) {
  switch (level) {
    case BudgetLevel::Fine:
      return "fine";
    case BudgetLevel::Warn:
      return "warn";
    case BudgetLevel::StopLaunches:
      return "stop-launches";
    case BudgetLevel::StopFleet:
      return "stop-fleet";
  }
  return "";
}

BudgetVerdict judge(const Budget& budget, Money spent, Money rate, Instant now) {
  BudgetVerdict verdict;
  if (budget.limit <= Money{}) return verdict;
  const Wide used = static_cast<Wide>(std::max<std::int64_t>(0, spent.micros)) * 1000 / budget.limit.micros;
  verdict.used_permille = static_cast<std::int64_t>(std::min<Wide>(used, 1'000'000));
  verdict.runs_out_at = runs_out(budget.limit - spent, rate, now);
  if (reached(spent, budget.limit, budget.warn_percent)) verdict.level = BudgetLevel::Warn;
  if (reached(spent, budget.limit, budget.stop_launches_percent)) verdict.level = BudgetLevel::StopLaunches;
  if (reached(spent, budget.limit, budget.stop_fleet_percent)) verdict.level = BudgetLevel::StopFleet;
  if (verdict.level == BudgetLevel::Fine) return verdict;
  verdict.text = to_cents(spent) + " of " + to_cents(budget.limit) + " USD are spent (" +
                 std::to_string(verdict.used_permille / 10) + " %)";
  if (verdict.level == BudgetLevel::Warn && verdict.runs_out_at)
    verdict.text += ", all at this rate by " + iso_time(verdict.runs_out_at->ms);
  if (verdict.level == BudgetLevel::StopLaunches) verdict.text += ": no more launches in this period";
  if (verdict.level == BudgetLevel::StopFleet) verdict.text += ": the fleet is stopped";
  return verdict;
}

}  // namespace stoker::fleet
