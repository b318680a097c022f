#pragma once
// What the machines and the queue did over time, for charts: averages over equal steps, and sums for each
// day.
#include <array>
#include <cstdint>
#include <vector>

#include "core/cost/ledger.h"
#include "sim/run/outcome.h"
#include "sim/run/workload.h"

namespace stoker::sim {

inline constexpr std::size_t kTimelineStepsMax = 400;

// What paid GPUs do. Together they are the GPUs that are paid for.
enum class GpuUse : std::uint8_t {
  Work,      // that is kept
  Lost,      // work that was done again
  Starting,  // machines boot, images are pulled, checkpoints are loaded
  Idle,
};
inline constexpr std::size_t kGpuUseCount = 4;
std::string_view name_of(GpuUse use);  // "work", "lost", "starting", "idle"

struct Day {
  std::array<Money, cost::kKindCount> cost{};  // by cost::Kind; all days add up to the bill
  std::int64_t jobs_done = 0;
  std::int64_t machines_lost = 0;
};

struct Timeline {
  Duration step;  // a round number of minutes, hours or days
  // In thousandths, the average over each step.
  std::array<std::vector<std::int64_t>, kGpuUseCount> gpus;
  std::vector<std::int64_t> jobs_waiting;
  std::vector<std::int64_t> gpus_wanted;  // by jobs that wait
  std::vector<Day> days;
};

Timeline make_timeline(const Scenario& scenario, const Workload& workload, const Outcome& outcome);

}  // namespace stoker::sim
