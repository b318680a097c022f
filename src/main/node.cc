// stoker node: the options of the agent.
#include "agent/agent.h"
#include "base/text.h"
#include "main/gpus_option.h"
#include "main/serve.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "node",
    .summary = "run the agent of a node; the server starts the one of its own machine",
    .usage = "--server URL --state DIR [OPTIONS]",
    .description =
        "Connects a machine to a server: tells what it has, starts and stops what the server places there, "
        "ships the "
        "output. When the server is away, running jobs go on and the agent connects again. When the agent "
        "ends, running "
        "jobs go on too, and the next agent with the same state directory takes them over. One agent at a "
        "time uses a "
        "state directory.",
    .examples =
        "stoker node --server unix:/var/lib/stoker/agent.sock:/stoker/v1/node --state /var/lib/stoker/node",
    .exit_codes =
        "0    ended by a signal, or another agent serves the state directory\n"
        "1    could not begin; the log says why\n"
        "2    the command line makes no sense"};

struct Given {
  agent::Options options;
  std::string cpus;
  std::string ca_file;
  std::string token_file;
  std::optional<Duration> idle_exit;
  std::string pull = "if-missing";
};

cli::Arguments describe(Given& g) {
  agent::Options& o = g.options;
  cli::Arguments arguments(kText);
  arguments.text("--name", "NAME", o.node, "The node's name. Default: local.")
      .text("--server", "URL", o.server,
            "unix:/PATH/OF.SOCK:/stoker/v1/node or wss://HOST:PORT/stoker/v1/node.")
      .text("--state", "DIR", o.state_dir, "What runs, and output under way.", cli::Offers::Directories)
      .text("--gpus", "auto|auto/mig|none|NxMODEL", o.gpus,
            "GPUs: those found, the same with MIG switched on, none, or pretended ones. Default: auto.")
      .text("--cpus", "N", g.cpus, "vCPUs for jobs. Default: what the machine has.")
      .memory("--memory,--memory-mib", "SIZE", o.memory_mib,
              "Memory for jobs. Default: what the machine has.")
      .text("--containers", "auto|none|SOCKET", o.container_engine, "The container engine. Default: auto.",
            cli::Offers::Files)
      .word("--pull", "WHEN", g.pull, {"if-missing", "always", "never"},
            "When images are pulled. Default: if-missing.")
      .text(
          "--address", "IP", o.address,
          "Where other nodes reach this one, for multi-node jobs. Default: its first network interface's, or "
          "127.0.0.1 for a server on this machine.")
      .text("--rack", "NAME", o.rack,
            "The rack or placement group that this node stands in, for multi-node jobs with "
            "stoker:topology=rack. "
            "Default: not told.")
      .text("--supervisor", "FILE", o.supervisor, "The program stoker-supervisor. Default: beside this one.",
            cli::Offers::Files)
      .text("--ca-file", "FILE", g.ca_file, "Certificates to trust, for wss.", cli::Offers::Files)
      .text("--token-file", "FILE", g.token_file, "Its content is the node's token.", cli::Offers::Files)
      .duration("--idle-exit", "TIME", g.idle_exit,
                "End after so long without a server and without jobs. Default: never.")
      .word("--log-level", "LEVEL", o.log_level, {"debug", "info", "warning", "error"}, "Default: info.")
      .text("--log-file", "FILE", o.log_destination, "Where the log goes. Default: standard error.",
            cli::Offers::Files);
  return arguments;
}

int run_node(cli::Context& context, std::span<const std::string> arguments) {
  Given g;
  cli::Arguments described = describe(g);
  if (const auto done = described.parse(context, arguments)) return *done;
  const auto bad = [&](std::string text) {
    return complain(context, Error{Code::InvalidArgument, std::move(text)});
  };
  if (g.options.server.empty()) return bad("option --server is missing");
  if (g.options.state_dir.empty()) return bad("option --state is missing");
  if (const auto gpus = check_gpus_option(g.options.gpus); !gpus) return complain(context, gpus.error());
  if (!g.options.state_dir.starts_with('/'))
    g.options.state_dir = context.directory + "/" + g.options.state_dir;
  if (!g.cpus.empty()) {
    const auto cpus = parse_double(g.cpus);
    if (!cpus || !(*cpus > 0) || *cpus > 1e6)
      return bad("option --cpus: must be a number above 0, not '" + g.cpus + "'");
    g.options.cpus_milli = static_cast<std::int64_t>(*cpus * 1000 + 0.5);
  }
  if (!g.ca_file.empty()) g.options.ca_file = g.ca_file;
  if (!g.token_file.empty()) g.options.token_file = g.token_file;
  if (g.pull == "always") g.options.pull = agent::PullPolicy::Always;
  if (g.pull == "never") g.options.pull = agent::PullPolicy::Never;
  if (g.idle_exit) g.options.idle_exit = *g.idle_exit;
  return agent::run(g.options);
}

}  // namespace

cli::Command node_command() {
  return {.about = kText, .run = run_node, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
