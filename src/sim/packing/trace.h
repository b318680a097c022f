#pragma once
// The cluster and the tasks of a packing experiment, in the core's own types. The columns are those of
// Alibaba's cluster-trace-gpu-v2023: sn, cpu_milli, memory_mib, gpu, model; and name, cpu_milli, memory_mib,
// num_gpu, gpu_milli and, where there is one, gpu_spec (allowed models joined by '|'; empty: any).
#include <string>
#include <vector>

#include "base/result.h"
#include "core/model/node.h"
#include "core/model/shape.h"

namespace stoker::sim {

inline constexpr std::size_t kPackingNodesMax = 1'000'000;
inline constexpr std::size_t kPackingTasksMax = 10'000'000;
inline constexpr std::int64_t kGpusOfNodeMax = 1024;

struct PackingTrace {
  std::vector<core::Node> nodes;    // idle, connected
  std::vector<core::Shape> shapes;  // those that differ
  std::vector<std::size_t> tasks;   // the shape of each, in the order of the file
  [[nodiscard]] std::int64_t gpus() const;
};

// InvalidArgument names the file, the row and the column.
Result<PackingTrace> read_packing_trace(const std::string& nodes_path, const std::string& tasks_path);
Result<PackingTrace> parse_packing_trace(std::string_view nodes_text, std::string_view tasks_text);

}  // namespace stoker::sim
