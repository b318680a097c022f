#pragma once
// What waits and another machine could help, in the order of the pass: of each group as many as could start
// if there were machines (ahead.h, quota_demand.h), on machines of the types that quota shares allow.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/provision/ahead.h"
#include "core/provision/fleet.h"
#include "core/provision/quota_demand.h"

namespace stoker::core {

// Jobs that wait alike, and have the same deadline.
struct DemandKey {
  Fleet::Waits waits;
  std::optional<fleet::Due> due;
  auto operator<=>(const DemandKey&) const = default;
};
struct WaitingDemand {
  DemandKey key;
  QuotaPlace place;  // of no quota share: any
  fleet::Demand demand;
};
// How many jobs can be had machines for, where that is less than was asked. Those that cannot be served now
// take nothing of what may start: those behind them may.
using Served = std::map<DemandKey, QuotaServed>;

// One walk over all queues. Those that share a limit draw on it in turn.
class Demands {
 public:
  Demands(const World& world, Served served, Instant now)
      : world_(world), served_(std::move(served)), now_(now), ahead_(world) {}

  // `types`: that the environments of the queue launch.
  std::vector<WaitingDemand> of(const JobQueue& queue, const OfferedTypes& types);
  // Groups of which some have to wait for others or for what runs, whatever machines there are.
  [[nodiscard]] const std::set<Fleet::Waits>& limited() const { return limited_; }

 private:
  struct Group {
    DemandKey key;
    std::int64_t jobs = 0;  // not counted yet
  };
  using Groups = std::map<GroupKey, std::vector<Group>>;
  void walk(const QueueTurn& turn, QuotaRight right, Groups& left, std::vector<WaitingDemand>& demands);
  std::vector<QuotaPart> take(const Contender& contender, const DemandKey& key, std::int64_t jobs);

  const World& world_;
  Served served_;  // less what was counted
  Instant now_;
  Ahead ahead_;
  std::optional<QuotaDemand> quota_;  // of the queue at hand
  std::set<Fleet::Waits> limited_;
};

}  // namespace stoker::core
