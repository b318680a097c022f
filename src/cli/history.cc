// stoker history: what happened in an execution, event by event.
#include <algorithm>

#include "cli/command.h"
#include "cli/execution_follower.h"
#include "cli/execution_listing.h"
#include "cli/exit.h"
#include "cli/history_view.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "history",
    .summary = "print what happened in an execution of a workflow",
    .usage = "[OPTIONS] EXECUTION",
    .description =
        "Prints the events of the execution: when, counted from its start, in which state, and what. States "
        "within branches and iterations are written like Train[3]/Fit.\n"
        "\n"
        "EXECUTION is an ARN, the name of an execution or its unique beginning, or the name of a state "
        "machine, of which the newest execution is taken.",
    .examples =
        "stoker history train\n"
        "stoker history 1b9d6bcd --reverse | head\n"
        "stoker history -f train\n"
        "stoker history --json train | jq '.[] | select(.type == \"TaskFailed\")'",
    .exit_codes = kExecutionExitCodes};

struct Options {
  std::string server;
  bool follow = false;
  bool reverse = false;
  bool json = false;
  std::vector<std::string> executions;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments
      .flag("-f,--follow", o.follow,
            "Follow it to its end instead, as 'stoker run' does; an interrupt leaves it alone.")
      .flag("--reverse", o.reverse, "The last event first.")
      .flag("--json", o.json, "Print a JSON list of the events as the server gives them.");
  add_server_option(arguments, o.server);
  arguments.operands(o.executions,
                     {.placeholder = "EXECUTION", .least = 1, .most = 1, .offers = Offers::Executions});
  return arguments;
}

int run_history(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (o.follow && (o.reverse || o.json)) {
    complain(context, "option --follow: goes with neither --reverse nor --json");
    return kUsage;
  }
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto arn = find_execution(*api, o.executions.front());
  if (!arn) return complain(context, arn.error());
  if (o.follow) {
    const auto signals = following_signals(context);
    if (!signals) return complain(context, signals.error());
    return follow_execution(context, *api, *arn, **signals, {});
  }
  auto events = events_after(*api, *arn, 0);
  if (!events) return complain(context, events.error());
  if (o.json) {
    if (o.reverse) std::ranges::reverse(*events);
    context.out.write(json::write_pretty(json::Array(events->begin(), events->end())) + "\n");
  } else {
    context.out.write(history_table(*events, o.reverse).render(look_of(context.out)));
  }
  return kOk;
}

}  // namespace

Command history_command() {
  return {.about = kText, .run = run_history, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
