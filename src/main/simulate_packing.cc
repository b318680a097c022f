// stoker simulate packing: options of the packing experiment.
#include <algorithm>
#include <thread>

#include "cli/exit.h"
#include "main/simulate.h"
#include "sim/packing/experiment.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "simulate packing",
    .summary = "compare placement policies on a list of tasks",
    .usage = "--nodes FILE --tasks FILE [OPTIONS]",
    .description =
        "Fills a cluster with tasks that come one after another and never leave, until what came asks for "
        "130 % "
        "of its GPUs, and says how much of the GPUs was given away when what came asked for 90, 95, 100 and "
        "130 %. "
        "A task that fits on no node is dropped. For each seed the nodes have another order, the tasks "
        "another "
        "order, and the list is filled up with other tasks drawn from it. This is the experiment of 'Beware "
        "of "
        "Fragmentation' (USENIX ATC 2023), with the placement code of the server.\n"
        "\n"
        "Files are CSV with a header line, plain or ending in .gz. Nodes: sn, cpu_milli, memory_mib, gpu, "
        "model. "
        "Tasks: cpu_milli, memory_mib, num_gpu, gpu_milli and, where tasks name models, gpu_spec (joined by "
        "'|').\n"
        "\n"
        "Policies: random, dotprod, clustering, packing, bestfit and fgd as published, and stoker, which the "
        "server uses.",
    .examples =
        "stoker simulate packing --nodes nodes.csv --tasks tasks.csv.gz --policy all --seeds 1..10\n"
        "stoker simulate packing --nodes nodes.csv --tasks tasks.csv --policy stoker --json",
    .exit_codes =
        "0    done\n"
        "1    a file could not be read; the reason is on standard error\n"
        "2    the command line or a file makes no sense, or asks for too much\n"
        "4    there is no such file"};

struct Given {
  std::string nodes;
  std::string tasks;
  std::string policy;
  std::string seeds = "1..10";
  std::optional<std::int64_t> threads;
  bool json = false;
};

cli::Arguments describe(Given& g) {
  std::vector<std::string> policies = {"all"};
  for (const std::string_view name : core::kPolicyNames) policies.emplace_back(name);
  cli::Arguments arguments(kText);
  arguments.text("--nodes", "FILE", g.nodes, "The nodes of the cluster.", cli::Offers::Files)
      .text("--tasks", "FILE", g.tasks, "The tasks.", cli::Offers::Files)
      .word("--policy", "NAME", g.policy, std::move(policies), "The placement policy, or all. Default: all.")
      .text("--seeds", "SEEDS", g.seeds, "One run for each: 1..10, 7, or 1,3,8..9. Default: 1..10.")
      .number("--threads", "N", g.threads, {1, sim::kPackingThreadsMax},
              "How many runs at a time. Default: one a processor.")
      .flag("--json", g.json, "Print JSON.");
  return arguments;
}

Result<sim::PackingOrder> order_of(const Given& g) {
  if (g.nodes.empty() || g.tasks.empty())
    return fail(Code::InvalidArgument, "simulate packing needs --nodes and --tasks");
  sim::PackingOrder order;
  order.seeds = TRY(sim::parse_seeds(g.seeds));
  if (const auto one = core::parse_policy(g.policy)) {
    order.policies = {*one};
  } else {
    for (std::size_t i = 0; i < core::kPolicyNames.size(); ++i)
      order.policies.push_back(static_cast<core::PolicyName>(i));
  }
  const auto processors = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
  order.threads = static_cast<int>(g.threads.value_or(processors));
  return order;
}

int run_packing(cli::Context& context, std::span<const std::string> arguments) {
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  const auto order = order_of(given);
  if (!order) return complain_of_input(context, order.error());
  const auto trace = sim::read_packing_trace(given.nodes, given.tasks);
  if (!trace) return complain_of_input(context, trace.error());
  const auto summaries = sim::run_packing(*trace, *order, [&](std::size_t done, std::size_t of) {
    if (!context.err.terminal) return;
    context.err.write("\rrun " + std::to_string(done) + " of " + std::to_string(of));
    if (done == of) context.err.write("\r\x1b[K");
  });
  context.out.write(given.json ? sim::packing_json(*trace, *order, summaries) + "\n"
                               : sim::packing_text(summaries));
  return cli::kOk;
}

}  // namespace

cli::Command packing_experiment() {
  return {.about = kText, .run = run_packing, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
