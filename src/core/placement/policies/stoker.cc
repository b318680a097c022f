// The default of stoker: the gradient of FGD with three additions that make it allocate more, and what else a
// node is worth to a run.
//
// 1. What is unusable is measured by F and, for a tenth, by the rests that filling the node leaves
//    (workload.h): F alone does not see CPUs run short before they are gone.
// 2. GPUs of models that many runs name cost more than others, so that runs that name none leave them alone.
//    Neutral where nobody names models.
// 3. Runs without GPUs leave nodes with GPUs alone as long as there are others.
#include <algorithm>

#include "core/placement/policies/gradient.h"

namespace stoker::core {
namespace {

// Parts of F and of the rests in what is unusable.
constexpr std::int64_t kFragmentParts = 9;
constexpr std::int64_t kRestParts = 1;
constexpr std::int64_t kParts = kFragmentParts + kRestParts;

// In points of the gradient's score, of which one is a 25th of a GPU near its middle.
constexpr std::int64_t kWarmPoints = 10;          // the image need not be pulled
constexpr std::int64_t kRepartitionPoints = -20;  // a GPU gets a new MIG layout
constexpr std::int64_t kGpuNodePoints = -1000;    // a run without GPUs would take CPUs of a node with GPUs
// Of equal points the cheaper node: prices are the digits below the points.
constexpr std::int64_t kPoint = 1'000'000'000;
constexpr std::int64_t kPriceMax = kPoint - 1;  // a thousand dollars an hour

class Stoker : public GradientPolicy {
 public:
  [[nodiscard]] Unusable measure(const KindFit& fit, const NodeKind& kind, const Room& room) const override {
    if (room.gpu_milli == 0) return {};
    return {kFragmentParts * fragments_of(fit, kind, room).weighted +
            kRestParts * rests_of(fit, kind, room).weighted};
  }

  [[nodiscard]] std::int64_t warm_bonus() const override { return kWarmPoints * kPoint; }

  [[nodiscard]] std::int64_t score(const Candidate& node) const override {
    std::int64_t points = best(node).score;
    if (node.ask.gpus == 0 && node.ask.mig_devices == 0 && !node.kind.gpus.empty()) points += kGpuNodePoints;
    if (node.ask.mig_devices > 0)
      points +=
          kRepartitionPoints *
          static_cast<std::int64_t>(plan_mig(node.kind, node.room, node.ask, node.match).repartition.size());
    return points * kPoint - std::clamp<std::int64_t>(node.kind.price_micros_per_hour, 0, kPriceMax);
  }

 private:
  [[nodiscard]] std::int64_t gradient(const Candidate& node, const Room& after) const override {
    const std::int64_t weight = node.fit->weight * kParts;
    std::int64_t scarce = 0;  // GPUs taken, weighed by how many more than usual want them
    for (std::size_t i = 0; i < after.gpus.size(); ++i)
      if (after.gpus[i] != node.room.gpus[i])
        scarce += (node.fit->scarcity[node.kind.gpus[i].type] - KindFit::kScarcityOfMean) *
                  (node.room.gpus[i] - after.gpus[i]) / KindFit::kScarcityOfMean;
    const std::int64_t shrunk = node.unusable.weighted - measure(*node.fit, node.kind, after).weighted;
    return gradient_score(shrunk - scarce * weight, weight);
  }
};

}  // namespace

std::unique_ptr<Policy> make_stoker() {
  return std::make_unique<Stoker>();
}

}  // namespace stoker::core
