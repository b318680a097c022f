#pragma once
// The options of one command: declared once, used to read the command line, to print the help and to make
// shell completions. The library that reads arguments shows in arguments.cc only.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/context.h"

namespace stoker::cli {

// What completion offers for a value.
enum class Offers { Nothing, Files, Directories, Jobs, Queues, Executions, Words };

struct OptionSpec {
  std::string names{};        // "-q,--queue"
  std::string placeholder{};  // of its value; "" for a flag
  std::string help{};
  bool repeats = false;
  Offers offers = Offers::Nothing;
  std::vector<std::string> words{};  // for Offers::Words
  // Takes a value ("" for a flag); its error's text follows the option's name in the message.
  std::function<Result<void>(std::string_view)> set{};
};

struct CommandText {
  std::string_view name;         // "submit"
  std::string_view summary;      // one line, no full stop
  std::string_view usage;        // what follows the name
  std::string_view description;  // paragraphs, wrapped when printed
  std::string_view examples;     // printed as it is
  std::string_view exit_codes;   // one "CODE  meaning" a line, printed as it is
};

class Arguments {
 public:
  explicit Arguments(CommandText text) : text_(text) {}

  // Each option writes into its variable while parse() runs. `help` says the default where there is one.
  Arguments& flag(std::string names, bool& into, std::string help);
  Arguments& text(std::string names, std::string placeholder, std::string& into, std::string help,
                  Offers offers = Offers::Nothing);
  Arguments& texts(std::string names, std::string placeholder, std::vector<std::string>& into,
                   std::string help, Offers offers = Offers::Nothing);
  struct Bounds {
    std::int64_t least;
    std::int64_t most;
  };
  Arguments& number(std::string names, std::string placeholder, std::optional<std::int64_t>& into,
                    Bounds bounds, std::string help);
  Arguments& duration(std::string names, std::string placeholder, std::optional<Duration>& into,
                      std::string help);
  Arguments& memory(std::string names, std::string placeholder, std::optional<std::int64_t>& into,
                    std::string help);
  // One of the words.
  Arguments& word(std::string names, std::string placeholder, std::string& into,
                  std::vector<std::string> words, std::string help);
  Arguments& option(OptionSpec spec);
  // What is left when the options are taken: at least `least` and at most `most` of them.
  struct Operands {
    std::string placeholder;
    std::size_t least = 0;
    std::size_t most = SIZE_MAX;
    Offers offers = Offers::Nothing;
    std::vector<std::string> words{};
  };
  Arguments& operands(std::vector<std::string>& into, Operands what);
  // Options end at the first other argument or at "--"; from there on everything is a command line.
  Arguments& command(std::vector<std::string>& into, std::string placeholder);

  // Nothing: go on. A number: the command is done with that exit status, its help (on `context.out`) or what
  // is wrong with the command line (on `context.err`) has been printed.
  std::optional<int> parse(Context& context, std::span<const std::string> arguments);

  [[nodiscard]] std::string help() const;
  [[nodiscard]] const CommandText& about() const { return text_; }
  [[nodiscard]] const std::vector<OptionSpec>& options() const { return options_; }
  [[nodiscard]] const std::optional<Operands>& what_operands() const { return operands_; }
  [[nodiscard]] bool takes_command() const { return command_ != nullptr; }

 private:
  Result<void> read(std::span<const std::string> arguments, bool& wants_help);

  CommandText text_;
  std::vector<OptionSpec> options_;
  std::optional<Operands> operands_;
  std::vector<std::string>* operands_into_ = nullptr;
  std::vector<std::string>* command_ = nullptr;
};

// "-q,--queue" → "-q, --queue"; the parts one by one.
std::vector<std::string> option_names(const OptionSpec& spec);

// The candidate that was probably meant, or "".
std::string closest(std::string_view typed, std::span<const std::string> candidates);

}  // namespace stoker::cli
