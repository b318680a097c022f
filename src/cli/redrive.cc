// stoker redrive: an execution goes on where it failed.
#include "cli/command.h"
#include "cli/execution_follower.h"
#include "cli/execution_listing.h"
#include "cli/exit.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "redrive",
    .summary = "let an execution that failed go on where it failed, and follow it",
    .usage = "[OPTIONS] EXECUTION",
    .description =
        "The states that failed or were given up are entered again, with the input and the definition that "
        "they had; what has succeeded keeps its output and is not run again. Retries are counted anew. Then "
        "the execution is followed like a new one, see 'stoker run'.\n"
        "\n"
        "EXECUTION is an ARN, the name of an execution or its unique beginning, or the name of a state "
        "machine, of which the newest execution is taken.",
    .examples =
        "stoker redrive train\n"
        "stoker redrive --detach 1b9d6bcd",
    .exit_codes =
        "0    the execution succeeded, or with --detach: goes on\n"
        "1    the execution failed, timed out or was aborted\n"
        "2    the command line makes no sense\n"
        "3    no server answered\n"
        "4    no such execution\n"
        "5    the server refused; its reason is on standard error\n"
        "130  interrupted"};

struct Options {
  std::string server;
  bool detach = false;
  bool quiet = false;
  bool json = false;
  std::vector<std::string> executions;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("--detach", o.detach, "Return at once.")
      .flag("--quiet", o.quiet, "Nothing on standard error but faults.")
      .flag("--json", o.json, "Print the ended execution as JSON instead of its output.");
  add_server_option(arguments, o.server);
  arguments.operands(o.executions,
                     {.placeholder = "EXECUTION", .least = 1, .most = 1, .offers = Offers::Executions});
  return arguments;
}

int run_redrive(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto arn = find_execution(*api, o.executions.front());
  if (!arn) return complain(context, arn.error());
  const auto signals = following_signals(context);
  if (!signals) return complain(context, signals.error());
  const auto redriven = api->states("RedriveExecution", json::Object{{"executionArn", *arn}});
  if (!redriven) return complain(context, redriven.error());
  if (o.detach) return kOk;
  return follow_execution(context, *api, *arn, **signals, {.stops = true, .quiet = o.quiet, .json = o.json});
}

}  // namespace

Command redrive_command() {
  return {.about = kText, .run = run_redrive, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
