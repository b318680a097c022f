// Fragmentation gradient descent: the node where the run makes the fragments grow least (workload.h).
#include <array>

#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

// thresholds[k]: by how many thousandths of a GPU fragments must shrink for a score of k. Made by the
// compiler, so that no library's logarithm decides.
constexpr std::array<double, 100> kThresholds = [] {
  std::array<double, 100> thresholds{};
  for (int k = 1; k < 100; ++k)
    thresholds[static_cast<std::size_t>(k)] =
        static_cast<double>(Resources::kGpuMilli) * __builtin_log(static_cast<double>(k) / (100 - k));
  return thresholds;
}();

class Fgd : public Policy {
 public:
  [[nodiscard]] bool measures() const override { return true; }
  [[nodiscard]] Unusable measure(const KindFit& fit, const NodeKind& kind, const Room& room) const override {
    return fragments_of(fit, kind, room);
  }

  [[nodiscard]] std::int64_t score(const Candidate& node) const override { return best(node).score; }
  [[nodiscard]] std::size_t gpu_for_share(const Candidate& node) const override { return best(node).gpu; }

 private:
  struct Choice {
    std::size_t gpu = 0;
    std::int64_t score = 0;
  };
  [[nodiscard]] Choice best(const Candidate& node) const {
    if (!node.ask.is_share()) return {.score = score_on(node, 0)};
    Choice best{.score = -1};
    for (const std::size_t gpu : gpus_for_share(node))
      if (const std::int64_t score = score_on(node, gpu); score > best.score) best = {gpu, score};
    return best;
  }
  [[nodiscard]] std::int64_t score_on(const Candidate& node, std::size_t gpu) const {
    set_room_after(after_, node, gpu);
    const Unusable after = fragments_of(*node.fit, node.kind, after_);
    return gradient_score(node.unusable.weighted - after.weighted, node.fit->weight);
  }
  mutable Room after_;  // only its memory is kept between calls
};

}  // namespace

std::int64_t gradient_score(std::int64_t shrunk_weighted, std::int64_t weight) {
  if (weight == 0) return 50;  // nothing is known to be asked for
  const double shrunk = static_cast<double>(shrunk_weighted) / static_cast<double>(weight);
  std::int64_t score = 0;
  std::int64_t above = 100;
  while (above - score > 1) {
    const std::int64_t middle = (score + above) / 2;
    (shrunk >= kThresholds[static_cast<std::size_t>(middle)] ? score : above) = middle;
  }
  return score;
}

std::unique_ptr<Policy> make_fgd() {
  return std::make_unique<Fgd>();
}

}  // namespace stoker::core
