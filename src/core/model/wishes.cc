#include "core/model/wishes.h"

#include <algorithm>

namespace stoker::core {

Instant kept_until(const Wishes& wishes, const RunStop& stop) {
  const Instant end = std::max(stop.at, stop.works_from);
  if (wishes.checkpoint == Checkpoint::Signal && stop.told_at)
    return std::clamp(stop.told_at, stop.works_from, end);
  const std::int64_t every = wishes.checkpoint_every.ms;
  if (every <= 0) return stop.works_from;
  return stop.works_from + Duration{(end - stop.works_from).ms / every * every};
}

std::optional<Duration> lost_most(const Wishes& wishes) {
  if (wishes.checkpoint == Checkpoint::None) return std::nullopt;
  return wishes.checkpoint_every;
}

}  // namespace stoker::core
