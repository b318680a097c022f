#include "sim/run/spread.h"

namespace stoker::sim {
namespace {

// Each class ends before this time; the last has no end.
constexpr Duration kEnds[] = {minutes(1), minutes(5), minutes(15), minutes(30),
                              hours(1),   hours(2),   hours(6),    days(1)};
constexpr std::string_view kNames[] = {"< 1 min", "1–5",   "5–15",   "15–30",  "30–60 min",
                                       "1–2 h",   "2–6 h", "6–24 h", "> 1 day"};
static_assert(std::size(kNames) == std::size(kEnds) + 1);

std::size_t class_of(Duration time) {
  return static_cast<std::size_t>(std::ranges::upper_bound(kEnds, time) - std::begin(kEnds));
}

}  // namespace

std::span<const std::string_view> spread_names() {
  return kNames;
}

Spreads make_spreads(const Workload& workload, const Outcome& outcome) {
  Spreads spreads;
  spreads.waits.resize(std::size(kNames));
  spreads.overheads.resize(std::size(kNames));
  spreads.multi_node_waits.resize(std::size(kNames));
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const SimJob& job = workload.jobs[i];
    const JobOutcome& one = outcome.jobs[i];
    if (one.placed) {
      const std::size_t wait = class_of(one.placed_at - (outcome.started + job.submit));
      ++spreads.waits[wait];
      if (job.nodes > 1) ++spreads.multi_node_waits[wait];
    }
    if (one.end == JobEnd::Succeeded) ++spreads.overheads[class_of(one.ended_at - one.placed_at - job.run)];
  }
  return spreads;
}

}  // namespace stoker::sim
