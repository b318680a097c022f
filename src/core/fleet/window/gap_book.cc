#include "core/fleet/window/gap_book.h"

#include <algorithm>

namespace stoker::fleet {

void GapBook::became_idle(Instant at) {
  if (idle_.size() == kIdleStartsMax) idle_.erase(idle_.begin());
  // News may come late: keep the order.
  idle_.insert(std::ranges::upper_bound(idle_, at), at);
}

void GapBook::wanted(Instant at) {
  if (idle_.empty()) return;  // more machines at work than ever before: no gap ends
  const Duration gap = std::max(Duration{}, at - idle_.back());
  idle_.pop_back();
  if (gaps_.size() < kGapsKept) {
    gaps_.push_back(gap);
  } else {
    gaps_[next_] = gap;
    next_ = (next_ + 1) % kGapsKept;
  }
}

}  // namespace stoker::fleet
