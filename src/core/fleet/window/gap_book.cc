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

json::Value GapBook::write() const {
  json::Array idle;
  for (const Instant at : idle_) idle.push_back(at.ms);
  json::Array gaps;
  for (const Duration gap : gaps_) gaps.push_back(gap.ms);
  return json::Object{{"idle", std::move(idle)}, {"gaps", std::move(gaps)}, {"next", next_}};
}

GapBook GapBook::read(const json::Value& value) {
  GapBook book;
  for (const json::Value& at : json::get_array(value, "idle"))
    if (at.is_int64() && book.idle_.size() < kIdleStartsMax) book.idle_.push_back({at.get_int64()});
  for (const json::Value& gap : json::get_array(value, "gaps"))
    if (gap.is_int64() && book.gaps_.size() < kGapsKept) book.gaps_.push_back({gap.get_int64()});
  book.next_ = static_cast<std::size_t>(json::get_int(value, "next")) % kGapsKept;
  return book;
}

}  // namespace stoker::fleet
