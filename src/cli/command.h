#pragma once
// The commands by name.
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"

namespace stoker::cli {

struct Command {
  CommandText about;
  std::function<int(Context&, std::span<const std::string> arguments)> run;
  // Its options, for completion; nothing is run.
  std::function<Arguments()> describe;
};

// `others`: commands that live elsewhere (serve, node). Returns the exit status.
int run(Context& context, std::span<const std::string> arguments, const std::vector<Command>& others);

// One file each.
Command submit_command();
Command jobs_command();
Command logs_command();
Command cancel_command();
Command update_command();
Command explain_command();
Command costs_command();
Command queues_command();
Command top_command();
Command run_command();
Command executions_command();
Command history_command();
Command stop_command();
Command redrive_command();
Command validate_command();

// The text of the completion for a shell ("bash", "zsh", "fish").
std::string completion_script(std::string_view shell, const std::vector<Command>& commands);

std::string_view version();  // "0.1.0"

// The option --server, the same everywhere.
void add_server_option(Arguments& arguments, std::string& into);

// What exit statuses mean, where a command has no more to say about them.
inline constexpr std::string_view kCommonExitCodes =
    "0    done\n"
    "2    the command line makes no sense\n"
    "3    no server answered\n"
    "4    no such job\n"
    "5    the server refused; its reason is on standard error";
inline constexpr std::string_view kExecutionExitCodes =
    "0    done\n"
    "2    the command line makes no sense\n"
    "3    no server answered\n"
    "4    no such execution\n"
    "5    the server refused; its reason is on standard error";

}  // namespace stoker::cli
