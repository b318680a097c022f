#pragma once
// What can forbid a waiting job to start besides the lack of a place: one predicate a rule, each in a file of
// its own, asked in turn. The predicate that decides is the one that explains.
#include <optional>
#include <string>

#include "core/schedule/quota/rights.h"
#include "core/schedule/reservation.h"
#include "core/schedule/waiting.h"
#include "core/world.h"

namespace stoker::core {

// What a rule says of a group of waiting jobs: not now.
struct Hold {
  WaitKind kind = WaitKind::None;
  std::string text;           // one sentence for a person
  JobNo behind;               // a job that goes first, when that is why
  bool for_machines = false;  // and has machines kept for it, on which this one would fit
};

// A queue in a pass, with what its rules need to know once and not for every job.
struct QueueTurn {
  const JobQueue& queue;
  std::vector<std::string> environments;  // in the order in which places are looked for
  ShareLimit share_limit;
  std::optional<std::int64_t> max_running;    // of the queue's jobs at a time
  const QuotaShares* quota_shares = nullptr;  // null when the queue has none
};
QueueTurn turn_of(const World& world, const JobQueue& queue, Instant now);

// The job at hand stands for its whole group.
struct Contender {
  const QueueTurn& turn;
  const GroupKey& group;
  const Shape& shape;
  JobNo job;
  QuotaRight right = QuotaRight::Own;  // on what grounds, where the queue has quota shares
};
// The turn and the group, which is the job's, must outlive it.
Contender contender_of(const State& state, const QueueTurn& turn, const GroupKey& group, JobNo job,
                       QuotaRight right);

// Nothing: it may start. Otherwise what the first rule that says no says.
std::optional<Hold> find_hold(const World& world, const Contender& contender);

}  // namespace stoker::core
