// stoker stop: end executions of workflows.
#include "cli/command.h"
#include "cli/execution_listing.h"
#include "cli/execution_view.h"
#include "cli/exit.h"

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
  if (o.cause.empty()) {
    const std::string_view user = context.variable("USER");
    o.cause = "Stopped by " + std::string(user.empty() ? "its user" : user);
  }
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  int status = kOk;
  json::Array results;
  // One that cannot be stopped keeps none of the others.
  for (const std::string& typed : o.executions) {
    const auto arn = find_execution(*api, typed);
    const auto done = arn ? stop(*api, *arn, o) : std::unexpected(arn.error());
    if (!done) {
      const int fault = complain(context, done.error());
      if (fault == kNoServer) return fault;
      if (status == kOk) status = fault;
      continue;
    }
    if (o.json)
      results.push_back(json::Object{{"executionArn", *arn}, {"result", *done}});
    else
      context.out.write(arn->substr(arn->rfind(':') + 1) + " " + *done + "\n");
  }
  if (o.json) context.out.write(json::write_pretty(results) + "\n");
  return status;
}

}  // namespace

Command stop_command() {
  return {.about = kText, .run = run_stop, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
