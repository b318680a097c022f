#include "sim/run/workload.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/run/archive.h"
#include "sim/run/members.h"
#include "sim/run/tenants.h"

namespace stoker::sim {
namespace {

// The most GPUs that a machine of the queue's environments has, of those that are there and those that may be
// launched.
std::int64_t gpus_of_largest_machine(const Scenario& scenario, const std::string& queue_name) {
  std::int64_t most = 0;
  const auto note = [&](const std::string& type) {
    most = std::max(most, scenario.catalogue.find(type)->gpus);
  };
  const auto queue = std::ranges::find(scenario.queues, queue_name, &SimQueue::name);
  for (const std::string& name : queue->environments) {
    const auto environment = std::ranges::find(scenario.environments, name, &SimEnvironment::name);
    for (const StaticMachines& machines : environment->machines) note(machines.type);
    if (environment->policy) std::ranges::for_each(environment->policy->types, note);
  }
  return most;
}

constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t parts) {
  return (whole + parts - 1) / parts;
}

// As few nodes as hold it, which are alike: what does not divide is rounded up.
void split_into_nodes(SimJob& job, std::int64_t gpus_per_node) {
  if (gpus_per_node == 0 || job.gpus <= gpus_per_node) return;
  job.nodes = parts_of(job.gpus, gpus_per_node);
  job.gpus = parts_of(job.gpus, job.nodes);
  job.cpus_milli = parts_of(job.cpus_milli, job.nodes);
  job.memory_mib = parts_of(job.memory_mib, job.nodes);
}

void fill_in(std::vector<SimJob>& jobs, const TraceSource& source, std::int64_t gpus_per_node) {
  for (SimJob& job : jobs) {
    split_into_nodes(job, gpus_per_node);
    const std::string tenant = job.tenant.empty() ? source.form.tenant : job.tenant;
    job.tenant = tenant.empty() ? "all" : tenant;
    job.queue = source.form.queue;
    job.checkpoint = source.form.checkpoint;
    job.failures_per_million_hours = source.form.failures_per_million_hours;
    job.saves_on_signal = source.form.saves_on_signal;
    job.deadline_at = source.form.deadline_at;
    job.deadline_after = source.form.deadline_after;
    job.image = source.form.image;
    job.image_mib = source.form.image_mib;
    job.priority = source.form.priority;
    job.tags = source.form.tags;
    job.time_limit = time_limit_of(job, source.time_limits);
    if (source.kind == TraceKind::Openb) continue;  // it says what it needs
    const std::int64_t units = std::max<std::int64_t>(1, job.gpus);
    job.cpus_milli = source.cpus_milli > 0 ? source.cpus_milli : source.cpus_milli_per_gpu * units;
    job.memory_mib = source.memory_mib_per_gpu * units;
  }
}

Result<SpotHistory> load_history(const std::string& file, const std::string& traces) {
  const std::string text = TRY(read_trace_text(traces + "/" + file));
  auto events = parse_spot_events(text);
  if (!events) return std::unexpected(std::move(events).error().within(file));
  SpotHistory history = history_of(*events);
  if (history.losses.empty()) return bad_member(file, "has no losses");
  if (history.length < minutes(1))
    return bad_member(file, "is shorter than a minute, and begins anew after its end");
  return history;
}

// A file that the member `member` names.
Result<std::string> read_named(std::string_view member, const std::string& traces, const std::string& file) {
  auto text = read_trace_text(traces + "/" + file);
  if (!text) return std::unexpected(std::move(text).error().within(std::string(member)));
  return text;
}

Result<std::vector<SimJob>> parse(const TraceSource& source, std::string_view text, const std::string& traces,
                                  std::int64_t& left_out) {
  if (source.kind == TraceKind::Demand) return parse_demand(text, source.gpus_per_unit);
  if (source.kind != TraceKind::Gavel) return parse_trace(source.kind, text);
  const std::string throughputs = TRY(read_named("throughputs", traces, source.throughputs));
  GavelTrace trace = TRY(parse_gavel(text, throughputs, source.gpu_model));
  left_out += trace.unknown;
  return std::move(trace.jobs);
}

Result<std::vector<SimJob>> load_trace(const Scenario& scenario, const TraceSource& source,
                                       const std::string& traces, std::int64_t& left_out) {
  const std::string text = TRY(read_named("file", traces, source.file));
  auto jobs = parse(source, text, traces, left_out);
  if (!jobs) return std::unexpected(std::move(jobs).error().within(source.file));
  if (source.limit > 0 && jobs->size() > static_cast<std::size_t>(source.limit))
    jobs->resize(static_cast<std::size_t>(source.limit));
  if (source.gpus_max > 0)
    left_out += static_cast<std::int64_t>(
        std::erase_if(*jobs, [&](const SimJob& job) { return job.gpus > source.gpus_max; }));
  fill_in(
      *jobs, source,
      source.gpus_per_node > 0 ? source.gpus_per_node : gpus_of_largest_machine(scenario, source.form.queue));
  return jobs;
}

}  // namespace

Result<void> load_spot_history(Scenario& scenario, const std::string& traces) {
  for (std::size_t i = 0; i < scenario.environments.size(); ++i) {
    SpotModel& spot = scenario.environments[i].spot;
    if (spot.events.empty()) continue;
    auto history = load_history(spot.events, traces);
    if (!history)
      return std::unexpected(
          std::move(history).error().within(numbered("environments", i) + ": spotModel: events"));
    spot.history = std::move(*history);
  }
  return {};
}

Result<Workload> load_workload(const Scenario& scenario, const std::string& traces, Rng& rng) {
  Workload workload;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const JobSource& source = scenario.jobs[i];
    std::vector<SimJob> jobs;
    if (source.trace) {
      auto loaded = load_trace(scenario, *source.trace, traces, workload.left_out);
      if (!loaded) return std::unexpected(std::move(loaded).error().within(numbered("jobs", i)));
      jobs = std::move(*loaded);
    } else {
      jobs = generate(*source.generator, scenario.length, rng);
    }
    std::ranges::move(jobs, std::back_inserter(workload.jobs));
    if (workload.jobs.size() > kSimJobsMax)
      return fail(Code::LimitExceeded, "jobs: there are more than " + std::to_string(kSimJobsMax));
  }
  if (scenario.length > Duration{})
    std::erase_if(workload.jobs, [&](const SimJob& job) { return job.submit >= scenario.length; });
  std::ranges::stable_sort(workload.jobs, {}, &SimJob::submit);
  std::map<std::string_view, std::set<std::string_view>> tenants;  // by queue
  for (const SimJob& job : workload.jobs) tenants[job.queue].insert(job.tenant);
  TRY(check_tenants(scenario, tenants));
  return workload;
}

}  // namespace stoker::sim
