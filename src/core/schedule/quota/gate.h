#pragma once
// Quota shares in a placement pass.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/job/life.h"
#include "core/schedule/gate.h"

namespace stoker::core {

// Null when the queue has none.
const QuotaShares* quota_shares_of(const State& state, QueueNo queue);
QuotaView quota_view(const State& state, QueueNo queue, const QuotaShares& shares);
// On the grounds that the contender names.
QuotaVerdict quota_verdict(const State& state, const Contender& contender);
std::optional<Hold> held_by_quota(const World& world, const Contender& contender);

// The shape, of the job or of one of its nodes, that asks only for what the share may have, where it counts
// GPUs by model or machines by type; else the shape as it is.
Shape narrowed(const QuotaVerdict& verdict, Shape shape);
ShapeNo narrowed_shape(World& world, const Contender& contender, ShapeNo shape);
// The place that was found is within the share, which may count the part of a machine.
bool allows_place(const State& state, const Contender& contender, const Node& node);

// The same for the nodes of a multi-node job together: null when they are, else the first that is beyond it.
const Node* first_beyond_share(const State& state, const Contender& contender, const Job& gang,
                               const std::vector<RunPlace>& places);
// Why not, when it is not.
Hold part_of_machine_text(const Contender& contender, const Node& node);

// The order inside a share: what an earlier job of it waits for is not given to a later one, so that small
// jobs do not keep a large one from its share for ever. One a walk.
class QuotaQueues {
 public:
  // Nothing when no earlier job of the share lacks what this one takes.
  [[nodiscard]] std::optional<Hold> held(const State& state, const Contender& contender) const;
  void note_refused(const Contender& contender, const QuotaVerdict& verdict);

 private:
  struct Lacking {
    CapacityUnit unit;
    JobNo job;
  };
  std::map<std::string, std::vector<Lacking>> shares_;
};

}  // namespace stoker::core
