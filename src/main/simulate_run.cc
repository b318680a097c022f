// stoker simulate run: options of simulated months.
#include <algorithm>
#include <iterator>

#include "cli/exit.h"
#include "cli/text_width.h"
#include "main/simulate.h"
#include "rt/file.h"
#include "sim/packing/experiment.h"
#include "sim/run/bills.h"
#include "sim/run/compare.h"
#include "sim/run/engine.h"
#include "sim/run/page/page.h"
#include "sim/run/variants.h"
#include "sim/table.h"

namespace stoker {
namespace {

constexpr std::size_t kScenarioBytesMax = 8u << 20;  // as much JSON as is parsed

constexpr cli::CommandText kText{
    .name = "simulate run",
    .summary = "simulate a scenario: jobs, machines, prices, failures",
    .usage = "SCENARIO [OPTIONS]",
    .description =
        "Puts the jobs of a trace or of a generator through the scheduling core, the fleet sizing and the "
        "cost "
        "ledger of the server, on simulated time, and says how long jobs waited, how idle the GPUs were and "
        "where the money went. The same scenario and seed give the same bytes.\n"
        "\n"
        "With several seeds, several variants in the file, or a second scenario to compare with, it prints "
        "the "
        "mean and the deviation over the seeds. --report writes a page with charts for a browser; it needs "
        "no "
        "network and nothing beside it.\n"
        "\n"
        "The format of scenarios is in docs/scenarios.md; examples are in examples/scenarios. Traces are not "
        "part "
        "of stoker: --traces, or the variable STOKER_TRACES, names the folder that has them.",
    .examples =
        "stoker simulate run team-month-after.json\n"
        "stoker simulate run team-month-before.json --compare team-month-after.json --seeds 1..12\n"
        "stoker simulate run team-month-before.json --compare team-month-after.json --report month.html\n"
        "stoker simulate run itp-cluster04.json --traces ~/traces --json",
    .exit_codes =
        "0    done\n"
        "1    a file could not be read or written; the reason is on standard error\n"
        "2    the command line or a scenario makes no sense, or asks for too much\n"
        "4    there is no such file"};

struct Given {
  std::vector<std::string> scenario;
  std::string compare;
  std::string report;
  std::string costs;
  std::string traces;
  std::string seeds;
  std::string policy;
  bool json = false;
};

cli::Arguments describe(Given& g) {
  std::vector<std::string> policies(core::kPolicyNames.begin(), core::kPolicyNames.end());
  cli::Arguments arguments(kText);
  arguments
      .operands(g.scenario, {.placeholder = "SCENARIO", .least = 1, .most = 1, .offers = cli::Offers::Files})
      .text("--compare", "SCENARIO", g.compare, "Another scenario, printed beside the first.",
            cli::Offers::Files)
      .text("--report", "FILE", g.report, "Write a page with charts, too.", cli::Offers::Files)
      .text("--costs", "FILE", g.costs,
            "Write each line of the bills as CSV with the columns of FOCUS 1.2; for one scenario and seed.",
            cli::Offers::Files)
      .text("--traces", "DIR", g.traces, "The folder of traces. Default: STOKER_TRACES.",
            cli::Offers::Directories)
      .text("--seeds", "SEEDS", g.seeds, "One run for each: 1..10, 7, or 1,3,8..9. Default: the scenario's.")
      .word("--policy", "NAME", g.policy, std::move(policies),
            "The placement policy. Default: the scenario's.")
      .flag("--json", g.json, "Print JSON.");
  return arguments;
}

class Bar : public sim::Progress {
 public:
  explicit Bar(cli::Stream& out) : out_(out) {}
  ~Bar() { clear(); }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  // So many are simulated, one after the other.
  void of_runs(std::size_t runs) { runs_ = runs; }
  // What runs now: "team month, seed 3".
  void next_run(std::string title) {
    title_ = std::move(title);
    ++run_;
    if (run_ > 1) at(0, 1, {});
  }
  void at(std::size_t ended, std::size_t jobs, Duration simulated) override {
    if (!out_.terminal) return;
    constexpr std::size_t kWidth = 30;
    const std::size_t of_run = jobs == 0 ? 0 : ended * kWidth / jobs;
    const std::size_t full = ((run_ - 1) * kWidth + of_run) / runs_;
    std::string text = "[" + std::string(full, '#') + std::string(kWidth - full, '.') + "] ";
    if (runs_ > 1) text += "run " + std::to_string(run_) + " of " + std::to_string(runs_) + ", ";
    if (ended > 0) text += std::to_string(ended) + " of " + std::to_string(jobs) + " jobs, ";
    text += "day " + std::to_string(simulated.ms / days(1).ms + 1) + ": " + title_;
    // One line: what wraps would not be overwritten.
    const auto columns = static_cast<std::size_t>(std::max(out_.columns, 1));
    out_.write("\r\x1b[K" + (out_.columns > 0 ? cli::cut_to_width(text, columns - 1) : text));
    shown_ = true;
  }
  void clear() {
    if (shown_) out_.write("\r\x1b[K");
    shown_ = false;
  }

 private:
  cli::Stream& out_;
  std::size_t runs_ = 1;
  std::size_t run_ = 0;
  std::string title_;
  bool shown_ = false;
};

// The scenario of a file, or its variants.
Result<std::vector<sim::Scenario>> load(const std::string& path) {
  const std::string text = TRY(sim::read_text(path, kScenarioBytesMax));
  auto value = json::parse(text);
  if (!value) return std::unexpected(std::move(value).error().within(path));
  auto scenarios = sim::read_scenarios(*value);
  if (!scenarios) return std::unexpected(std::move(scenarios).error().within(path));
  for (sim::Scenario& scenario : *scenarios)
    if (scenario.name.empty()) scenario.name = path;
  return scenarios;
}

struct Work {
  std::vector<sim::Scenario> scenarios;
  std::vector<std::uint64_t> seeds;  // empty: of each scenario its own
};

// What can be refused is refused here, before minutes are spent.
Result<Work> prepare(const Given& given) {
  Work work;
  work.scenarios = TRY(load(given.scenario.front()));
  if (!given.compare.empty()) std::ranges::move(TRY(load(given.compare)), std::back_inserter(work.scenarios));
  if (const auto policy = core::parse_policy(given.policy))
    for (sim::Scenario& scenario : work.scenarios) scenario.placement = *policy;
  if (!given.seeds.empty()) work.seeds = TRY(sim::parse_seeds(given.seeds));
  if (!given.costs.empty()) {
    if (work.scenarios.size() > 1 || work.seeds.size() > 1)
      return fail(Code::InvalidArgument, "--costs is for one scenario and one seed");
    TRY(rt::check_can_write(given.costs));
  }
  if (!given.report.empty()) TRY(rt::check_can_write(given.report));
  return work;
}

struct Ran {
  sim::Scenario scenario;
  sim::Runs runs;
  sim::Timeline timeline;  // of the first seed, for the page
  sim::Spreads spreads;
  std::string costs;  // as CSV, when it is asked for
};

Result<Ran> run_all(sim::Scenario scenario, std::vector<std::uint64_t> seeds, const Given& given,
                    const std::string& traces, Bar& bar) {
  if (seeds.empty()) seeds = {scenario.seed};
  Ran ran{std::move(scenario), {}, {}, {}, {}};
  ran.runs.scenario = ran.scenario.name;
  ran.runs.seeds = std::move(seeds);
  const auto about = [&](Error error) { return std::unexpected(std::move(error).within(ran.scenario.name)); };
  for (const std::uint64_t seed : ran.runs.seeds) {
    bar.next_run(ran.scenario.name + ", seed " + std::to_string(seed));
    Rng rng(seed);
    if (auto loaded = sim::load_spot_history(ran.scenario, traces); !loaded)
      return about(std::move(loaded).error());
    const auto loaded = sim::load_workload(ran.scenario, traces, rng);
    if (!loaded) return about(loaded.error());
    const sim::Workload& workload = *loaded;
    const sim::Outcome outcome = sim::simulate(ran.scenario, workload.jobs, seed, &bar);
    if (outcome.refused > 0 && static_cast<std::size_t>(outcome.refused) == workload.jobs.size())
      return about({Code::InvalidArgument, "jobs: none is taken: " + outcome.refusal});
    ran.runs.reports.push_back(sim::make_report(ran.scenario, workload, outcome));
    if (!given.costs.empty()) ran.costs = sim::focus_csv(ran.scenario, outcome);
    if (given.report.empty() || ran.runs.reports.size() > 1) continue;
    ran.timeline = sim::make_timeline(ran.scenario, workload, outcome);
    ran.spreads = sim::make_spreads(workload, outcome);
  }
  return ran;
}

std::string print(const std::vector<Ran>& all, bool as_json) {
  if (all.size() == 1 && all[0].runs.reports.size() == 1) {
    const auto& [scenario, runs] = std::tie(all[0].scenario, all[0].runs);
    if (as_json) return json::write(sim::to_json(scenario, runs.seeds[0], runs.reports[0])) + "\n";
    return sim::to_table(scenario, runs.seeds[0], runs.reports[0]);
  }
  std::vector<sim::Runs> runs;
  for (const Ran& ran : all) runs.push_back(ran.runs);
  return as_json ? json::write(sim::compare_json(runs)) + "\n" : sim::compare_text(runs);
}

Result<void> write_page(const std::string& path, const std::vector<Ran>& all) {
  std::vector<sim::PageEntry> entries;
  for (const Ran& ran : all) entries.push_back({&ran.scenario, ran.runs, ran.timeline, ran.spreads});
  return rt::write_file_atomically(path, sim::page_html(entries));
}

int run_scenarios(cli::Context& context, std::span<const std::string> arguments) {
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  const std::string traces =
      !given.traces.empty() ? given.traces : std::string(context.variable("STOKER_TRACES"));
  Bar bar(context.err);
  auto work = prepare(given);
  if (!work) return complain_of_input(context, work.error());
  bar.of_runs(work->scenarios.size() * std::max<std::size_t>(1, work->seeds.size()));
  std::vector<Ran> all;
  for (sim::Scenario& scenario : work->scenarios) {
    auto ran = run_all(std::move(scenario), work->seeds, given, traces.empty() ? "." : traces, bar);
    if (!ran) bar.clear();
    if (!ran) return complain_of_input(context, ran.error());
    all.push_back(std::move(*ran));
  }
  bar.clear();
  if (!given.costs.empty())
    if (const auto written = rt::write_file_atomically(given.costs, all[0].costs); !written)
      return complain_of_input(context, written.error());
  if (!given.report.empty())
    if (const auto written = write_page(given.report, all); !written)
      return complain_of_input(context, written.error());
  context.out.write(print(all, given.json));
  return cli::kOk;
}

}  // namespace

cli::Command run_experiment() {
  return {.about = kText, .run = run_scenarios, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
