#pragma once
// Which node is best for a run, of those where it fits: one score, and which GPU of the node a share goes to.
// Equal scores go to the node that the pool has had longest. A policy is a plain function of values, so that
// nodes that are alike need one score.
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/placement/ask.h"
#include "core/placement/policy_name.h"
#include "core/placement/workload.h"

namespace stoker::core {

// A node (or several alike) on which the run fits.
struct Candidate {
  const NodeKind& kind;
  const Room& room;  // its memory is without end: memory decides whether a run fits, never where it fits best
  const Ask& ask;
  const Match& match;
  Unusable unusable;             // as the policy measures the room as it is
  const KindFit* fit = nullptr;  // of the workload on the kind; null when the policy does not measure
};

class Policy {
 public:
  virtual ~Policy() = default;
  // Higher is better.
  [[nodiscard]] virtual std::int64_t score(const Candidate& node) const = 0;
  // Added to the score of nodes that hold the run's image; never negative.
  [[nodiscard]] virtual std::int64_t warm_bonus() const { return 0; }
  // The GPU for a share of one: an index into Room::gpus, with enough left and of an allowed type.
  [[nodiscard]] virtual std::size_t gpu_for_share(const Candidate& node) const;
  // Whether scores need Candidate::unusable and Candidate::fit.
  [[nodiscard]] virtual bool measures() const { return false; }
  // How much of a room's free GPUs the usual workload cannot use.
  [[nodiscard]] virtual Unusable measure(const KindFit&, const NodeKind&, const Room&) const { return {}; }
  // Instead of the best score: every node where it fits is as good as another.
  [[nodiscard]] virtual bool by_chance() const { return false; }
};

std::unique_ptr<Policy> make_policy(PolicyName name);

// ---- for policies ----

// The usable GPU with least left that has enough; the first of equals.
std::size_t tightest_gpu(const Candidate& node);
// The room after the run was placed on the node; a share goes to `gpu`. Into `room`, whose memory is used
// again.
void set_room_after(Room& room, const Candidate& node, std::size_t gpu);
// The GPUs that a share could go to, without those that are like an earlier one.
std::vector<std::size_t> gpus_for_share(const Candidate& node);

}  // namespace stoker::core
