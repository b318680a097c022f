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

// What one run needs of one node.
struct Resources {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;
  auto operator<=>(const Resources&) const = default;
};

// AWS Batch User Guide, resource-aware scheduling: `quantity` units are held from STARTING to the end of the
// job.
struct ConsumableNeed {
  std::string resource;  // name
  std::int64_t quantity = 0;
  auto operator<=>(const ConsumableNeed&) const = default;
};

}  // namespace stoker::core
