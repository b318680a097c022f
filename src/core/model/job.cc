#include "core/model/job.h"

#include <algorithm>

namespace stoker::core {

int Job::attempts_counted() const {
  if (!extra) return 0;
  const auto preempted = std::ranges::count_if(
      extra->attempts, [](const Attempt& attempt) { return bool{attempt.preempted.at}; });
  return static_cast<int>(extra->attempts.size()) - static_cast<int>(preempted) -
         std::min(attempts_lost(), kLostAttemptsMax);
}

int Job::attempts_lost() const {
  if (!extra) return 0;
  return static_cast<int>(std::ranges::count_if(
      extra->attempts, [](const Attempt& attempt) { return attempt.lost && !attempt.preempted.at; }));
}

std::span<Job> Job::children() {
  return extra && extra->array ? std::span<Job>(extra->array->children) : std::span<Job>();
}

std::span<const Job> Job::children() const {
  return const_cast<Job*>(this)->children();
}

}  // namespace stoker::core
