#include "core/model/job.h"

#include <algorithm>

namespace stoker::core {

int Job::attempts_counted() const {
  if (!extra) return 0;
  const auto lost = std::ranges::count_if(
      extra->attempts, [](const Attempt& attempt) { return attempt.lost || attempt.preempted.at; });
  return static_cast<int>(extra->attempts.size()) - static_cast<int>(lost);
}

}  // namespace stoker::core
