// Traces of Gavel: a job is so many steps of a model; a second file says how fast those are on which GPU.
#include <cmath>

#include "base/text.h"
#include "json/json.h"
#include "sim/run/draw.h"
#include "sim/run/trace_rows.h"
#include "sim/run/traces.h"
#include "sim/table.h"

namespace stoker::sim {
namespace {

constexpr std::int64_t kStepsMax = 1'000'000'000'000'000;

// Which field is what. Traces of clusters have 7 fields, those of experiments 10.
struct Fields {
  std::size_t steps, gpus, arrival;
};
Result<Fields> places_of(std::size_t count, std::size_t line) {
  if (count == 7) return Fields{.steps = 4, .gpus = 6, .arrival = 5};
  if (count == 10) return Fields{.steps = 5, .gpus = 6, .arrival = 9};
  return bad_line(line, "has neither 7 nor 10 fields");
}

// Steps a second of the model alone on so many GPUs; nothing where nobody measured it.
Result<std::optional<double>> speed_of(const json::Value& speeds, std::string_view job_type,
                                       std::int64_t gpus) {
  const std::string key = "('" + std::string(job_type) + "', " + std::to_string(gpus) + ")";
  const json::Value* entry = json::find(speeds, key);
  const json::Value* alone = entry == nullptr ? nullptr : json::find(*entry, "null");
  if (alone == nullptr) return std::nullopt;
  const double speed = alone->is_number() ? alone->to_number<double>() : 0;
  if (speed > 0) return speed;
  return fail(Code::InvalidArgument, name_in(key) + ": its speed must be a number above 0");
}

Duration time_for(std::int64_t steps, double speed) {
  const auto longest = static_cast<double>(kDrawMax.ms) * 2;  // too long for a trace
  return Duration{std::llround(std::min(static_cast<double>(steps) / speed * 1000, longest))};
}

}  // namespace

Result<GavelTrace> parse_gavel(std::string_view text, std::string_view throughputs,
                               std::string_view gpu_model) {
  auto speeds = json::parse(throughputs);
  if (!speeds) return std::unexpected(std::move(speeds).error().within("throughputs"));
  const json::Value* of_gpu = json::find(*speeds, gpu_model);
  if (of_gpu == nullptr || !of_gpu->is_object())
    return fail(Code::InvalidArgument, "throughputs: there is no GPU model " + name_in(gpu_model));
  GavelTrace trace;
  for (std::size_t line = 1; const auto row = take_line(text); ++line) {
    if (trim(*row).empty()) continue;
    const std::vector<std::string_view> fields = TRY(fields_of(*row, line));
    const Fields at = TRY(places_of(fields.size(), line));
    const auto steps = parse_int(fields[at.steps]);
    if (!steps || *steps < 0 || *steps > kStepsMax)
      return bad_line(line, "the number of steps makes no sense");
    SimJob job;
    job.tenant = model_in(fields[0]);
    job.gpus = TRY(gpus_at(trim(fields[at.gpus]), line));
    job.submit = TRY(time_at(trim(fields[at.arrival]), line, "arrival"));
    const std::optional<double> speed = TRY(speed_of(*of_gpu, fields[0], job.gpus));
    if (!speed) {
      ++trace.unknown;
      continue;
    }
    job.run = time_for(*steps, *speed);
    TRY(keep_job(trace.jobs, std::move(job), line));
  }
  TRY(begin_at_0(trace.jobs));
  return trace;
}

}  // namespace stoker::sim
