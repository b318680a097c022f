#pragma once
// Walks several sets of jobs as one, from the newest down or the oldest up.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/job/job_set.h"

namespace stoker::aws {

enum class Direction : std::uint8_t { NewestFirst, OldestFirst };

class MergedJobs {
 public:
  // From beyond `after` on; from the beginning when it is nothing. The sets must outlive this and not change.
  MergedJobs(const std::vector<const core::JobSet*>& sets, Direction direction,
             std::optional<core::JobNo> after)
      : direction_(direction) {
    for (const core::JobSet* set : sets) {
      if (const auto no = step(*set, after)) heads_.push_back({*no, set});
    }
    std::ranges::make_heap(heads_, order());
  }

  [[nodiscard]] std::optional<core::JobNo> current() const {
    if (heads_.empty()) return std::nullopt;
    return heads_.front().no;
  }
  void advance() {
    std::ranges::pop_heap(heads_, order());
    Head& head = heads_.back();
    if (const auto no = step(*head.set, head.no)) {
      head.no = *no;
      std::ranges::push_heap(heads_, order());
    } else {
      heads_.pop_back();
    }
  }

 private:
  struct Head {
    core::JobNo no;
    const core::JobSet* set = nullptr;
  };
  // The heap's front is the next job in the direction.
  [[nodiscard]] std::function<bool(const Head&, const Head&)> order() const {
    if (direction_ == Direction::NewestFirst) return [](const Head& a, const Head& b) { return a.no < b.no; };
    return [](const Head& a, const Head& b) { return b.no < a.no; };
  }
  [[nodiscard]] std::optional<core::JobNo> step(const core::JobSet& set,
                                                std::optional<core::JobNo> from) const {
    if (direction_ == Direction::NewestFirst) {
      return set.before(from.value_or(core::JobNo{std::numeric_limits<std::uint64_t>::max()}));
    }
    return set.next_from(from ? core::JobNo{from->value + 1} : core::JobNo{0});
  }

  Direction direction_;
  std::vector<Head> heads_;
};

}  // namespace stoker::aws
