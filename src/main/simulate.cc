// stoker simulate: which experiment is meant.
#include "main/simulate.h"

#include "cli/exit.h"
#include "cli/text_width.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "simulate",
    .summary = "try policies on traces, without machines",
    .usage = "packing|run|rounds|deadline [OPTIONS]",
    .description =
        "Runs the scheduler of the server on simulated clusters and tasks.\n"
        "\n"
        "packing fills a cluster with tasks that never leave, and says how much of its GPUs each placement "
        "policy could give away. run puts the jobs of a scenario through the core, fleet sizing and the cost "
        "ledger on "
        "simulated time. rounds compares policies that let jobs take turns, as papers do; deadline replays "
        "one job "
        "on recorded availability of spot machines. 'stoker simulate run --help' has the options of run, and "
        "so for "
        "the others.",
    .examples =
        "stoker simulate packing --nodes nodes.csv --tasks tasks.csv.gz --policy all --seeds 1..10\n"
        "stoker simulate run examples/scenarios/team-month-after.json",
    .exit_codes =
        "0    done\n"
        "1    a file could not be read or written; the reason is on standard error\n"
        "2    the command line or a file makes no sense, or asks for too much\n"
        "4    there is no such file"};

std::vector<cli::Command> experiments() {
  std::vector<cli::Command> list;
  list.push_back(packing_experiment());
  list.push_back(run_experiment());
  list.push_back(rounds_experiment());
  list.push_back(deadline_experiment());
  return list;
}

struct Given {
  std::vector<std::string> experiment;
};

cli::Arguments describe(Given& given) {
  cli::Arguments arguments(kText);
  std::vector<std::string> names;
  for (const cli::Command& experiment : experiments())
    names.emplace_back(experiment.about.name.substr(kText.name.size() + 1));
  arguments.operands(given.experiment, {.placeholder = "EXPERIMENT",
                                        .least = 1,
                                        .most = 1,
                                        .offers = cli::Offers::Words,
                                        .words = std::move(names)});
  return arguments;
}

int run_simulate(cli::Context& context, std::span<const std::string> arguments) {
  if (!arguments.empty())
    for (const cli::Command& experiment : experiments())
      if (experiment.about.name == std::string(kText.name) + " " + arguments[0])
        return experiment.run(context, arguments.subspan(1));
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  return cli::complain(context, Error{Code::InvalidArgument,
                                      "simulate: there is no experiment '" + given.experiment[0] + "'"});
}

}  // namespace

int complain_of_input(cli::Context& context, Error error) {
  if (error.code == Code::LimitExceeded) error.code = Code::InvalidArgument;
  error.message = cli::printable(error.message);  // it names what files hold
  return cli::complain(context, error);
}

cli::Command simulate_command() {
  return {.about = kText, .run = run_simulate, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
