#include "core/model/job.h"

#include <algorithm>

namespace stoker::core {

int Job::attempts_counted() const {
  if (!extra) return 0;
  const auto lost = std::ranges::count_if(
      extra->attempts, [](const Attempt& attempt) { return attempt.lost || attempt.preempted.at; });
  return static_cast<int>(extra->attempts.size()) - static_cast<int>(lost);
}

std::span<Job> Job::children() {
  return extra && extra->array ? std::span<Job>(extra->array->children) : std::span<Job>();
}

std::span<const Job> Job::children() const {
  return const_cast<Job*>(this)->children();
}

}  // namespace stoker::core
