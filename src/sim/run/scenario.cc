#include "sim/run/scenario.h"

#include <algorithm>
#include <cmath>

#include "core/resources/capacity_units.h"
#include "core/resources/node_plan.h"
#include "core/resources/own_tags.h"
#include "core/resources/wishes.h"
#include "sim/run/archive.h"
#include "sim/run/members.h"
#include "sim/run/quota_shares.h"

namespace stoker::sim {
namespace {

constexpr std::int64_t kSecondsMax = 10LL * 365 * 86'400;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::size_t kSpotPricesMax = 100'000;
constexpr std::size_t kTimeLimitsMax = 100;

Result<void> read_time(Members& members, std::string_view name, Duration& out) {
  std::int64_t whole = out.ms / 1000;
  TRY(members.whole(name, 0, kSecondsMax, whole));
  out = seconds(whole);
  return {};
}

Result<void> read_draw_member(Members& members, std::string_view name, Draw& out) {
  const json::Value* value = members.find(name);
  if (value == nullptr) return {};
  auto draw = read_draw(*value);
  if (!draw) return std::unexpected(std::move(draw).error().within(std::string(name)));
  out = *draw;
  return {};
}

// Tags as a submission has them. What they say about the job's own behaviour is how it behaves here.
Result<void> read_tags(Members& members, SimJob& form) {
  const json::Value* value = members.find("tags");
  if (value == nullptr) return {};
  if (!value->is_object()) return bad_member("tags", "must be an object of texts");
  for (const auto& entry : value->get_object()) {
    if (!entry.value().is_string()) return bad_member("tags", "must be an object of texts");
    form.tags[std::string(entry.key())] = json::text(entry.value());
  }
  if (auto legal = core::check_own_tags(core::ResourceKind::JobDefinition, form.tags); !legal)
    return std::unexpected(std::move(legal).error().within("tags"));
  const core::Wishes wishes = core::interpret_wishes(form.tags);
  form.deadline = wishes.deadline_after;
  form.saves_on_signal = wishes.checkpoint == core::Checkpoint::Signal;
  if (wishes.checkpoint_every > Duration{}) form.checkpoint = wishes.checkpoint_every;
  return {};
}

Result<void> read_time_limits(Members& members, std::vector<Duration>& limits) {
  const json::Array* list = TRY(members.list("timeLimitsSeconds", 0, kTimeLimitsMax));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::Value& value = (*list)[i];
    const bool later = value.is_int64() && value.get_int64() >= 60 && value.get_int64() <= kSecondsMax &&
                       (limits.empty() || seconds(value.get_int64()) > limits.back());
    if (!later)
      return bad_member(numbered("timeLimitsSeconds", i),
                        "must be a minute at least, and more than the one before");
    limits.push_back(seconds(value.get_int64()));
  }
  return {};
}

// What jobs of a source have in common.
Result<void> read_form(Members& members, SimJob& form) {
  form.queue = "default";
  TRY(members.text("queue", form.queue));
  TRY(members.text("tenant", form.tenant));
  TRY(read_tags(members, form));
  TRY(read_time(members, "checkpointSeconds", form.checkpoint));
  TRY(members.whole("priority", 0, 9999, form.priority));
  return members.whole("failuresPerMillionHours", 0, 1'000 * kMillion, form.failures_per_million_hours);
}

Result<void> check_below_traces(std::string_view member, const std::string& file) {
  if (file.starts_with('/') || file.find("..") != std::string::npos)
    return bad_member(member, "must lie below the folder of traces");
  return {};
}

Result<TraceSource> read_trace(Members& members, std::string_view kind) {
  TraceSource source;
  const auto known = trace_kind(kind);
  if (!known) return bad_member("trace", "must be itp, philly, shockwave, openb or demand");
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
  TRY(read_time_limits(members, source.time_limits));
  TRY(read_form(members, source.form));
  return source;
}

Result<SizeWeight> read_size(Members& members, std::int64_t nodes) {
  SizeWeight size;
  size.nodes = nodes;
  TRY(members.whole("gpus", 0, kTraceGpusMax, size.gpus));
  TRY(members.whole("nodes", 1, core::kNodesMax, size.nodes));
  TRY(members.whole("weight", 1, kMillion, size.weight));
  TRY(members.nothing_else());
  return size;
}

Result<void> read_sizes(Members& members, std::vector<SizeWeight>& sizes) {
  std::int64_t nodes = 1;
  TRY(members.whole("nodes", 1, core::kNodesMax, nodes));
  const json::Array* list = TRY(members.list("gpus", 0, 100));
  if (list == nullptr) {
    for (SizeWeight& size : sizes) size.nodes = nodes;
    return {};
  }
  sizes.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    Members size((*list)[i]);
    auto read = read_size(size, nodes);
    if (!read) return std::unexpected(std::move(read).error().within(numbered("gpus", i)));
    sizes.push_back(*read);
  }
  return sizes.empty() ? bad_member("gpus", "must not be empty") : Result<void>{};
}

Result<Generator> read_generator(Members& members) {
  Generator generator;
  TRY(members.number("jobsPerDay", 0, 1e6, generator.jobs_per_day));
  TRY(members.whole("fromHour", 0, 23, generator.from_hour));
  TRY(members.whole("toHour", 1, 24, generator.to_hour));
  if (generator.to_hour <= generator.from_hour) return bad_member("toHour", "must be after fromHour");
  double weekend = 1;
  TRY(members.number("weekend", 0, 100, weekend));
  generator.weekend_milli = std::llround(weekend * 1000);
  TRY(members.whole("burst", 1, 100'000, generator.burst));
  TRY(read_draw_member(members, "burstGapSeconds", generator.burst_gap));
  TRY(read_sizes(members, generator.sizes));
  TRY(read_draw_member(members, "runSeconds", generator.run));
  if (const json::Array* tenants = TRY(members.list("tenants", 0, 1000));
      tenants != nullptr && !tenants->empty()) {
    generator.tenants.clear();
    for (const json::Value& tenant : *tenants) {
      if (json::text(tenant).empty()) return bad_member("tenants", "must be texts");
      generator.tenants.emplace_back(json::text(tenant));
    }
  }
  TRY(members.whole("cpusMilli", 1, 1'000 * kMillion, generator.form.cpus_milli));
  TRY(members.whole("memoryMiB", 1, 1'000 * kMillion, generator.form.memory_mib));
  TRY(read_time_limits(members, generator.time_limits));
  TRY(read_form(members, generator.form));
  return generator;
}

Result<JobSource> read_source(const json::Value& value) {
  Members members(value);
  JobSource source;
  const json::Value* trace = members.find("trace");
  const json::Value* generated = members.find("generate");
  if ((trace == nullptr) == (generated == nullptr))
    return bad_member("trace", "either trace or generate must be given, not both");
  if (trace != nullptr) {
    source.trace = TRY(read_trace(members, json::text(*trace)));
  } else {
    Members inner(*generated);
    auto generator = read_generator(inner);
    if (!generator) return std::unexpected(std::move(generator).error().within("generate"));
    auto done = inner.nothing_else();
    if (!done) return std::unexpected(std::move(done).error().within("generate"));
    source.generator = std::move(*generator);
  }
  TRY(members.nothing_else());
  return source;
}

Result<void> read_spot_prices(Members& members, SpotModel& spot) {
  const json::Array* list = TRY(members.list("prices", 0, kSpotPricesMax));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    Members inner((*list)[i]);
    SpotPrice price;
    TRY(read_time(inner, "afterSeconds", price.after));
    TRY(inner.whole("percent", 1, 1000, price.percent));
    if (auto done = inner.nothing_else(); !done)
      return std::unexpected(std::move(done).error().within(numbered("prices", i)));
    if (i > 0 && price.after <= spot.prices.back().after)
      return bad_member(numbered("prices", i), "afterSeconds: must be later than the one before");
    spot.prices.push_back(price);
  }
  TRY(read_time(members, "pricesRepeatSeconds", spot.prices_repeat));
  const bool repeats = spot.prices_repeat > Duration{};
  if (repeats && (spot.prices.empty() || spot.prices_repeat <= spot.prices.back().after))
    return bad_member("pricesRepeatSeconds", "must be later than the last of prices");
  return {};
}

Result<void> read_spot(Members& members, SpotModel& spot) {
  const json::Value* value = members.find("spotModel");
  if (value == nullptr) return {};
  Members inner(*value);
  TRY(inner.whole("pricePercent", 1, 100, spot.price_percent));
  TRY(read_spot_prices(inner, spot));
  TRY(inner.whole("failPermille", 0, 1000, spot.fail_permille));
  TRY(read_time(inner, "meanSecondsToInterruption", spot.mean_to_interruption));
  TRY(inner.text("events", spot.events));
  if (!spot.events.empty()) TRY(check_below_traces("events", spot.events));
  if (!spot.events.empty() && spot.mean_to_interruption > Duration{})
    return bad_member("events", "either events or meanSecondsToInterruption, not both");
  TRY(read_time(inner, "noticeSeconds", spot.notice));
  TRY(read_time(inner, "adviceSeconds", spot.advice));
  return inner.nothing_else();
}

Result<void> read_left_running(Members& members, LeftRunning& left) {
  const json::Value* value = members.find("leftRunning");
  if (value == nullptr) return {};
  Members inner(*value);
  TRY(inner.whole("permille", 0, 1000, left.permille));
  TRY(read_time(inner, "meanSeconds", left.mean));
  return inner.nothing_else();
}

Result<void> read_machines(Members& members, const fleet::Catalogue& catalogue,
                           std::vector<StaticMachines>& out) {
  const json::Array* list = TRY(members.list("machines", 0, 1000));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    Members inner((*list)[i]);
    StaticMachines machines;
    TRY(inner.text("type", machines.type));
    if (catalogue.find(machines.type) == nullptr)
      return bad_member(numbered("machines", i), "type: " + machines.type + " is not in the catalogue");
    TRY(inner.whole("count", 1, kSimMachinesMax, machines.count));
    TRY(inner.nothing_else());
    out.push_back(std::move(machines));
  }
  return {};
}

Result<SimEnvironment> read_environment(const json::Value& value, const fleet::Catalogue& catalogue) {
  Members members(value);
  SimEnvironment environment;
  TRY(members.text("name", environment.name));
  if (environment.name.empty()) return bad_member("name", "must be given");
  TRY(read_machines(members, catalogue, environment.machines));
  if (const json::Value* policy = members.find("fleet")) {
    auto read = fleet::read_fleet_policy(*policy, catalogue);
    if (!read) return std::unexpected(std::move(read).error().within("fleet"));
    environment.policy = std::move(*read);
  }
  TRY(read_draw_member(members, "bootSeconds", environment.boot));
  TRY(read_draw_member(members, "pullSeconds", environment.pull));
  TRY(members.flag("keepsImages", environment.keeps_images));
  TRY(members.flag("oneRunAMachine", environment.one_run_a_machine));
  TRY(members.whole("onDemandFailPermille", 0, 1000, environment.on_demand_fail_permille));
  TRY(read_spot(members, environment.spot));
  TRY(read_left_running(members, environment.left_running));
  std::string billing = "second";
  TRY(members.text("billing", billing));
  if (billing == "hour")
    environment.billing = cost::kPerHour;
  else if (billing != "second")
    return bad_member("billing", "must be second or hour");
  TRY(members.nothing_else());
  return environment;
}

Result<SimQueue> read_queue(const json::Value& value) {
  Members members(value);
  SimQueue queue;
  TRY(members.text("name", queue.name));
  TRY(members.whole("priority", 0, 1000, queue.priority));
  const json::Array* list = TRY(members.list("environments", 1, 3));
  for (const json::Value& name : *list) queue.environments.emplace_back(json::text(name));
  if (const json::Value* policy = members.find("schedulingPolicy"))
    queue.scheduling_policy = std::make_shared<const json::Value>(*policy);
  queue.quota_shares = TRY(read_quota_shares(members));
  TRY(members.nothing_else());
  return queue;
}

// Names must lead somewhere.
Result<void> check_names(const Scenario& scenario) {
  const auto has_environment = [&](const std::string& name) {
    return std::ranges::find(scenario.environments, name, &SimEnvironment::name) !=
           scenario.environments.end();
  };
  for (const SimQueue& queue : scenario.queues)
    for (const std::string& name : queue.environments)
      if (!has_environment(name))
        return bad_member("queues", queue.name + ": there is no environment " + name);
  for (const SimQueue& queue : scenario.queues)
    for (const core::QuotaShare& share : queue.quota_shares)
      for (const core::CapacityLimit& limit : share.limits)
        if (!core::is_known_unit(limit.unit, scenario.catalogue, {}))
          return bad_member("queues",
                            queue.name + ": quota share " + share.name + ": no machine has " + limit.given);
  for (const JobSource& source : scenario.jobs) {
    const std::string& name = source.trace ? source.trace->form.queue : source.generator->form.queue;
    const auto queue = std::ranges::find(scenario.queues, name, &SimQueue::name);
    if (queue == scenario.queues.end()) return bad_member("jobs", "there is no queue " + name);
    if (source.generator && !queue->quota_shares.empty())
      for (const std::string& tenant : source.generator->tenants)
        if (std::ranges::find(queue->quota_shares, tenant, &core::QuotaShare::name) ==
            queue->quota_shares.end())
          return bad_member("jobs", "tenant " + tenant + " has no quota share in queue " + name);
    if (source.generator && scenario.length == Duration{})
      return bad_member("days", "must be given where jobs are generated");
  }
  return {};
}

template <class Read, class Item>
Result<void> read_list(Members& members, std::string_view name, std::size_t most, std::vector<Item>& out,
                       Read read) {
  const json::Array* list = TRY(members.list(name, 1, most));
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto item = read((*list)[i]);
    if (!item) return std::unexpected(std::move(item).error().within(numbered(name, i)));
    out.push_back(std::move(*item));
  }
  return {};
}

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
    job.deadline = source.form.deadline;
    job.priority = source.form.priority;
    job.tags = source.form.tags;
    job.time_limit = time_limit_of(job, source.time_limits);
    if (source.kind == TraceKind::Openb) continue;  // it says what it needs
    const std::int64_t units = std::max<std::int64_t>(1, job.gpus);
    job.cpus_milli = source.cpus_milli > 0 ? source.cpus_milli : source.cpus_milli_per_gpu * units;
    job.memory_mib = source.memory_mib_per_gpu * units;
  }
}

Result<std::vector<SimJob>> load_trace(const Scenario& scenario, const TraceSource& source,
                                       const std::string& traces, std::int64_t& left_out) {
  const std::string text = TRY(read_trace_text(traces + "/" + source.file));
  auto jobs = source.kind == TraceKind::Demand ? parse_demand(text, source.gpus_per_unit)
                                               : parse_trace(source.kind, text);
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

Result<Scenario> read_scenario(const json::Value& value) {
  Members members(value);
  Scenario scenario;
  scenario.catalogue = fleet::Catalogue::builtin();
  TRY(members.text("name", scenario.name));
  TRY(members.text("about", scenario.about));
  TRY(members.text("story", scenario.story));
  std::int64_t seed = 1;
  TRY(members.whole("seed", 0, INT64_MAX, seed));
  scenario.seed = static_cast<std::uint64_t>(seed);
  std::int64_t day_count = 0;
  TRY(members.whole("days", 0, 3650, day_count));
  scenario.length = days(day_count);
  if (const json::Value* overrides = members.find("catalogue")) {
    auto done = scenario.catalogue.apply(*overrides);
    if (!done) return std::unexpected(std::move(done).error().within("catalogue"));
  }
  TRY(read_list(members, "jobs", kJobSourcesMax, scenario.jobs, read_source));
  TRY(read_list(members, "environments", kSimEnvironmentsMax, scenario.environments,
                [&](const json::Value& entry) { return read_environment(entry, scenario.catalogue); }));
  TRY(read_list(members, "queues", kSimQueuesMax, scenario.queues, read_queue));
  TRY(read_draw_member(members, "restartSeconds", scenario.restart));
  if (const json::Value* placement = members.find("placement")) {
    const auto policy = core::parse_policy(json::text(*placement));
    if (!policy) return bad_member("placement", "is no placement policy");
    scenario.placement = *policy;
  }
  TRY(members.nothing_else());
  TRY(check_names(scenario));
  return scenario;
}

Result<void> load_spot_history(Scenario& scenario, const std::string& traces) {
  for (SimEnvironment& environment : scenario.environments) {
    SpotModel& spot = environment.spot;
    if (spot.events.empty()) continue;
    const std::string text = TRY(read_trace_text(traces + "/" + spot.events));
    auto events = parse_spot_events(text);
    if (!events) return std::unexpected(std::move(events).error().within(spot.events));
    spot.history = history_of(*events);
    if (spot.history.losses.empty()) return bad_member("events", spot.events + " has no losses");
  }
  return {};
}

Result<Workload> load_workload(const Scenario& scenario, const std::string& traces, Rng& rng) {
  Workload workload;
  for (const JobSource& source : scenario.jobs) {
    std::vector<SimJob> jobs;
    if (source.trace)
      jobs = TRY(load_trace(scenario, *source.trace, traces, workload.left_out));
    else
      jobs = generate(*source.generator, scenario.length, rng);
    std::ranges::move(jobs, std::back_inserter(workload.jobs));
  }
  if (scenario.length > Duration{})
    std::erase_if(workload.jobs, [&](const SimJob& job) { return job.submit >= scenario.length; });
  std::ranges::stable_sort(workload.jobs, {}, &SimJob::submit);
  return workload;
}

}  // namespace stoker::sim
