#pragma once
// One job with a deadline against a series of spot availability: what a policy would have cost.
#include <array>
#include <vector>

#include "base/money.h"
#include "core/fleet/deadline/deadline.h"

namespace stoker::fleet {

inline constexpr std::size_t kDeadlineRuleCount = 9;

struct SpotSeries {
  Duration gap;                 // how long each entry holds; above 0
  std::vector<bool> available;  // the last entry holds for ever
};
struct GroundPrices {
  Money on_demand;  // per hour
  Money spot;
};
struct DeadlineOutcome {
  bool met = false;
  Duration finished;  // since the start of the clock; 0: not finished when the deadline came
  Money cost;
  Duration on_spot;  // machine time, starts included
  Duration on_demand;
  int starts = 0;
  int interruptions = 0;
  std::array<int, kDeadlineRuleCount> decisions{};  // by DeadlineRule: ticks it decided
};

// The job starts at entry `first` of the series. The policy is asked once per entry, when it begins; progress
// is kept when spot is taken away. Stops at the deadline at the latest.
DeadlineOutcome replay_deadline(DeadlinePolicy policy, const DeadlineTask& task, const SpotSeries& series,
                                std::size_t first, const GroundPrices& prices);

}  // namespace stoker::fleet
