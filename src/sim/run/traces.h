#pragma once
// Readers of published traces: each gives jobs in the common form, ordered by submission, the first at 0.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/run/job.h"

namespace stoker::sim {

inline constexpr std::size_t kTraceJobsMax = 5'000'000;
inline constexpr std::int64_t kTraceGpusMax = 100'000;

enum class TraceKind : std::uint8_t {
  Itp,        // Microsoft ITP: job_id, submission_time s, duration s, num_gpu
  Philly,     // Microsoft Philly: timestamp, duration s, num_gpus, gpu_time, cluster (the tenant)
  Shockwave,  // Gavel and Shockwave: tab separated; GPUs field 7, duration s 11, arrival s 12; type field 1
              // the tenant
  Openb,      // Alibaba openb: cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec, creation_time s,
              // deletion_time s
};
// Nothing for other words than "itp", "philly", "shockwave", "openb".
std::optional<TraceKind> trace_kind(std::string_view name);

// Rows without a positive duration are left out (they never ran). InvalidArgument names the line.
Result<std::vector<SimJob>> parse_trace(TraceKind kind, std::string_view text);

// Demand over time: Helios, "time,...,running_gpu_num,pending_gpu_num": GPUs wanted at each row.
struct DemandPoint {
  Duration at;
  std::int64_t gpus = 0;
};
Result<std::vector<DemandPoint>> parse_demand_series(std::string_view text);

// Bamboo: "time ms,add|remove,node".
struct SpotEvent {
  Duration at;
  bool added = false;
  std::string node;
};
Result<std::vector<SpotEvent>> parse_spot_events(std::string_view text);

// "2017-10-09 07:01:55" as milliseconds since 1970 in UTC.
std::optional<std::int64_t> parse_wall_time(std::string_view text);

}  // namespace stoker::sim
