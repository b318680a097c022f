// The node that has least left afterwards, CPUs and GPUs weighing the same.
#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

class BestFit : public Policy {
 public:
  [[nodiscard]] std::int64_t score(const Candidate& node) const override {
    constexpr std::int64_t kGpuWeight = kCpuMilliScale / kGpuMilliScale;
    const std::int64_t cpus = scaled_cpus(node.room.cpus_milli - node.ask.cpus_milli);
    const std::int64_t gpus = scaled_gpus(node.room.gpu_milli - node.ask.all_gpu_milli());
    return (100 * kCpuMilliScale - 50 * (cpus + kGpuWeight * gpus)) / kCpuMilliScale;
  }
};

}  // namespace

std::unique_ptr<Policy> make_best_fit() {
  return std::make_unique<BestFit>();
}

}  // namespace stoker::core
