#pragma once
// What readers of traces share: fields with their bounds, and what becomes of a row.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/run/job.h"

namespace stoker::sim {

inline constexpr std::size_t kTraceLineBytesMax = 10'000;

// InvalidArgument "line 3: what".
std::unexpected<Error> bad_line(std::size_t line, std::string_view what);

// The tab-separated fields of a line that is not too long.
Result<std::vector<std::string_view>> fields_of(std::string_view row, std::size_t line);
// Seconds with or without decimals.
Result<Duration> time_at(std::string_view cell, std::size_t line, std::string_view name);
Result<std::int64_t> gpus_at(std::string_view cell, std::size_t line);
// Names of others can have any bytes; ours are text.
std::string name_in(std::string_view cell);
// "ResNet-18" of "ResNet-18 (batch size 32)": where traces know no tenants the model is who asks.
std::string model_in(std::string_view job_type);

// Appends the job. What has no time of its own never ran, and is left out.
Result<void> keep_job(std::vector<SimJob>& jobs, SimJob job, std::size_t line);
// Orders them by submission, the first at 0.
Result<void> begin_at_0(std::vector<SimJob>& jobs);

}  // namespace stoker::sim
