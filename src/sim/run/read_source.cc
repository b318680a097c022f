#include "sim/run/read_source.h"

#include <cmath>

#include "core/resources/node_plan.h"
#include "core/resources/own_tags.h"
#include "core/resources/requirements.h"
#include "core/resources/wishes.h"

namespace stoker::sim {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::size_t kTimeLimitsMax = 100;
constexpr std::int64_t kImageMibMax = 10'000'000;

// Tags as a submission has them. What they say about the job's own behaviour is how it behaves here.
Result<void> read_tags(Members& members, SimJob& form) {
  const json::Value* value = members.find("tags");
  if (value == nullptr) return {};
  if (!value->is_object()) return bad_member("tags", "must be an object of texts");
  for (const auto& entry : value->get_object()) {
    if (!entry.value().is_string()) return bad_member("tags", "must be an object of texts");
    form.tags[std::string(entry.key())] = json::text(entry.value());
  }
  TRY(core::check_own_tags(core::ResourceKind::JobDefinition, form.tags));  // says "tags: ..." itself
  const core::Wishes wishes = core::interpret_wishes(form.tags);
  form.deadline_at = wishes.deadline_at;
  form.deadline_after = wishes.deadline_after;
  form.saves_on_signal = wishes.checkpoint == core::Checkpoint::Signal;
  if (wishes.checkpoint_every > Duration{}) form.checkpoint = wishes.checkpoint_every;
  return {};
}

Result<void> read_time_limits(Members& members, std::vector<Duration>& limits) {
  const json::Array* list = TRY(members.list("timeLimitsSeconds", 0, kTimeLimitsMax));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::Value& value = (*list)[i];
    const bool later = value.is_int64() && value.get_int64() >= 60 &&
                       value.get_int64() <= kDrawMax.ms / 1000 &&
                       (limits.empty() || seconds(value.get_int64()) > limits.back());
    if (!later)
      return bad_member(numbered("timeLimitsSeconds", i),
                        "must be a minute at least, and more than the one before");
    limits.push_back(seconds(value.get_int64()));
  }
  return {};
}

Result<void> read_image(Members& members, SimJob& form) {
  TRY(members.text("name", form.image));
  if (form.image.empty()) return bad_member("name", "must be given");
  return members.whole("mib", 1, kImageMibMax, form.image_mib);
}

// What jobs of a source have in common.
Result<void> read_form(Members& members, SimJob& form) {
  form.queue = "default";
  TRY(members.text("queue", form.queue));
  TRY(members.text("tenant", form.tenant));
  TRY(members.object("image", [&](Members& image) { return read_image(image, form); }));
  TRY(read_tags(members, form));
  TRY(members.time("checkpointSeconds", form.checkpoint));
  TRY(members.whole("priority", 0, 9999, form.priority));
  return members.whole("failuresPerMillionHours", 0, 1'000 * kMillion, form.failures_per_million_hours);
}

// Gavel's jobs are so many steps; how fast these are is in a file of its own.
Result<void> read_speeds(Members& members, TraceSource& source) {
  TRY(members.text("throughputs", source.throughputs));
  if (source.throughputs.empty())
    return bad_member("throughputs", "must name the file with the speeds of its models");
  TRY(check_below_traces("throughputs", source.throughputs));
  return members.text("gpuModel", source.gpu_model);
}

Result<TraceSource> read_trace(Members& members, std::string_view kind) {
  TraceSource source;
  const auto known = trace_kind(kind);
  if (!known) return bad_member("trace", "must be itp, philly, shockwave, gavel, tiresias, openb or demand");
  source.kind = *known;
  TRY(members.text("file", source.file));
  if (source.file.empty()) return bad_member("file", "must name a file below the folder of traces");
  TRY(check_below_traces("file", source.file));
  TRY(members.whole("limit", 0, static_cast<std::int64_t>(kTraceJobsMax), source.limit));
  TRY(members.whole("gpusMax", 0, kTraceGpusMax, source.gpus_max));
  TRY(members.whole("gpusPerNode", 0, kTraceGpusMax, source.gpus_per_node));
  TRY(members.whole("gpusPerUnit", 1, kTraceGpusMax, source.gpus_per_unit));
  TRY(members.whole("cpusMilliPerGpu", 1, 1'000 * kMillion, source.cpus_milli_per_gpu));
  TRY(members.whole("cpusMilli", 0, 1'000 * kMillion, source.cpus_milli));
  TRY(members.whole("memoryMiBPerGpu", 1, 1'000 * kMillion, source.memory_mib_per_gpu));
  if (source.kind == TraceKind::Gavel) TRY(read_speeds(members, source));
  TRY(read_time_limits(members, source.time_limits));
  TRY(read_form(members, source.form));
  return source;
}

// Whole GPUs as a number, or anything that the API takes as text.
Result<void> read_gpus(Members& size, core::GpuAmount& amount) {
  const json::Value* value = size.find("gpus");
  if (value == nullptr || value->is_int64()) return size.whole("gpus", 0, kTraceGpusMax, amount.gpus);
  const auto read = core::parse_gpu_value(json::text(*value));
  if (!read || read->gpus > kTraceGpusMax)
    return bad_member("gpus",
                      "must be a whole number, or text: \"0.5\" is a share of one GPU, \"2g.20gb\" a MIG "
                      "device, \"3x1g.10gb\" three of them");
  amount = *read;
  return {};
}

Result<void> read_sizes(Members& members, std::vector<SizeWeight>& sizes) {
  std::int64_t nodes = 1;
  TRY(members.whole("nodes", 1, core::kNodesMax, nodes));
  std::vector<SizeWeight> given;
  const auto read_size = [&](Members& member, std::size_t) -> Result<void> {
    SizeWeight& size = given.emplace_back();
    size.nodes = nodes;
    TRY(read_gpus(member, size.gpus));
    TRY(member.whole("nodes", 1, core::kNodesMax, size.nodes));
    return member.whole("weight", 1, kMillion, size.weight);
  };
  TRY(members.each("gpus", 0, 100, read_size));
  if (members.find("gpus") == nullptr) {
    for (SizeWeight& size : sizes) size.nodes = nodes;
    return {};
  }
  if (given.empty()) return bad_member("gpus", "must not be empty");
  sizes = std::move(given);
  return {};
}

Result<void> read_tenants(Members& members, std::vector<std::string>& tenants) {
  const json::Array* list = TRY(members.list("tenants", 0, 1000));
  if (list == nullptr || list->empty()) return {};
  tenants.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (json::text((*list)[i]).empty()) return bad_member(numbered("tenants", i), "must be text");
    tenants.emplace_back(json::text((*list)[i]));
  }
  return {};
}

Result<void> read_generator(Members& members, Generator& generator) {
  TRY(members.number("jobsPerDay", 0, 1e6, generator.jobs_per_day));
  TRY(members.whole("fromHour", 0, 23, generator.from_hour));
  TRY(members.whole("toHour", 1, 24, generator.to_hour));
  if (generator.to_hour <= generator.from_hour) return bad_member("toHour", "must be after fromHour");
  double weekend = 1;
  TRY(members.number("weekend", 0, 100, weekend));
  generator.weekend_milli = std::llround(weekend * 1000);
  TRY(members.whole("burst", 1, 100'000, generator.burst));
  TRY(members.draw("burstGapSeconds", generator.burst_gap));
  TRY(read_sizes(members, generator.sizes));
  TRY(members.draw("runSeconds", generator.run));
  TRY(read_tenants(members, generator.tenants));
  TRY(members.whole("cpusMilli", 1, 1'000 * kMillion, generator.form.cpus_milli));
  TRY(members.whole("memoryMiB", 1, 1'000 * kMillion, generator.form.memory_mib));
  TRY(read_time_limits(members, generator.time_limits));
  return read_form(members, generator.form);
}

}  // namespace

Result<void> check_below_traces(std::string_view member, const std::string& file) {
  if (file.starts_with('/') || file.find("..") != std::string::npos)
    return bad_member(member, "must lie below the folder of traces");
  return {};
}

Result<void> read_source(Members& members, JobSource& source) {
  const json::Value* trace = members.find("trace");
  const json::Value* generate = members.find("generate");
  if (trace == nullptr && generate == nullptr) return bad_member("trace", "must be given, or generate");
  if (trace != nullptr && generate != nullptr) return bad_member("trace", "cannot be given with generate");
  if (trace != nullptr) {
    source.trace = TRY(read_trace(members, json::text(*trace)));
    return {};
  }
  source.generator.emplace();
  return members.object("generate", [&](Members& inner) { return read_generator(inner, *source.generator); });
}

}  // namespace stoker::sim
