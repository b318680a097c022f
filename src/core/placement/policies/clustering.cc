// Runs that hold as many GPUs go to the same nodes.
#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

class Clustering : public Policy {
 public:
  [[nodiscard]] std::int64_t score(const Candidate& node) const override {
    const std::uint16_t own = node.ask.class_bits();
    if (own == 0) return 0;
    const std::int64_t used = 25 * (kGpuMilliScale - scaled_gpus(node.room.gpu_milli)) / kGpuMilliScale;
    if (node.room.classes == own) return 75 + used;
    if ((node.room.classes & own) != 0) return 50 + used;
    return node.room.classes == 0 ? 25 + used : used;
  }
};

}  // namespace

std::unique_ptr<Policy> make_clustering() {
  return std::make_unique<Clustering>();
}

}  // namespace stoker::core
