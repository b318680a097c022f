#pragma once
// Who of a queue is next. A FIFO queue: in order of submission. A queue with shares: the share that had least
// where a fair-share policy says so, else the one whose first job was submitted first; in it the highest
// schedulingPriority, then the order of submission (aws-batch.md 6.2, 8.2, 8.3). A job that runs again keeps
// its place, which is in front.
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/shares.h"
#include "core/state.h"

namespace stoker::core {

// One walk over a queue's waiting jobs, as a pass makes it. Costs by groups and by the jobs that were taken.
class Order {
 public:
  Order(const State& state, const JobQueue& queue, Instant now);

  struct Next {
    JobNo job;
    const GroupKey* group = nullptr;  // valid as long as the job waits
  };
  // Nothing: all have been taken or passed over.
  [[nodiscard]] std::optional<Next> next() const;
  // It starts: the next of its group takes its place, and its share has more. To be called while it still
  // waits.
  void take();
  // No more of its group in this walk.
  void pass_over();

 private:
  struct Head {
    int priority = 0;
    JobNo job;
    const WaitingJobs::value_type* group = nullptr;
  };
  struct Share {
    WeightedUse use = 0;  // without a fair-share policy: the number of its first job
    const std::string* name = nullptr;
    std::vector<Head> heads;  // a heap
  };
  static bool is_later(const Head& a, const Head& b);
  static bool has_more(const Share& a, const Share& b);
  void settle_front();

  const State& state_;
  const FairShare& policy_;
  bool fair_;
  std::vector<Share> shares_;  // a heap
};

// The queues in which jobs wait, in the order of a pass: by priority, of equal ones the one whose next job
// was submitted first. So no queue waits for ever behind the stream of another one of its priority.
std::vector<const JobQueue*> queues_in_order(const State& state, Instant now);

}  // namespace stoker::core
