// Scripts for shells, made from the options that the commands declare.
#include "base/text.h"
#include "cli/command.h"

namespace stoker::cli {
namespace {

// What the shells run to offer jobs, queues and executions.
constexpr std::string_view kJobsCommand = "stoker jobs --ids 2>/dev/null";
constexpr std::string_view kQueuesCommand = "stoker queues --names 2>/dev/null";
constexpr std::string_view kExecutionsCommand = "stoker executions --names 2>/dev/null";

std::string words_of(const std::vector<std::string>& words) {
  return join(words, " ");
}

// ---- bash ----

std::string bash_value(const OptionSpec& spec) {
  switch (spec.offers) {
    case Offers::Files:
      return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    case Offers::Directories:
      return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case Offers::Jobs:
      return "COMPREPLY=($(compgen -W \"$(" + std::string(kJobsCommand) + ")\" -- \"$cur\"))";
    case Offers::Queues:
      return "COMPREPLY=($(compgen -W \"$(" + std::string(kQueuesCommand) + ")\" -- \"$cur\"))";
    case Offers::Executions:
      return "COMPREPLY=($(compgen -W \"$(" + std::string(kExecutionsCommand) + ")\" -- \"$cur\"))";
    case Offers::Words:
      return "COMPREPLY=($(compgen -W \"" + words_of(spec.words) + "\" -- \"$cur\"))";
    case Offers::Nothing:
      break;
  }
  return "COMPREPLY=()";
}

std::string bash_operands(const Arguments& arguments) {
  if (arguments.takes_command()) return "COMPREPLY=($(compgen -c -f -- \"$cur\"))";
  const auto& what = arguments.what_operands();
  if (!what) return "COMPREPLY=()";
  return bash_value({.offers = what->offers, .words = what->words});
}

std::string bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const Command& command : commands) {
    names.emplace_back(command.about.name);
    const Arguments arguments = command.describe();
    std::vector<std::string> all{"--help"};
    std::string values;
    for (const OptionSpec& spec : arguments.options()) {
      const auto option = option_names(spec);
      all.insert(all.end(), option.begin(), option.end());
      if (!spec.placeholder.empty())
        values += "        " + join(option, "|") + ") " + bash_value(spec) + "; return;;\n";
    }
    cases += "    " + std::string(command.about.name) + ")\n";
    if (!values.empty()) cases += "      case \"$prev\" in\n" + values + "      esac\n";
    cases += "      case \"$cur\" in\n        -*) COMPREPLY=($(compgen -W \"" + words_of(all) +
             "\" -- \"$cur\"));;\n        *) " + bash_operands(arguments) + ";;\n      esac;;\n";
  }
  return "# bash completion of stoker: source <(stoker completion bash)\n"
         "_stoker() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         words_of(names) +
         " help\" -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases + "    help) COMPREPLY=($(compgen -W \"" + words_of(names) +
         "\" -- \"$cur\"));;\n"
         "  esac\n"
         "}\n"
         "complete -F _stoker stoker\n";
}

// ---- zsh ----

// Text within single quotes of a zsh specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_action(Offers offers, const std::vector<std::string>& words) {
  switch (offers) {
    case Offers::Files:
      return "_files";
    case Offers::Directories:
      return "_files -/";
    case Offers::Jobs:
      return "{_values job ${(f)\"$(" + std::string(kJobsCommand) + ")\"}}";
    case Offers::Queues:
      return "{_values queue ${(f)\"$(" + std::string(kQueuesCommand) + ")\"}}";
    case Offers::Executions:
      return "{_values execution ${(f)\"$(" + std::string(kExecutionsCommand) + ")\"}}";
    case Offers::Words:
      return "(" + words_of(words) + ")";
    case Offers::Nothing:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionSpec& spec) {
  std::string out;
  for (const std::string& name : option_names(spec)) {
    out += " '" + std::string(spec.repeats ? "*" : "") + name + "[" + zsh_text(spec.help) + "]";
    if (!spec.placeholder.empty())
      out += ":" + zsh_text(to_lower(spec.placeholder)) + ":" + zsh_action(spec.offers, spec.words);
    out += "'";
  }
  return out;
}

std::string zsh(const std::vector<Command>& commands) {
  std::string names;
  std::string cases;
  for (const Command& command : commands) {
    names += "    '" + std::string(command.about.name) + ":" + zsh_text(command.about.summary) + "'\n";
    const Arguments arguments = command.describe();
    cases += "    " + std::string(command.about.name) + ") _arguments -s '--help[Show the help.]'";
    for (const OptionSpec& spec : arguments.options()) cases += zsh_option(spec);
    if (arguments.takes_command())
      cases += " '*::command:_normal'";
    else if (const auto& what = arguments.what_operands())
      cases +=
          " '*:" + zsh_text(to_lower(what->placeholder)) + ":" + zsh_action(what->offers, what->words) + "'";
    cases += ";;\n";
  }
  return "#compdef stoker\n"
         "# zsh completion of stoker: source <(stoker completion zsh), after compinit\n"
         "_stoker() {\n"
         "  local -a commands=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n"
         "  shift words; (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "compdef _stoker stoker\n";
}

// ---- fish ----

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_values(Offers offers, const std::vector<std::string>& words) {
  switch (offers) {
    case Offers::Files:
      return " -F";
    case Offers::Directories:
      return " -x -a '(__fish_complete_directories)'";
    case Offers::Jobs:
      return " -x -a '(" + std::string(kJobsCommand) + ")'";
    case Offers::Queues:
      return " -x -a '(" + std::string(kQueuesCommand) + ")'";
    case Offers::Executions:
      return " -x -a '(" + std::string(kExecutionsCommand) + ")'";
    case Offers::Words:
      return " -x -a " + fish_text(words_of(words));
    case Offers::Nothing:
      break;
  }
  return " -x";
}

std::string fish(const std::vector<Command>& commands) {
  std::string out =
      "# fish completion of stoker: stoker completion fish > ~/.config/fish/completions/stoker.fish\n"
      "complete -c stoker -f\n";
  for (const Command& command : commands) {
    const std::string name(command.about.name);
    out += "complete -c stoker -n __fish_use_subcommand -a " + name + " -d " +
           fish_text(command.about.summary) + "\n";
    const std::string head = "complete -c stoker -n '__fish_seen_subcommand_from " + name + "'";
    const Arguments arguments = command.describe();
    for (const OptionSpec& spec : arguments.options()) {
      out += head;
      for (const std::string& option : option_names(spec))
        out += option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
      if (!spec.placeholder.empty()) out += fish_values(spec.offers, spec.words);
      out += " -d " + fish_text(spec.help) + "\n";
    }
    if (arguments.takes_command())
      out += head + " -a '(__fish_complete_subcommand)'\n";
    else if (const auto& what = arguments.what_operands(); what && what->offers != Offers::Nothing)
      out += head + fish_values(what->offers, what->words) + "\n";
  }
  return out;
}

}  // namespace

std::string completion_script(std::string_view shell, const std::vector<Command>& commands) {
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  return bash(commands);
}

}  // namespace stoker::cli
