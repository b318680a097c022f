// stoker executions: the table of executions of workflows.
#include "cli/command.h"
#include "cli/execution_listing.h"
#include "cli/execution_tree.h"
#include "cli/execution_view.h"
#include "cli/exit.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "executions",
    .summary = "list executions of workflows",
    .usage = "[OPTIONS]",
    .description =
        "Shows the executions of all state machines, or of one, those that started last on top. Express "
        "machines keep none.",
    .examples =
        "stoker executions\n"
        "stoker executions --machine train --status FAILED\n"
        "stoker executions --json | jq -r '.[].executionArn'",
    .exit_codes =
        "0    done\n"
        "2    the command line makes no sense\n"
        "3    no server answered\n"
        "4    no such state machine\n"
        "5    the server refused; its reason is on standard error"};

constexpr std::int64_t kNumberDefault = 40;

struct Options {
  std::string server;
  std::string machine;
  std::string status;
  std::optional<std::int64_t> number;
  bool names = false;
  bool json = false;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.text("--machine", "NAME", o.machine, "Only executions of that state machine.")
      .word("-s,--status", "STATUS", o.status, {kExecutionStatuses.begin(), kExecutionStatuses.end()},
            "Only executions in that state.")
      .number("-n,--number", "N", o.number, {1, 1'000'000}, "At most so many. Default: 40.")
      .flag("--names", o.names, "Print names alone, one a line, for other commands.")
      .flag("--json", o.json, "Print a JSON list; one object an execution.");
  add_server_option(arguments, o.server);
  return arguments;
}

struct Chosen {
  std::vector<json::Value> executions;  // newest first
  bool more = false;
};

Result<Chosen> choose(Api& api, const Options& o) {
  const std::size_t most = static_cast<std::size_t>(o.number.value_or(kNumberDefault));
  Chosen out;
  const auto take = [&](const json::Value& execution) {
    out.more = out.executions.size() == most;
    if (!out.more) out.executions.push_back(execution);
    return !out.more;
  };
  if (o.machine.empty()) {
    TRY(list_all_executions(api, o.status, take));
  } else {
    const std::string machine = TRY(find_machine(api, o.machine));
    TRY(list_executions(api, machine, o.status, take));
  }
  return out;
}

int print(Context& context, const Options& o, const Chosen& chosen) {
  if (o.names) {
    for (const json::Value& execution : chosen.executions)
      context.out.write(std::string(json::get_string(execution, "name")) + "\n");
    return kOk;
  }
  if (o.json) {
    context.out.write(json::write_pretty(json::Array(chosen.executions.begin(), chosen.executions.end())) +
                      "\n");
    return kOk;
  }
  if (chosen.executions.empty()) {
    complain(context, o.machine.empty() && o.status.empty() ? "no executions yet; 'stoker run' starts one"
                                                            : "no such executions");
    return kOk;
  }
  std::vector<ExecutionView> views;
  for (const json::Value& execution : chosen.executions) views.push_back(view_of_execution(execution));
  context.out.write(execution_table(views, context.now()).render(look_of(context.out)));
  if (chosen.more) complain(context, "there are more; -n N shows the first N");
  return kOk;
}

int run_executions(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto chosen = choose(*api, o);
  if (!chosen) return complain(context, chosen.error());
  return print(context, o, *chosen);
}

}  // namespace

Command executions_command() {
  return {.about = kText, .run = run_executions, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
