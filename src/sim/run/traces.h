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
  Shockwave,  // tab separated; GPUs field 7, duration s 11, arrival s 12; the model in field 1 the tenant
  Gavel,      // tab separated, steps in place of a duration: see parse_gavel()
  Tiresias,   // submit_time s, duration s, num_gpu, model_name (the tenant)
  Openb,      // Alibaba openb: cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec, creation_time s,
              // deletion_time s
  Demand,     // a curve of what is wanted, by time: see parse_demand()
};
// "itp", "philly" and so on; nothing for other words.
std::optional<TraceKind> trace_kind(std::string_view name);

// Rows without a positive duration are left out (they never ran). InvalidArgument names the line. Not for
// Gavel and Demand, which need to know more.
Result<std::vector<SimJob>> parse_trace(TraceKind kind, std::string_view text);

// Gavel: model in field 1 (the tenant); of 7 fields steps are the 5th, arrival s the 6th, GPUs the 7th; of 10
// steps the 6th, GPUs the 7th, arrival s the 10th. `throughputs` is JSON with steps a second of each model
// alone: {"v100":{"('ResNet-18 (batch size 32)', 2)":{"null":55.1}}}, the number in the key that of GPUs. How
// long a job runs is not known where its model was not measured with so many GPUs; it is left out and
// counted.
struct GavelTrace {
  std::vector<SimJob> jobs;
  std::int64_t unknown = 0;
};
Result<GavelTrace> parse_gavel(std::string_view text, std::string_view throughputs,
                               std::string_view gpu_model);

// Demand over time: Helios' "time,…,running_gpu_num,pending_gpu_num" (GPUs), or Philly's "time,active,total"
// (machines).
struct DemandPoint {
  Duration at;
  std::int64_t wanted = 0;
};
Result<std::vector<DemandPoint>> parse_demand_series(std::string_view text);
// The curve as jobs: the k-th unit is wanted from when the curve rises to k until it falls below k again, and
// that is one job of `gpus_per_unit`. So at any time as many jobs are wanted as the curve says; they are no
// real jobs. What is wanted at the end ends there.
Result<std::vector<SimJob>> parse_demand(std::string_view text, std::int64_t gpus_per_unit);

// Bamboo: "time ms,add|remove,node".
struct SpotEvent {
  Duration at;
  bool added = false;
  std::string node;
};
Result<std::vector<SpotEvent>> parse_spot_events(std::string_view text);

// What was lost at once, of how many.
struct SpotLoss {
  Duration at;
  std::int64_t lost = 0;
  std::int64_t of = 0;
  bool operator==(const SpotLoss&) const = default;
};
struct SpotHistory {
  std::vector<SpotLoss> losses;
  Duration length;  // until the last event
};
SpotHistory history_of(const std::vector<SpotEvent>& events);

// "2017-10-09 07:01:55" as milliseconds since 1970 in UTC.
std::optional<std::int64_t> parse_wall_time(std::string_view text);

}  // namespace stoker::sim
