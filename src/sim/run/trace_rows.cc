#include "sim/run/trace_rows.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "sim/run/draw.h"
#include "sim/run/traces.h"

namespace stoker::sim {
namespace {

constexpr double kSecondsMax = 1e10;  // of a date; how long something takes is bounded by kDrawMax

}  // namespace

std::unexpected<Error> bad_line(std::size_t line, std::string_view what) {
  return fail(Code::InvalidArgument, "line " + std::to_string(line) + ": " + std::string(what));
}

Result<std::vector<std::string_view>> fields_of(std::string_view row, std::size_t line) {
  if (row.size() > kTraceLineBytesMax) return bad_line(line, "is too long");
  return split(row, '\t');
}

Result<Duration> time_at(std::string_view cell, std::size_t line, std::string_view name) {
  const auto number = parse_double(cell);
  if (!number || !(std::abs(*number) < kSecondsMax))
    return bad_line(line, std::string(name) + " is no number of seconds");
  return Duration{std::llround(*number * 1000)};
}

Result<std::int64_t> gpus_at(std::string_view cell, std::size_t line) {
  const auto number = parse_int(cell);
  if (!number || *number < 0 || *number > kTraceGpusMax)
    return bad_line(line, "the number of GPUs makes no sense");
  return *number;
}

std::string name_in(std::string_view cell) {
  return to_valid_utf8(cell);
}

std::string model_in(std::string_view job_type) {
  return name_in(trim(job_type.substr(0, job_type.find('('))));
}

Result<void> keep_job(std::vector<SimJob>& jobs, SimJob job, std::size_t line) {
  if (job.run <= Duration{}) return {};
  if (job.run > kDrawMax) return bad_line(line, "runs longer than ten years");
  if (jobs.size() == kTraceJobsMax) return fail(Code::LimitExceeded, "the trace has too many jobs");
  jobs.push_back(std::move(job));
  return {};
}

Result<void> begin_at_0(std::vector<SimJob>& jobs) {
  std::ranges::stable_sort(jobs, {}, &SimJob::submit);
  if (jobs.empty()) return {};
  const Duration first = jobs.front().submit;
  if (jobs.back().submit - first > kDrawMax)
    return fail(Code::InvalidArgument, "its submissions lie more than ten years apart");
  for (SimJob& job : jobs) job.submit = job.submit - first;
  return {};
}

}  // namespace stoker::sim
