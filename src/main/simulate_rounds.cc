// stoker simulate rounds: options of the time-slicing experiment.
#include "cli/exit.h"
#include "cli/quantity.h"
#include "main/simulate.h"
#include "sim/rounds/rounds.h"
#include "sim/run/archive.h"
#include "sim/run/traces.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "simulate rounds",
    .summary = "compare time-slicing policies on a trace",
    .usage = "TRACE [OPTIONS]",
    .description =
        "Lets the jobs of a trace take turns on equal GPUs: a round lasts some minutes, and in each the "
        "policy says "
        "who runs. What was done is kept when a job is stopped. Prints makespan, mean completion and "
        "finish-time "
        "fairness, as papers on such schedulers do; the server does not work so.\n"
        "\n"
        "Policies: fifo, least-served (least GPU time so far), shortest-left, longest-left (the shortest "
        "makespan; "
        "OSSP in Shockwave's tables), max-min (the same number of rounds for all), max-min-gpu-time (the "
        "same GPU time). Gavel as Shockwave ran it is the last with --restart 20s --shares-every 1000s.",
    .examples =
        "stoker simulate rounds 120.trace --gpus 32 --policy all\n"
        "stoker simulate rounds small_test.trace --format gavel --throughputs "
        "simulation_throughputs.json.gz\n"
        "stoker simulate rounds cluster04.csv --format itp --gpus 640 --policy max-min --json",
    .exit_codes =
        "0    done\n"
        "1    the trace could not be read; the reason is on standard error\n"
        "2    the command line or the trace makes no sense, or asks for too much\n"
        "4    there is no such file"};

struct Given {
  std::vector<std::string> trace;
  std::string format = "shockwave";
  std::string throughputs;
  std::string gpu_model;
  std::optional<std::int64_t> gpus;
  std::optional<Duration> round;
  std::optional<Duration> restart;
  std::optional<Duration> shares_every;
  std::string policy;
  bool json = false;
};

cli::Arguments describe(Given& g) {
  std::vector<std::string> policies = {"all"};
  for (const std::string_view name : sim::kRoundPolicyNames) policies.emplace_back(name);
  cli::Arguments arguments(kText);
  arguments.operands(g.trace, {.placeholder = "TRACE", .least = 1, .most = 1, .offers = cli::Offers::Files})
      .word("--format", "NAME", g.format, {"shockwave", "gavel", "tiresias", "itp", "philly", "openb"},
            "The format of the trace. Default: shockwave.")
      .text("--throughputs", "FILE", g.throughputs,
            "For gavel: how fast which model is, as JSON. Jobs that it says nothing about are left out.",
            cli::Offers::Files)
      .text("--gpu-model", "NAME", g.gpu_model, "For gavel: the GPU, as that file names it. Default: v100.")
      .number("--gpus", "N", g.gpus, {1, sim::kTraceGpusMax}, "GPUs of the cluster. Default: 32.")
      .duration("--round", "TIME", g.round, "How long a round is. Default: 120s.")
      .duration("--restart", "TIME", g.restart,
                "What a job loses of its round when it did not run in the one before. Default: 0s.")
      .duration(
          "--shares-every", "TIME", g.shares_every,
          "max-min-gpu-time computes shares anew when jobs came or ended, but not more often than that; "
          "until then who came waits. Default: 0s.")
      .word("--policy", "NAME", g.policy, std::move(policies), "The policy, or all. Default: all.")
      .flag("--json", g.json, "Print JSON.");
  return arguments;
}

struct Jobs {
  std::vector<sim::SimJob> all;
  std::int64_t unknown = 0;  // nobody knows how long they run
};

Result<Jobs> parse(const Given& given, const std::string& text) {
  const sim::TraceKind kind = *sim::trace_kind(given.format);
  if (kind != sim::TraceKind::Gavel) return Jobs{TRY(sim::parse_trace(kind, text))};
  const std::string throughputs = TRY(sim::read_trace_text(given.throughputs));
  sim::GavelTrace trace =
      TRY(sim::parse_gavel(text, throughputs, given.gpu_model.empty() ? "v100" : given.gpu_model));
  return Jobs{std::move(trace.jobs), trace.unknown};
}

Result<Jobs> read_jobs(const Given& given) {
  const bool gavel = given.format == "gavel";
  if (gavel == given.throughputs.empty())
    return fail(Code::InvalidArgument,
                gavel ? "--format gavel needs --throughputs" : "--throughputs is for --format gavel alone");
  if (!gavel && !given.gpu_model.empty())
    return fail(Code::InvalidArgument, "--gpu-model is for --format gavel alone");
  const std::string text = TRY(sim::read_trace_text(given.trace[0]));
  auto jobs = parse(given, text);
  if (!jobs) return std::unexpected(std::move(jobs).error().within(given.trace[0]));
  return jobs;
}

Result<sim::RoundSettings> settings_of(const Given& given) {
  sim::RoundSettings settings;
  settings.gpus = given.gpus.value_or(settings.gpus);
  settings.round = given.round.value_or(settings.round);
  if (settings.round < seconds(1)) return fail(Code::InvalidArgument, "--round: must be a second at least");
  settings.restart = given.restart.value_or(settings.restart);
  if (settings.restart >= settings.round)
    return fail(Code::InvalidArgument, "--restart: must be shorter than a round");
  settings.shares_every = given.shares_every.value_or(settings.shares_every);
  return settings;
}

int run_rounds(cli::Context& context, std::span<const std::string> arguments) {
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto settings = settings_of(given);
  if (!settings) return complain_of_input(context, settings.error());
  const auto jobs = read_jobs(given);
  if (!jobs) return complain_of_input(context, jobs.error());
  if (jobs->unknown > 0)
    cli::complain(context, std::to_string(jobs->unknown) +
                               " jobs are left out: --throughputs does not say how fast they are");
  std::vector<sim::RoundReport> reports;
  for (std::size_t i = 0; i < std::size(sim::kRoundPolicyNames); ++i) {
    if (!given.policy.empty() && given.policy != "all" && given.policy != sim::kRoundPolicyNames[i]) continue;
    settings->policy = static_cast<sim::RoundPolicy>(i);
    reports.push_back(sim::simulate_rounds(jobs->all, *settings));
  }
  context.out.write(given.json ? json::write(sim::rounds_json(reports)) + "\n" : sim::rounds_text(reports));
  return cli::kOk;
}

}  // namespace

cli::Command rounds_experiment() {
  return {.about = kText, .run = run_rounds, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
