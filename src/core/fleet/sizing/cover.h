#pragma once
// The cheapest machines for a number of equal runs: one machine with four GPUs, or four with one?
#include <span>
#include <vector>

#include "base/money.h"

namespace stoker::fleet {

// Beyond that many runs the rest is put on the type that is cheapest per run.
inline constexpr std::int64_t kCoverRunsMax = 512;

struct CoverType {
  std::int64_t slots = 0;  // runs one machine takes; above 0
  Money per_hour;
};
struct CoverTerms {
  Duration time;     // that each machine will be paid for: boot, pull and run
  Money launch_fee;  // per machine
};
// How many machines of each type, in their order. Together they have at least `runs` slots and cost least; of
// equal choices the one with fewer machines, then with earlier types. Empty input gives empty output.
std::vector<std::int64_t> cover(std::span<const CoverType> types, std::int64_t runs, const CoverTerms& terms);

Money cost_of_one(const CoverType& type, const CoverTerms& terms);

}  // namespace stoker::fleet
