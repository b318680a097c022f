#pragma once
// One maker a policy. Those of the literature score as in the simulator of the FGD paper (see workload.h), so
// that its published figures can be met: whole numbers, truncated, 128 CPUs and 8 GPUs as the largest node.
#include <memory>

#include "core/placement/policy.h"

namespace stoker::core {

inline constexpr std::int64_t kCpuMilliScale = 128'000;
inline constexpr std::int64_t kGpuMilliScale = 8'000;
// Free amounts beyond a hundred such nodes weigh no more, so that products stay inside 64 bits.
inline constexpr std::int64_t kScalesMax = 100;
constexpr std::int64_t scaled_cpus(std::int64_t milli) {
  return milli < kCpuMilliScale * kScalesMax ? milli : kCpuMilliScale * kScalesMax;
}
constexpr std::int64_t scaled_gpus(std::int64_t milli) {
  return milli < kGpuMilliScale * kScalesMax ? milli : kGpuMilliScale * kScalesMax;
}

std::unique_ptr<Policy> make_random();
std::unique_ptr<Policy> make_dot_product();
std::unique_ptr<Policy> make_clustering();
std::unique_ptr<Policy> make_packing();
std::unique_ptr<Policy> make_best_fit();
std::unique_ptr<Policy> make_fgd();
std::unique_ptr<Policy> make_stoker();

// FGD's score from 0 to 100: int(100 / (1 + exp(-shrunk / weight / one GPU))), where `shrunk` is by how much
// what is unusable becomes less.
std::int64_t gradient_score(std::int64_t shrunk, std::int64_t weight);

}  // namespace stoker::core
