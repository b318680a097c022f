// Fragmentation gradient descent: the node where the run makes the fragments grow least (workload.h).
#include <array>

#include "core/placement/policies/gradient.h"

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

class Fgd : public GradientPolicy {
 public:
  [[nodiscard]] Unusable measure(const KindFit& fit, const NodeKind& kind, const Room& room) const override {
    return fragments_of(fit, kind, room);
  }
  [[nodiscard]] std::int64_t score(const Candidate& node) const override { return best(node).score; }

 private:
  [[nodiscard]] std::int64_t gradient(const Candidate& node, const Room& after) const override {
    const Unusable left = fragments_of(*node.fit, node.kind, after);
    return gradient_score(node.unusable.weighted - left.weighted, node.fit->weight);
  }
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
