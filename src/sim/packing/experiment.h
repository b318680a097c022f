#pragma once
// Replays of one trace under several policies and seeds, and what they come to.
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/packing/replay.h"

namespace stoker::sim {

inline constexpr std::size_t kPackingSeedsMax = 10'000;
inline constexpr int kPackingThreadsMax = 256;
// Where a table shows the figures: percent of the GPUs that the tasks which came ask for.
inline constexpr std::array<int, 4> kPackingPoints = {90, 95, 100, 130};

// "1..10", "7", "1,3,8..9". Ascending as given, none twice.
Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text);

// Over the seeds: mean and sample deviation (0 for one seed).
struct Spread {
  double mean = 0;
  double deviation = 0;
};
struct PackingSummary {
  core::PolicyName policy = core::kDefaultPolicy;
  std::array<Spread, kPackingPoints.size()> allocated;
  std::array<Spread, kPackingPoints.size()> fragment_ratio;
  std::array<Spread, kPackingPoints.size()> fragment_amount;
  double tasks = 0;   // that came, mean
  double placed = 0;  // mean
};

struct PackingOrder {
  std::vector<core::PolicyName> policies = {};
  std::vector<std::uint64_t> seeds;
  int threads = 1;
};
// One summary a policy, in the order given; the same whatever the number of threads. `progress` hears how
// many runs of how many are done, one call at a time, on any thread; it may be empty.
std::vector<PackingSummary> run_packing(const PackingTrace& trace, const PackingOrder& order,
                                        const std::function<void(std::size_t, std::size_t)>& progress);

// {"nodes":…,"gpus":…,"tasks":…,"seeds":[…],"policies":{"fgd":{"allocated_percent":{"90":…},
// "allocated_percent_deviation":{…},"fragment_ratio_percent":{…},…}}}
std::string packing_json(const PackingTrace& trace, const PackingOrder& order,
                         const std::vector<PackingSummary>& summaries);
// A table for people.
std::string packing_text(const std::vector<PackingSummary>& summaries);

}  // namespace stoker::sim
