// stoker run: a workflow from a file, from its start to its end.
#include "base/text.h"
#include "cli/command.h"
#include "cli/definition_file.h"
#include "cli/execution_follower.h"
#include "cli/execution_listing.h"
#include "cli/execution_view.h"
#include "cli/exit.h"
#include "rt/file.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "run",
    .summary = "run a workflow from a file, and follow it to its end",
    .usage = "[OPTIONS] FILE",
    .description =
        "FILE is a state machine in the States Language of AWS Step Functions. The server gets it under the "
        "name of the file without its endings (train.asl.json: train); a machine of that name is updated "
        "when "
        "the file says anything else. Then an execution of it starts.\n"
        "\n"
        "Meanwhile its states are shown on standard error: on a terminal as a tree that changes, with the "
        "branches of Parallel and the iterations of Map, how long each state took, how often it was tried, "
        "the Batch jobs behind them and what those wait for; elsewhere as a line for what happens. In the "
        "end its output goes to standard output, or error and cause to standard error.\n"
        "\n"
        "Ctrl-C stops the execution with the jobs it has started, waits for its end and exits with 130; a "
        "second Ctrl-C does not wait. Ctrl-\\ and a closed terminal detach: the execution goes on, and "
        "'stoker history -f' follows it again. When the server restarts, the execution goes on, and so does "
        "following it.",
    .examples =
        "stoker run train.asl.json\n"
        "stoker run train.asl.json --input '{\"rate\": 0.1}'\n"
        "stoker run train.asl.json --input @settings.json > result.json\n"
        "arn=$(stoker run --detach train.asl.json --name monday)",
    .exit_codes =
        "0    the execution succeeded, or with --detach: was started\n"
        "1    the execution failed, timed out or was aborted\n"
        "2    the command line makes no sense, or FILE cannot be read\n"
        "3    no server answered\n"
        "5    the server refused; its reason is on standard error\n"
        "130  interrupted"};

constexpr std::size_t kInputMax = 4u << 20;  // bytes; the server is stricter
// Step Functions wants a role; nothing here takes it on.
constexpr std::string_view kRole = "arn:aws:iam::000000000000:role/stoker";

struct Options {
  std::string server;
  std::string input;
  std::string name;
  std::string machine;
  bool detach = false;
  bool quiet = false;
  bool json = false;
  std::vector<std::string> files;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments
      .text("-i,--input", "JSON|@FILE|-", o.input,
            "What it is given: JSON, a file with JSON, or standard input. Default: {}.", Offers::Files)
      .text("-n,--name", "NAME", o.name, "Of the execution. Default: the server makes one up.")
      .text("--machine", "NAME", o.machine, "Of the state machine. Default: from the name of the file.")
      .flag("--detach", o.detach, "Print the execution's ARN and return at once.")
      .flag("--quiet", o.quiet, "Nothing on standard error but faults.")
      .flag(
          "--json", o.json,
          "Print one JSON object instead of the output: the ended execution, or with --detach the answer to "
          "StartExecution.");
  add_server_option(arguments, o.server);
  arguments.operands(o.files, {.placeholder = "FILE", .least = 1, .most = 1, .offers = Offers::Files});
  return arguments;
}

// The text of --input: JSON all the same whether it stands there or in a file.
Result<std::string> read_input(const Context& context, const std::string& option) {
  if (option.empty()) return std::string("{}");
  std::string text = option;
  if (option == "-" || option.starts_with('@')) {
    std::string path = option == "-" ? "/dev/stdin" : option.substr(1);
    if (!path.starts_with('/')) path = context.directory + "/" + path;
    auto read = rt::read_file(path, kInputMax);
    if (!read) return fail(Code::InvalidArgument, "option --input: " + read.error().message);
    text = std::move(*read);
  }
  if (const auto parsed = json::parse(text); !parsed)
    return fail(Code::InvalidArgument, "option --input: " + parsed.error().message);
  return text;
}

// The ARN of a machine that has exactly this definition.
Result<std::string> put_machine(Api& api, const std::string& name, const std::string& definition) {
  const auto made = api.states("CreateStateMachine",
                               json::Object{{"name", name}, {"definition", definition}, {"roleArn", kRole}});
  if (made) return std::string(json::get_string(*made, "stateMachineArn"));
  if (made.error().name != "StateMachineAlreadyExists") return std::unexpected(made.error());
  const std::string arn = TRY(find_machine(api, name));
  const json::Value known = TRY(api.states("DescribeStateMachine", json::Object{{"stateMachineArn", arn}}));
  if (json::get_string(known, "type") == "EXPRESS")
    return fail(Code::InvalidArgument, "the state machine '" + name +
                                           "' is of type EXPRESS, which keeps no history to follow; name "
                                           "another with --machine");
  if (json::get_string(known, "definition") != definition)
    TRY(api.states("UpdateStateMachine", json::Object{{"stateMachineArn", arn}, {"definition", definition}}));
  return arn;
}

// All that is wrong with the definition, instead of the first fault that the refusal names.
int refuse(Context& context, Api& api, const std::string& path, const std::string& definition,
           const Error& error) {
  if (error.name != "InvalidDefinition") return complain(context, error);
  const auto answer = api.states("ValidateStateMachineDefinition", json::Object{{"definition", definition}});
  const auto found = answer ? diagnostics_of(*answer, definition) : std::vector<Diagnostic>{};
  if (found.empty()) return complain(context, error);
  for (const Diagnostic& diagnostic : found) context.err.write(diagnostic_text(path, diagnostic) + "\n");
  return exit_status(error);
}

int run_workflow(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  const std::string& path = o.files.front();
  const auto definition = read_definition(context, path);
  if (!definition) return complain(context, definition.error());
  const auto input = read_input(context, o.input);
  if (!input) return complain(context, input.error());
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto machine =
      put_machine(*api, o.machine.empty() ? machine_name_of_file(path) : o.machine, *definition);
  if (!machine) return refuse(context, *api, path, *definition, machine.error());
  std::unique_ptr<rt::Signals> signals;
  if (!o.detach) {
    auto blocked = following_signals(context);
    if (!blocked) return complain(context, blocked.error());
    signals = std::move(*blocked);
  }
  json::Object start{{"stateMachineArn", *machine}, {"input", *input}};
  if (!o.name.empty()) start["name"] = o.name;
  const auto started = api->states("StartExecution", start);
  if (!started) return complain(context, started.error());
  const std::string arn(json::get_string(*started, "executionArn"));
  if (o.detach) {
    context.out.write((o.json ? json::write_pretty(*started) : arn) + "\n");
    return kOk;
  }
  if (!o.quiet && !context.err.terminal)
    complain(context, "execution " + arn.substr(arn.rfind(':') + 1) + " of " +
                          std::string(machine_of_arn(arn)) + " has started");
  return follow_execution(context, *api, arn, *signals, {.stops = true, .quiet = o.quiet, .json = o.json});
}

}  // namespace

Command run_command() {
  return {.about = kText, .run = run_workflow, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
