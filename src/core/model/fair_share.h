#pragma once
// A fair-share policy as scheduling reads it (AWS Batch API, FairsharePolicy). Whole numbers only: the
// decisions that follow from it must be the same on every machine.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/time.h"

namespace stoker::core {

struct FairShare {
  static constexpr std::int64_t kWeightOne = 10'000;  // weightFactor 1.0
  static constexpr Duration kWindowMin = seconds(600);

  Duration window = kWindowMin;  // use counts less by 1/e for each such time that has passed since
  int reservation_percent = 0;   // computeReservation
  std::map<std::string, std::int64_t, std::less<>> weights;   // by share, in kWeightOne-ths
  std::map<std::string, std::int64_t, std::less<>> prefixes;  // "team" of "team*"; none begins with another

  // Of each share with that name or prefix; kWeightOne when the policy does not name it.
  [[nodiscard]] std::int64_t weight_of(std::string_view share) const;
};

// What a share of a queue holds, and held lately.
struct ShareUse {
  // The past as an exponentially weighted average of `rate`, in 2^-20 thousandths of a vCPU, at `as_of`.
  std::int64_t average = 0;
  Instant as_of;
  Instant idle_since;  // 0: it has jobs
  // These follow from the jobs and are not in the record.
  std::int64_t rate = 0;    // what its active jobs are charged, in thousandths of a vCPU
  std::int64_t active = 0;  // jobs STARTING or RUNNING, children one by one
  std::uint64_t jobs = 0;   // not terminal, an array as one
  bool operator==(const ShareUse&) const = default;
};

}  // namespace stoker::core
