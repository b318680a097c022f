#include "cli/arguments.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/text.h"
#include "cli/exit.h"
#include "cli/quantity.h"

namespace stoker::cli {
namespace {

std::unexpected<Error> usage(std::string text) {
  return fail(Code::InvalidArgument, std::move(text));
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

Arguments& Arguments::option(OptionSpec spec) {
  options_.push_back(std::move(spec));
  return *this;
}

Arguments& Arguments::flag(std::string names, bool& into, std::string help) {
  return option(
      {.names = std::move(names), .help = std::move(help), .set = [&into](std::string_view) -> Result<void> {
         into = true;
         return {};
       }});
}

Arguments& Arguments::text(std::string names, std::string placeholder, std::string& into, std::string help,
                           Offers offers) {
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .offers = offers,
                 .set = [&into](std::string_view value) -> Result<void> {
                   into = value;
                   return {};
                 }});
}

Arguments& Arguments::texts(std::string names, std::string placeholder, std::vector<std::string>& into,
                            std::string help, Offers offers) {
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .repeats = true,
                 .offers = offers,
                 .set = [&into](std::string_view value) -> Result<void> {
                   into.emplace_back(value);
                   return {};
                 }});
}

Arguments& Arguments::number(std::string names, std::string placeholder, std::optional<std::int64_t>& into,
                             Bounds bounds, std::string help) {
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .set = [&into, bounds](std::string_view value) -> Result<void> {
                   const auto number = parse_int(value);
                   if (!number || *number < bounds.least || *number > bounds.most)
                     return usage("must be a whole number from " + std::to_string(bounds.least) + " to " +
                                  std::to_string(bounds.most) + ", not " + in_quotes(value));
                   into = *number;
                   return {};
                 }});
}

Arguments& Arguments::duration(std::string names, std::string placeholder, std::optional<Duration>& into,
                               std::string help) {
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .set = [&into](std::string_view value) -> Result<void> {
                   into = TRY(parse_duration(value));
                   return {};
                 }});
}

Arguments& Arguments::memory(std::string names, std::string placeholder, std::optional<std::int64_t>& into,
                             std::string help) {
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .set = [&into](std::string_view value) -> Result<void> {
                   into = TRY(parse_memory_mib(value));
                   return {};
                 }});
}

Arguments& Arguments::word(std::string names, std::string placeholder, std::string& into,
                           std::vector<std::string> words, std::string help) {
  auto set = [&into, words](std::string_view value) -> Result<void> {
    for (const std::string& word : words) {
      if (!equal_ignoring_case(word, value)) continue;
      into = word;
      return {};
    }
    return usage("must be one of " + join(words, ", ") + ", not " + in_quotes(value));
  };
  return option({.names = std::move(names),
                 .placeholder = std::move(placeholder),
                 .help = std::move(help),
                 .offers = Offers::Words,
                 .words = std::move(words),
                 .set = std::move(set)});
}

Arguments& Arguments::operands(std::vector<std::string>& into, Operands what) {
  operands_ = std::move(what);
  operands_into_ = &into;
  return *this;
}

Arguments& Arguments::command(std::vector<std::string>& into, std::string placeholder) {
  command_ = &into;
  operands_ = Operands{.placeholder = std::move(placeholder), .least = 1};
  return *this;
}

std::vector<std::string> option_names(const OptionSpec& spec) {
  std::vector<std::string> out;
  for (const std::string_view name : split(spec.names, ',')) out.emplace_back(trim(name));
  return out;
}

std::string closest(std::string_view typed, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // Edit distance, one row at a time.
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j <= candidate.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= typed.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t replaced = diagonal + (typed[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

namespace {

std::unexpected<Error> unknown_option(std::string_view typed, const std::vector<OptionSpec>& options) {
  std::vector<std::string> all{"--help"};
  for (const OptionSpec& spec : options)
    for (std::string& name : option_names(spec))
      if (name.starts_with("--")) all.push_back(std::move(name));
  const std::string_view name = typed.substr(0, typed.find('='));
  std::string text = "there is no option " + in_quotes(name);
  if (const std::string meant = closest(name, all); !meant.empty()) text += "; did you mean " + meant + "?";
  return usage(std::move(text));
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument.starts_with('-');
}

}  // namespace

Result<void> Arguments::read(std::span<const std::string> arguments, bool& wants_help) {
  const auto mark = command_ ? std::ranges::find(arguments, "--") : arguments.end();
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.allow_extras(operands_.has_value());
  app.prefix_command(command_ != nullptr);
  // Values are kept as text first, so that all messages are ours.
  std::vector<std::vector<std::string>> values(options_.size());
  std::vector<CLI::Option*> handles;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    handles.push_back(options_[i].placeholder.empty()
                          ? app.add_flag(options_[i].names)
                          : app.add_option(options_[i].names, values[i])->allow_extra_args(false));
  }
  try {
    std::vector<std::string> reversed(arguments.begin(), mark);
    std::ranges::reverse(reversed);
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    wants_help = true;
    return {};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    return usage("option " + text.substr(0, text.find(':')) + " has no value or too many");
  } catch (const CLI::ExtrasError&) {
    return usage("takes no arguments besides its options");
  } catch (const CLI::Error& error) {
    return usage(error.what());
  }
  std::vector<std::string> rest = app.remaining();
  // "--" itself stays among them where it is not the start of a command.
  const bool ended = command_ == nullptr && std::ranges::find(arguments, "--") != arguments.end();
  if (command_) {
    if (!rest.empty() && is_option(rest.front())) return unknown_option(rest.front(), options_);
    if (!rest.empty() && mark != arguments.end())
      rest.insert(rest.end(), mark, arguments.end());  // "--" was an argument of the command
    else if (mark != arguments.end())
      rest.assign(mark + 1, arguments.end());
  } else {
    std::erase(rest, "--");
    if (!ended)
      for (const std::string& argument : rest)
        if (is_option(argument)) return unknown_option(argument, options_);
  }
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const OptionSpec& spec = options_[i];
    if (spec.placeholder.empty() && handles[i]->count() > 0) values[i].assign(1, "");
    if (!spec.repeats && values[i].size() > 1) values[i] = {values[i].back()};
    for (const std::string& value : values[i]) {
      if (auto done = spec.set(value); !done)
        return usage("option " + option_names(spec).back() + ": " + done.error().message);
    }
  }
  if (operands_) {
    if (rest.size() < operands_->least) return usage(operands_->placeholder + " is missing");
    if (rest.size() > operands_->most)
      return usage("one argument too many: " + in_quotes(rest[operands_->most]));
    *(command_ ? command_ : operands_into_) = std::move(rest);
  }
  return {};
}

std::optional<int> Arguments::parse(Context& context, std::span<const std::string> arguments) {
  bool wants_help = false;
  const auto done = read(arguments, wants_help);
  if (!done) {
    const std::string name(text_.name);
    context.err.write("stoker " + name + ": " + done.error().message + "\nusage: stoker " + name + " " +
                      std::string(text_.usage) + "\n'stoker " + name + " --help' tells more\n");
    return kUsage;
  }
  if (wants_help) {
    context.out.write(help());
    return kOk;
  }
  return std::nullopt;
}

}  // namespace stoker::cli
