// Scenarios, traces and archives. Whatever comes is read or refused in words; and what is a scenario can be
// simulated to its end, with books that are right and a report that is JSON.
#include <algorithm>

#include "base/assert.h"
#include "base/rng.h"
#include "fuzz.h"
#include "sim/run/archive.h"
#include "sim/run/engine.h"
#include "sim/run/page/page.h"
#include "sim/run/traces.h"
#include "sim/run/variants.h"
#include "sim/table.h"

namespace {

using namespace stoker;
using namespace stoker::sim;

// A fault says what is wrong.
template <class T>
bool is_read(const Result<T>& result) {
  if (result) return true;
  const Code code = result.error().code;
  ASSERT(code == Code::InvalidArgument || code == Code::LimitExceeded || code == Code::NotFound,
         result.error().message);
  ASSERT(!result.error().message.empty());
  return false;
}

void check_jobs(const std::vector<SimJob>& jobs) {
  for (const SimJob& job : jobs)
    ASSERT(job.submit >= Duration{} && job.submit <= kDrawMax && job.run > Duration{} && job.run <= kDrawMax);
}

void try_traces(std::string_view text) {
  for (const TraceKind kind :
       {TraceKind::Itp, TraceKind::Philly, TraceKind::Shockwave, TraceKind::Tiresias, TraceKind::Openb})
    if (const auto jobs = parse_trace(kind, text); is_read(jobs)) check_jobs(*jobs);
  constexpr std::string_view kSpeeds = R"~({"v100":{"('LM (batch size 10)', 1)":{"null":1e-3}}})~";
  if (const auto trace = parse_gavel(text, kSpeeds, "v100"); is_read(trace)) check_jobs(trace->jobs);
  constexpr std::string_view kRow = "LM (batch size 10)\tc\t-s\t1\t100\t0\t1\n";
  if (const auto trace = parse_gavel(kRow, text, "v100"); is_read(trace)) check_jobs(trace->jobs);
  if (const auto jobs = parse_demand(text, 8); is_read(jobs))
    for (const SimJob& job : *jobs) ASSERT(job.run > Duration{} && job.run <= kDrawMax);
  if (const auto events = parse_spot_events(text); is_read(events))
    for (const SpotLoss& loss : history_of(*events).losses) ASSERT(loss.lost > 0 && loss.lost <= loss.of);
  constexpr std::size_t kUnpackedMax = 1U << 20;
  if (const auto file = file_of_tar(text, "spot_events.csv"); is_read(file))
    ASSERT(file->size() <= text.size());
  if (const auto archive = unpack_gzip(text, kUnpackedMax); is_read(archive))
    static_cast<void>(is_read(file_of_tar(*archive, "itp.csv")));
}

// As large as can be simulated in some milliseconds; jobs of traces become made-up ones.
void shrink(Scenario& scenario) {
  scenario.length = scenario.length > Duration{} ? std::min(scenario.length, days(2)) : days(2);
  for (JobSource& source : scenario.jobs) {
    if (source.trace) {
      Generator generator;
      generator.form = source.trace->form;
      generator.time_limits = source.trace->time_limits;
      generator.tenants = {source.trace->form.tenant.empty() ? "all" : source.trace->form.tenant};
      source = {std::nullopt, std::move(generator)};
    }
    source.generator->jobs_per_day = std::min(source.generator->jobs_per_day, 20.0);
    source.generator->weekend_milli = std::min<std::int64_t>(source.generator->weekend_milli, 1000);
    source.generator->burst = std::min<std::int64_t>(source.generator->burst, 10);
  }
  if (scenario.jobs.size() > 3) scenario.jobs.resize(3);
  for (SimEnvironment& environment : scenario.environments) {
    if (environment.machines.size() > 3) environment.machines.resize(3);
    for (StaticMachines& machines : environment.machines)
      machines.count = std::min<std::int64_t>(machines.count, 5);
    if (environment.policy)
      environment.policy->limits.nodes_max = std::min<std::int64_t>(environment.policy->limits.nodes_max, 20);
    if (!environment.spot.events.empty())
      environment.spot.history = {{{minutes(30), 1, 3}, {hours(5), 2, 2}}, hours(6)};
  }
}

void try_simulation(Scenario scenario) {
  shrink(scenario);
  Rng rng(scenario.seed);
  const auto workload = load_workload(scenario, ".", rng);
  if (!is_read(workload)) return;
  const Outcome outcome = simulate(scenario, workload->jobs, scenario.seed, nullptr);
  const Report report = make_report(scenario, *workload, outcome);
  ASSERT(report.ledger_fault.empty(), report.ledger_fault);
  ASSERT(json::parse(json::write(to_json(scenario, scenario.seed, report))));
  ASSERT(to_table(scenario, scenario.seed, report).ends_with('\n'));
  const std::string page = page_html({{&scenario,
                                       {scenario.name, {scenario.seed}, {report}},
                                       make_timeline(scenario, *workload, outcome),
                                       make_spreads(*workload, outcome)}});
  ASSERT(page.ends_with("</html>\n"));
}

bool try_scenarios(const json::Value& file, bool simulated) {
  const auto scenarios = read_scenarios(file);
  if (!is_read(scenarios)) return false;
  if (simulated) try_simulation(scenarios->back());
  return true;
}

json::Value anything(Rng& rng) {
  constexpr std::int64_t kNumbers[] = {
      0, 1, -1, 2, 100, 1000, 65'536, 2'147'483'648, 1'000'000'000'000, INT64_MAX, INT64_MIN};
  constexpr double kReals[] = {0.5, -0.0, 1e308, -1e308, 5e-324, 1e18, 86'400.25};
  switch (rng.below(8)) {
    case 0:
      return nullptr;
    case 1:
      return rng.chance(1, 2);
    case 2:
    case 3:
      return kNumbers[rng.below(std::size(kNumbers))];
    case 4:
      return kReals[rng.below(std::size(kReals))];
    case 5:
      return rng.chance(1, 2) ? json::Value("") : json::Value(std::string(rng.below(5000), 'x'));
    case 6:
      return rng.chance(1, 2) ? json::Value(json::Array{}) : json::Value(json::Object{});
    default: {
      json::Value deep = 1;
      for (std::uint64_t depth = rng.below(60); depth > 0; --depth)
        deep = rng.chance(1, 2) ? json::Value(json::Array{deep}) : json::Value(json::Object{{"a", deep}});
      return deep;
    }
  }
}

// A place in it, by a walk from the root that may end anywhere.
json::Value& some_place(json::Value& root, Rng& rng) {
  json::Value* at = &root;
  while (!rng.chance(1, 15)) {
    if (at->is_object() && !at->get_object().empty())
      at = &(at->get_object().begin() + static_cast<std::ptrdiff_t>(rng.below(at->get_object().size())))
                ->value();
    else if (at->is_array() && !at->get_array().empty())
      at = &at->get_array()[rng.below(at->get_array().size())];
    else
      break;
  }
  return *at;
}

// One change to it: retyped, something of it gone, doubled, renamed, or taken from elsewhere.
void mutate(json::Value& root, Rng& rng) {
  json::Value& place = some_place(root, rng);
  const std::uint64_t kind = place.is_int64() && rng.chance(3, 4) ? 5 : rng.below(6);
  if (kind == 0) {
    place = anything(rng);
  } else if (kind == 1) {
    json::Value other = some_place(root, rng);
    place = std::move(other);
  } else if (place.is_array() && !place.get_array().empty()) {
    json::Array& list = place.get_array();
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(rng.below(list.size()));
    const json::Value entry = *at;
    if (kind == 2)
      list.erase(at);
    else
      for (std::uint64_t copies = rng.chance(1, 20) ? rng.below(1200) : 1; copies > 0; --copies)
        list.push_back(entry);
  } else if (place.is_object() && !place.get_object().empty()) {
    json::Object& members = place.get_object();
    const auto at = members.begin() + static_cast<std::ptrdiff_t>(rng.below(members.size()));
    const json::Value value = at->value();
    const std::string key(at->key().data(), at->key().size());
    if (kind == 2 || kind == 3) members.erase(key);
    if (kind == 3) members[key + "s"] = value;
    if (kind > 3) members[key] = anything(rng);
  } else if (place.is_int64()) {
    constexpr std::uint64_t kMosts[] = {2, 10, 100, 10'000, 10'000'000};
    place = static_cast<std::int64_t>(rng.below(kMosts[rng.below(std::size(kMosts))]));
  }
}

// Bytes that are JSON are mutated as such, too, the same way each time.
void try_mutations(const json::Value& file, std::string_view bytes) {
  std::uint64_t seed = bytes.size();
  for (const char c : bytes) seed = seed * 31 + static_cast<unsigned char>(c);
  Rng rng(seed);
  for (int i = 0; i < 8; ++i) {
    json::Value mutant = file;
    for (std::uint64_t changes = 1 + rng.below(2); changes > 0; --changes) mutate(mutant, rng);
    const bool simulated = rng.chance(1, 2);
    static_cast<void>(try_scenarios(mutant, simulated));
  }
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  try_traces(bytes);
  const auto file = json::parse(bytes);
  if (!file) return;
  static_cast<void>(try_scenarios(*file, false));
  try_mutations(*file, bytes);
}
