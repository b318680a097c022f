#pragma once
// A budget warns, then stops launches, then stops the fleet.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace stoker::fleet {

struct Budget {
  Money limit;  // for one period; 0: no budget
  // Percent of the limit at which it acts; 0: never.
  int warn_percent = 80;
  int stop_launches_percent = 100;
  int stop_fleet_percent = 0;
  bool operator==(const Budget&) const = default;
};

enum class BudgetLevel : std::uint8_t { Fine, Warn, StopLaunches, StopFleet };
std::string_view name_of(BudgetLevel level);

struct BudgetVerdict {
  BudgetLevel level = BudgetLevel::Fine;
  std::int64_t used_permille = 0;      // of the limit; at most 1,000,000
  std::optional<Instant> runs_out_at;  // the limit, if the fleet goes on as it is
  std::string text;                    // empty when fine
  bool operator==(const BudgetVerdict&) const = default;
};

// `spent` in this period until `now`, `rate` what the fleet costs an hour now.
BudgetVerdict judge(const Budget& budget, Money spent, Money rate, Instant now);

}  // namespace stoker::fleet
