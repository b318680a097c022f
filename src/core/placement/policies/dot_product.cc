// The node whose free resources are least like what is asked: the smallest dot product of the two.
#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

class DotProduct : public Policy {
 public:
  [[nodiscard]] std::int64_t score(const Candidate& node) const override {
    // int(100 (1 - (cpus + gpus) / 2)), both as shares of the largest node squared. A GPU's milli weighs 16.
    constexpr std::int64_t kGpuWeight = kCpuMilliScale / kGpuMilliScale;
    constexpr std::int64_t kWhole = kCpuMilliScale * kCpuMilliScale;
    const std::int64_t product =
        scaled_cpus(node.room.cpus_milli) * scaled_cpus(node.ask.cpus_milli) +
        kGpuWeight * kGpuWeight * scaled_gpus(node.room.gpu_milli) * scaled_gpus(node.ask.all_gpu_milli());
    return (100 * kWhole - 50 * product) / kWhole;
  }
};

}  // namespace

std::unique_ptr<Policy> make_dot_product() {
  return std::make_unique<DotProduct>();
}

}  // namespace stoker::core
