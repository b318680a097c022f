// Reading command lines, their help, and finding what was meant.
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "cli/command.h"
#include "cli/testing/capture.h"

namespace stoker::cli {
namespace {

using testing::Captured;

constexpr CommandText kText{.name = "try",
                            .summary = "try things",
                            .usage = "[OPTIONS] [--] COMMAND...",
                            .description =
                                "One paragraph that is long enough to be wrapped somewhere, since it has "
                                "many words in it.\n\nAnother.",
                            .examples = "stoker try -- x",
                            .exit_codes = "0    done"};

struct Tried {
  Captured captured;
  std::optional<int> status;
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> memory;
  std::optional<Duration> timeout;
  std::vector<std::string> environment;
  std::string name, kind;
  bool detach = false;
  std::vector<std::string> command;

  explicit Tried(std::vector<std::string> arguments) {
    Arguments described(kText);
    described.number("-g,--gpus", "N", gpus, {0, 8}, "GPUs.")
        .memory("-m,--memory", "SIZE", memory, "Memory.")
        .duration("--timeout", "TIME", timeout, "Time.")
        .texts("-e,--env", "K=V", environment, "Variable.")
        .text("--name", "NAME", name, "Name.")
        .word("--kind", "KIND", kind, {"RED", "BLUE"}, "Kind.")
        .flag("--detach", detach, "Detach.")
        .command(command, "COMMAND");
    status = described.parse(captured.context, arguments);
  }
};

using Words = std::vector<std::string>;

TEST(Arguments, options_end_at_the_command_whose_own_options_stay_its_own) {
  const Tried tried({"--gpus", "2", "-m4G", "python", "train.py", "--gpus", "9", "--help", "--", "-x"});
  EXPECT_FALSE(tried.status) << tried.captured.err;
  EXPECT_EQ(tried.gpus, 2);
  EXPECT_EQ(tried.memory, 4096);
  EXPECT_EQ(tried.command, (Words{"python", "train.py", "--gpus", "9", "--help", "--", "-x"}));
}

TEST(Arguments, two_dashes_begin_the_command) {
  const Tried tried({"--detach", "--", "--gpus", "x", "--"});
  EXPECT_FALSE(tried.status) << tried.captured.err;
  EXPECT_TRUE(tried.detach);
  EXPECT_FALSE(tried.gpus);
  EXPECT_EQ(tried.command, (Words{"--gpus", "x", "--"}));
}

TEST(Arguments, values_are_taken_in_every_usual_form) {
  const Tried tried({"--gpus=1", "-e", "A=1", "--env", "B=[x,y]", "-eC=", "--timeout", "1h30m", "--kind",
                     "blue", "--name=a b", "x"});
  EXPECT_FALSE(tried.status) << tried.captured.err;
  EXPECT_EQ(tried.gpus, 1);
  EXPECT_EQ(tried.environment, (Words{"A=1", "B=[x,y]", "C="}));
  EXPECT_EQ(tried.timeout, minutes(90));
  EXPECT_EQ(tried.kind, "BLUE");
  EXPECT_EQ(tried.name, "a b");
  EXPECT_EQ(tried.command, Words{"x"});
}

TEST(Arguments, the_last_of_two_values_counts_where_one_is_wanted) {
  const Tried tried({"--gpus", "1", "--gpus", "3", "x"});
  EXPECT_FALSE(tried.status) << tried.captured.err;
  EXPECT_EQ(tried.gpus, 3);
}

TEST(Arguments, what_is_wrong_is_said_with_exit_status_2) {
  const std::pair<Words, const char*> rows[] = {
      {{}, "COMMAND is missing"},
      {{"--"}, "COMMAND is missing"},
      {{"--gpsu", "1", "x"}, "there is no option '--gpsu'; did you mean --gpus?"},
      {{"-z", "x"}, "there is no option '-z'"},
      {{"--gpus", "many", "x"}, "option --gpus: must be a whole number from 0 to 8, not 'many'"},
      {{"--gpus", "9", "x"}, "option --gpus: must be a whole number from 0 to 8, not '9'"},
      {{"--gpus=-1", "x"}, "not '-1'"},
      {{"--gpus"}, "option --gpus has no value"},
      {{"--memory", "much", "x"}, "option --memory: 'much' is no amount of memory"},
      {{"--kind", "green", "x"}, "option --kind: must be one of RED, BLUE, not 'green'"},
  };
  for (const auto& [arguments, text] : rows) {
    const Tried tried(arguments);
    EXPECT_EQ(tried.status, 2) << text;
    EXPECT_NE(tried.captured.err.find(text), std::string::npos) << text << "\n got: " << tried.captured.err;
    EXPECT_NE(tried.captured.err.find("--help"), std::string::npos);
    EXPECT_EQ(tried.captured.out, "");
  }
}

TEST(Arguments, help_is_laid_out_and_wins_over_what_is_missing) {
  const Tried tried({"--help"});
  EXPECT_EQ(tried.status, 0);
  EXPECT_EQ(tried.captured.err, "");
  for (const char* part :
       {"stoker try - try things", "USAGE\n  stoker try [OPTIONS] [--] COMMAND...",
        "DESCRIPTION\n  One paragraph", "\n\n  Another.\n", "  -g, --gpus N            GPUs.\n",
        "      --detach            Detach.\n", "EXAMPLES\n  stoker try -- x\n", "EXIT STATUS\n  0    done\n"})
    EXPECT_NE(tried.captured.out.find(part), std::string::npos) << part << "\n" << tried.captured.out;
  std::size_t longest = 0;
  for (std::size_t at = 0, end = 0; at < tried.captured.out.size(); at = end + 1) {
    end = tried.captured.out.find('\n', at);
    longest = std::max(longest, end - at);
  }
  EXPECT_LE(longest, 88u);
}

TEST(Closest, finds_a_slip_and_nothing_far_away) {
  const Words all{"submit", "jobs", "logs", "explain"};
  EXPECT_EQ(closest("sumbit", all), "submit");
  EXPECT_EQ(closest("job", all), "jobs");
  EXPECT_EQ(closest("explian", all), "explain");
  EXPECT_EQ(closest("frobnicate", all), "");
}

int run_words(Captured& captured, Words words) {
  return run(captured.context, words, {});
}

TEST(Help, each_has_a_help_with_examples_and_exit_statuses) {
  for (const char* name :
       {"submit", "jobs", "logs", "cancel", "update", "explain", "queues", "top", "completion", "version"}) {
    Captured captured;
    EXPECT_EQ(run_words(captured, {name, "--help"}), 0);
    for (const char* part : {"DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"})
      EXPECT_NE(captured.out.find(part), std::string::npos) << name << " " << part;
    Captured other;
    EXPECT_EQ(run_words(other, {"help", name}), 0);
    EXPECT_EQ(other.out, captured.out);
  }
}

TEST(Help, a_slip_in_the_name_is_corrected) {
  Captured captured;
  EXPECT_EQ(run_words(captured, {"job"}), 2);
  EXPECT_NE(captured.err.find("did you mean 'jobs'?"), std::string::npos) << captured.err;
}

TEST(Help, none_at_all_shows_what_there_is) {
  Captured captured;
  EXPECT_EQ(run_words(captured, {}), 2);
  EXPECT_NE(captured.err.find("  submit        run a command as a job"), std::string::npos) << captured.err;
}

TEST(Completion, names_every_command_and_option_for_every_shell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    Captured captured;
    EXPECT_EQ(run_words(captured, {"completion", shell}), 0);
    for (const char* part : {"submit", "explain", "gpus", "depends-on", "RUNNABLE", "stoker jobs --ids"})
      EXPECT_NE(captured.out.find(part), std::string::npos) << shell << " " << part;
  }
  Captured captured;
  EXPECT_EQ(run_words(captured, {"completion", "tcsh"}), 2);
}

}  // namespace
}  // namespace stoker::cli
