// stoker validate: what is wrong with a workflow, before it runs.
#include "cli/command.h"
#include "cli/definition_file.h"
#include "cli/exit.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "validate",
    .summary = "say what is wrong with a workflow file",
    .usage = "[OPTIONS] FILE",
    .description =
        "Has the server check a state machine in the States Language, without keeping it. Each fault is a "
        "line with the file, the line in it, what is wrong, and the place as Step Functions writes it. Where "
        "something is missing, the line is that of what should hold it. Nothing is printed when all is well.",
    .examples = "stoker validate train.asl.json",
    .exit_codes =
        "0    no errors; there may be warnings\n"
        "1    errors\n"
        "2    the command line makes no sense, or FILE cannot be read\n"
        "3    no server answered\n"
        "5    the server refused; its reason is on standard error"};

struct Options {
  std::string server;
  bool json = false;
  std::vector<std::string> files;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("--json", o.json, "Print the server's answer as it is.");
  add_server_option(arguments, o.server);
  arguments.operands(o.files, {.placeholder = "FILE", .least = 1, .most = 1, .offers = Offers::Files});
  return arguments;
}

int run_validate(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  const auto definition = read_definition(context, o.files.front());
  if (!definition) return complain(context, definition.error());
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto answer =
      api->states("ValidateStateMachineDefinition", json::Object{{"definition", *definition}});
  if (!answer) return complain(context, answer.error());
  if (o.json) {
    context.out.write(json::write_pretty(*answer) + "\n");
  } else {
    for (const Diagnostic& diagnostic : diagnostics_of(*answer, *definition))
      context.out.write(diagnostic_text(o.files.front(), diagnostic) + "\n");
    if (json::get_bool(*answer, "truncated")) complain(context, "there are more");
  }
  return json::get_string(*answer, "result") == "FAIL" ? kFailed : kOk;
}

}  // namespace

Command validate_command() {
  return {.about = kText, .run = run_validate, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
