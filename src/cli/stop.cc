// stoker stop: end executions of workflows.
#include "cli/command.h"
#include "cli/end_each.h"
#include "cli/execution_listing.h"
#include "cli/execution_view.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "stop",
    .summary = "end executions of workflows, with the jobs they wait for",
    .usage = "[OPTIONS] EXECUTION...",
    .description =
        "A running execution becomes ABORTED with the cause given here, and what it waits for is ended: "
        "Batch "
        "jobs of .sync tasks, and executions that it started so. Executions that have ended stay as they "
        "are.\n"
        "\n"
        "EXECUTION is an ARN, the name of an execution or its unique beginning, or the name of a state "
        "machine, of which the newest execution is taken.",
    .examples =
        "stoker stop 1b9d6bcd\n"
        "stoker stop train --cause 'wrong data'\n"
        "stoker stop $(stoker executions --names --status RUNNING)",
    .exit_codes = kExecutionExitCodes};

struct Options {
  std::string server;
  std::string error;
  std::string cause;
  bool json = false;
  std::vector<std::string> executions;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.text("--error", "NAME", o.error, "The error's name; stays with the execution. Default: Stopped.")
      .text("--cause", "TEXT", o.cause, "Why; stays with the execution. Default: Stopped by USER.")
      .flag("--json", o.json, "Print what was done as JSON.");
  add_server_option(arguments, o.server);
  arguments.operands(o.executions, {.placeholder = "EXECUTION", .least = 1, .offers = Offers::Executions});
  return arguments;
}

// What was done, in words, or why not.
Result<std::string> stop(Api& api, const std::string& arn, const Options& o) {
  const ExecutionView execution =
      view_of_execution(TRY(api.states("DescribeExecution", json::Object{{"executionArn", arn}})));
  if (execution.ended()) return "had already ended (" + execution.status + ")";
  TRY(api.states("StopExecution",
                 json::Object{{"executionArn", arn}, {"error", o.error}, {"cause", o.cause}}));
  return std::string("is stopped");
}

int run_stop(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (o.error.empty()) o.error = "Stopped";
  if (o.cause.empty()) o.cause = done_by_user(context, "Stopped");
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  return end_each(context, o.executions, o.json, "executionArn",
                  [&](const std::string& typed) -> Result<EndedOne> {
                    const std::string id = TRY(find_execution(*api, typed));
                    std::string result = TRY(stop(*api, id, o));
                    return EndedOne{id, id.substr(id.rfind(':') + 1), std::move(result)};
                  });
}

}  // namespace

Command stop_command() {
  return {.about = kText, .run = run_stop, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
