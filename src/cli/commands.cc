// From the command line to a command.
#include <array>

#include "cli/command.h"
#include "cli/exit.h"

namespace stoker::cli {
namespace {

std::vector<Command> all_commands(const std::vector<Command>& others);

constexpr CommandText kCompletionText{
    .name = "completion",
    .summary = "print the completion script for a shell",
    .usage = "bash|zsh|fish",
    .description =
        "Prints a script that makes the shell complete commands, options, jobs, queues and executions. The "
        "last three are asked from the server while you type.",
    .examples =
        "source <(stoker completion bash)              # in ~/.bashrc\n"
        "source <(stoker completion zsh)               # in ~/.zshrc, after compinit\n"
        "stoker completion fish > ~/.config/fish/completions/stoker.fish",
    .exit_codes =
        "0    done\n"
        "2    the command line makes no sense"};

Arguments describe_completion(std::vector<std::string>& shells) {
  Arguments arguments(kCompletionText);
  arguments.operands(shells, {.placeholder = "SHELL",
                              .least = 1,
                              .most = 1,
                              .offers = Offers::Words,
                              .words = {"bash", "zsh", "fish"}});
  return arguments;
}

int run_completion(Context& context, std::span<const std::string> arguments,
                   const std::vector<Command>& others) {
  std::vector<std::string> shells;
  Arguments described = describe_completion(shells);
  if (const auto done = described.parse(context, arguments)) return *done;
  const std::string& shell = shells.front();
  if (shell != "bash" && shell != "zsh" && shell != "fish") {
    complain(context, "no completion for '" + shell + "': there are bash, zsh and fish");
    return kUsage;
  }
  context.out.write(completion_script(shell, all_commands(others)));
  return kOk;
}

constexpr CommandText kVersionText{.name = "version",
                                   .summary = "print the version",
                                   .usage = "",
                                   .description = "Prints the version of this program.",
                                   .examples = "stoker version",
                                   .exit_codes = "0    done"};

int run_version(Context& context, std::span<const std::string> arguments) {
  Arguments described(kVersionText);
  if (const auto done = described.parse(context, arguments)) return *done;
  context.out.write("stoker " + std::string(version()) + "\n");
  return kOk;
}

std::vector<Command> all_commands(const std::vector<Command>& others) {
  std::vector<Command> out = {submit_command(), jobs_command(),    logs_command(),       cancel_command(),
                              update_command(), explain_command(), costs_command(),      queues_command(),
                              top_command(),    run_command(),     executions_command(), history_command(),
                              stop_command(),   redrive_command(), validate_command()};
  out.insert(out.end(), others.begin(), others.end());
  out.push_back(
      {.about = kCompletionText,
       .run = [others](Context& c, std::span<const std::string> a) { return run_completion(c, a, others); },
       .describe =
           [] {
             static std::vector<std::string> scratch;
             return describe_completion(scratch);
           }});
  out.push_back(
      {.about = kVersionText, .run = run_version, .describe = [] { return Arguments(kVersionText); }});
  return out;
}

std::string overview(const std::vector<Command>& commands) {
  std::string out =
      "stoker - a GPU batch system with the APIs of AWS Batch and Step Functions\n\n"
      "USAGE\n  stoker COMMAND [OPTIONS]\n\nCOMMANDS\n";
  for (const Command& command : commands) {
    std::string line = "  " + std::string(command.about.name);
    line.resize(16, ' ');
    out += line + std::string(command.about.summary) + "\n";
  }
  out +=
      "\n'stoker COMMAND --help' tells all about a command.\n\n"
      "EXAMPLES\n"
      "  stoker serve                                     start a server on this machine\n"
      "  stoker submit --gpus 1 python train.py           run a job, see its output, get its exit status\n"
      "  stoker top                                       watch nodes, queues and jobs\n"
      "  stoker run train.asl.json                        run a workflow, see its states, get its output\n"
      "  AWS_ENDPOINT_URL=http://127.0.0.1:7790 aws batch list-jobs --job-queue default\n\n"
      "ENVIRONMENT\n"
      "  AWS_ENDPOINT_URL_BATCH, AWS_ENDPOINT_URL, STOKER_SERVER\n"
      "                where the server is, the first that is set; else http://127.0.0.1:7790\n"
      "  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION\n"
      "                requests are signed when they are set\n"
      "  AWS_CA_BUNDLE file of certificates to trust, for https\n"
      "  NO_COLOR      set: no colours\n";
  return out;
}

}  // namespace

void add_server_option(Arguments& arguments, std::string& into) {
  arguments.text("--server", "URL", into,
                 "The server. Default: AWS_ENDPOINT_URL_BATCH, AWS_ENDPOINT_URL, STOKER_SERVER, or "
                 "http://127.0.0.1:7790.");
}

std::string_view version() {
  return STOKER_VERSION;
}

int run(Context& context, std::span<const std::string> arguments, const std::vector<Command>& others) {
  const std::vector<Command> commands = all_commands(others);
  if (arguments.empty()) {
    context.err.write(overview(commands));
    return kUsage;
  }
  std::string_view name = arguments.front();
  auto rest = arguments.subspan(1);
  if (name == "--version" || name == "-V") name = "version";
  const bool wants_help = name == "help" || name == "--help" || name == "-h";
  const std::array<std::string, 1> help_alone = {"--help"};
  if (wants_help) {
    if (rest.empty()) {
      context.out.write(overview(commands));
      return kOk;
    }
    name = rest.front();
    rest = help_alone;
  }
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.about.name == name) return command.run(context, rest);
    names.emplace_back(command.about.name);
  }
  std::string text = "there is no command '" + std::string(name) + "'";
  if (const std::string meant = closest(name, names); !meant.empty())
    text += "; did you mean '" + meant + "'?";
  complain(context, text + "\n'stoker --help' lists the commands");
  return kUsage;
}

}  // namespace stoker::cli
