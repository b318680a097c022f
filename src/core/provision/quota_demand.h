#pragma once
// How many of the jobs that wait in a queue with quota shares could start if there were machines, and on
// which types: what the limits of their shares keep waiting is no demand. The pass decides who starts; this
// counts ahead with the same predicates, on a copy of the book.
#include <set>
#include <string>
#include <vector>

#include "core/fleet/catalogue/catalogue.h"
#include "core/schedule/quota/rights.h"
#include "core/state.h"

namespace stoker::core {

// Runs of a share that may start together. Empty: any.
struct QuotaPart {
  std::int64_t jobs = 0;
  std::string gpu_model = {};
  std::string instance_type = {};
};

class QuotaDemand {
 public:
  // `offered`: instance types that the environments of the queue can launch. Of several types that a share
  // has limits for, the first of them in the share's own order that is offered and can hold a job is counted.
  QuotaDemand(const State& state, const JobQueue& queue, const fleet::Catalogue& catalogue,
              std::set<std::string> offered);

  // As many of `jobs` like `first` as may start; they are counted as started. Not all: from then on the share
  // gets nothing more on that right, since what an earlier job waits for is not given to a later one.
  std::vector<QuotaPart> take(const GroupKey& key, const Job& first, std::int64_t jobs, QuotaRight right);

 private:
  bool take_one(const GroupKey& key, const JobSpec& spec, QuotaRight right, std::vector<QuotaPart>& parts);

  const State& state_;
  const QuotaShares& shares_;
  const fleet::Catalogue& catalogue_;
  std::set<std::string> offered_;
  QuotaBook book_;
  std::set<std::pair<std::string, QuotaRight>> full_;
};

}  // namespace stoker::core
