#pragma once
// Spot with a deadline on recorded availability: the cost of each policy against on-demand alone.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/fleet/deadline/replay.h"
#include "json/json.h"

namespace stoker::sim {

inline constexpr std::size_t kDeadlinePolicyCount = 5;

// {"metadata":{"gap_seconds":195},"data":[1,0,…]}: machines that could be had at each tick, above 0 for one.
Result<fleet::SpotSeries> parse_spot_series(std::string_view text);

struct DeadlineOrder {
  Duration work;
  std::vector<Duration> deadlines;  // after the start; long enough, see check_deadlines()
  std::vector<Duration> starts;     // what a start costs before work goes on
  fleet::GroundPrices prices;
  int points = 8;  // where in each series a job starts, evenly spread over what leaves time for the deadline
};

struct DeadlineRow {
  Duration deadline;
  Duration start;
  // By fleet::DeadlinePolicy: mean cost over series and points, in thousandths of on-demand alone.
  std::array<std::int64_t, kDeadlinePolicyCount> cost_permille{};
  fleet::DeadlinePolicy chosen = fleet::DeadlinePolicy::Greedy;
  std::int64_t runs = 0;                                 // of each policy
  std::array<std::int64_t, kDeadlinePolicyCount> met{};  // deadlines, by policy
  [[nodiscard]] std::int64_t missed() const;             // of all policies together
};
// InvalidArgument: some deadline leaves no time for the work and a start, so nobody could meet it.
Result<void> check_deadlines(const DeadlineOrder& order);
std::vector<DeadlineRow> run_deadlines(const std::vector<fleet::SpotSeries>& series,
                                       const DeadlineOrder& order);

std::string deadlines_text(const std::vector<DeadlineRow>& rows);
json::Value deadlines_json(const std::vector<DeadlineRow>& rows);

}  // namespace stoker::sim
