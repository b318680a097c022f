#pragma once
// The words of the core: ids, states and small values that several records share.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace stoker::core {

// Jobs are numbered in the order of submission; an array takes 1 + size numbers: its own, then one a child.
using JobNo = Number<struct JobNoTag>;
using SpecNo = Number<struct SpecNoTag>;
using QueueNo = Number<struct QueueNoTag>;
using ShapeNo = Number<struct ShapeNoTag>;
// Names a caller that waits for an answer. Minted by the shell, never kept in a record.
using RequestId = Number<struct RequestIdTag>;

enum class JobStatus : std::uint8_t { Submitted, Pending, Runnable, Starting, Running, Succeeded, Failed };
inline constexpr std::size_t kJobStatusCount = 7;
inline constexpr std::array<std::string_view, kJobStatusCount> kJobStatusNames = {
    "SUBMITTED", "PENDING", "RUNNABLE", "STARTING", "RUNNING", "SUCCEEDED", "FAILED"};
constexpr std::string_view name_of(JobStatus status) {
  return kJobStatusNames[static_cast<std::size_t>(status)];
}
constexpr bool is_terminal(JobStatus status) {
  return status == JobStatus::Succeeded || status == JobStatus::Failed;
}
// A run of it exists or is being made.
constexpr bool is_active(JobStatus status) {
  return status == JobStatus::Starting || status == JobStatus::Running;
}

using Tags = std::map<std::string, std::string>;

// Amounts of what a node has: what one run needs of it, what all runs use, what is free.
struct Resources {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;       // whole ones
  std::int64_t gpu_milli = 0;  // parts of GPUs: a share of one, or MIG devices by their compute slices
  auto operator<=>(const Resources&) const = default;

  constexpr Resources& operator+=(const Resources& more) {
    cpus_milli += more.cpus_milli;
    memory_mib += more.memory_mib;
    gpus += more.gpus;
    gpu_milli += more.gpu_milli;
    return *this;
  }
  constexpr Resources& operator-=(const Resources& less) {
    cpus_milli -= less.cpus_milli;
    memory_mib -= less.memory_mib;
    gpus -= less.gpus;
    gpu_milli -= less.gpu_milli;
    return *this;
  }
  friend constexpr Resources operator+(Resources a, const Resources& b) { return a += b; }
  friend constexpr Resources operator-(Resources a, const Resources& b) { return a -= b; }
  // Whole GPUs and parts of them in one figure.
  [[nodiscard]] constexpr std::int64_t all_gpu_milli() const { return gpus * kGpuMilli + gpu_milli; }

  static constexpr std::int64_t kGpuMilli = 1000;  // one GPU
};

// AWS Batch User Guide, resource-aware scheduling: `quantity` units are held from STARTING to the end of the
// job.
struct ConsumableNeed {
  std::string resource;  // name
  std::int64_t quantity = 0;
  auto operator<=>(const ConsumableNeed&) const = default;
};

}  // namespace stoker::core
