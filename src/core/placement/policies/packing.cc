// GPUs in use before idle GPUs, nodes in use before idle nodes.
#include <algorithm>

#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

class Packing : public Policy {
 public:
  [[nodiscard]] std::int64_t score(const Candidate& node) const override {
    if (node.ask.gpus == 0) return 0;
    const auto gpus = static_cast<std::int64_t>(node.room.gpus.size());
    if (node.room.gpu_milli == gpus * Resources::kGpuMilli) return std::max(33 - gpus, gpus);
    if (!node.ask.is_share()) return std::max<std::int64_t>(50 - node.ask.gpus, 33);
    const std::int64_t free = node.room.gpus[tightest_gpu(node)];
    if (free == Resources::kGpuMilli) return 49;  // one idle GPU more
    return std::max<std::int64_t>(100 - free * 100 / Resources::kGpuMilli / 10, 50);
  }
};

}  // namespace

std::unique_ptr<Policy> make_packing() {
  return std::make_unique<Packing>();
}

}  // namespace stoker::core
