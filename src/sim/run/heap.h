#pragma once
// What will happen, by time; of one instant in the order in which it was foreseen.
#include <cstdint>
#include <queue>
#include <vector>

#include "base/time.h"

namespace stoker::sim {

enum class DueKind : std::uint8_t {
  Submit,
  Works,
  Ends,
  Killed,
  Ready,
  Pulled,
  LaunchFails,
  Advised,
  Noticed,
  SpotLosses,
  SpotPrice,
  Reclaimed,
  Remembered
};

struct Due {
  Instant at;
  std::uint64_t order = 0;
  DueKind kind = DueKind::Submit;
  std::size_t subject = 0;  // a job, a machine or an environment
  int start = 0;            // Works, Ends, Killed: of which start of the job; others are stale
};

class Heap {
 public:
  void push(Instant at, DueKind kind, std::size_t subject, int start = 0) {
    queue_.push({at, next_order_++, kind, subject, start});
  }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  [[nodiscard]] const Due& top() const { return queue_.top(); }
  Due pop() {
    const Due due = queue_.top();
    queue_.pop();
    return due;
  }

 private:
  struct Later {
    bool operator()(const Due& a, const Due& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };
  std::priority_queue<Due, std::vector<Due>, Later> queue_;
  std::uint64_t next_order_ = 0;
};

}  // namespace stoker::sim
