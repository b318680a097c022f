// The real agent and supervisor programs against a scripted server.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/testing/mig_state.h"
#include "agent/testing/station.h"
#include "base/rng.h"
#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "supervisor/protocol.h"

namespace stoker::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Station;

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

// Processes whose command line holds this text.
std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  const auto names = rt::list_directory("/proc").value();
  for (const std::string& name : names) {
    const auto pid = parse_int(name);
    if (!pid || *pid == ::getpid()) continue;
    const auto line = rt::read_file("/proc/" + name + "/cmdline", 1 << 20);
    if (line && line->find(text) != std::string::npos) found.push_back(static_cast<pid_t>(*pid));
  }
  return found;
}

bool eventually(const std::function<bool()>& condition, int seconds = 10) {
  for (int i = 0; i < seconds * 200; ++i) {
    if (condition()) return true;
    ::usleep(5'000);
  }
  return condition();
}

class AgentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    station_.start_agent();
    ASSERT_TRUE(station_.wait_hello(1));
  }
  supervisor::StateRecords state_of(const wire::Token& token) {
    return supervisor::parse_state(
        rt::read_file(station_.state_dir() + "/runs/" + token + "/state").value_or(""));
  }
  Station station_;
};

// ---- plain lives ----

TEST_F(AgentTest, a_program_s_exit_status_and_output_come_back) {
  const auto run = station_.a_run(shell("echo out; echo err >&2; exit 3"));
  const auto end = station_.run(run);
  EXPECT_EQ(end.end.exit_code, 3);
  EXPECT_TRUE(end.end.started);
  EXPECT_FALSE(end.end.node_failure);
  EXPECT_EQ(end.end.reason, "");
  EXPECT_GT(end.started_at.ms, 0);
  EXPECT_GE(end.end.at, end.started_at);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("out", "err"));
  EXPECT_EQ(station_.seen(run.token).started, 1);
  EXPECT_EQ(station_.run(station_.a_run({"true"})).end.exit_code, 0);
}

TEST_F(AgentTest, a_death_by_signal_is_128_and_the_signal) {
  EXPECT_EQ(station_.run(station_.a_run(shell("kill -SEGV $$"))).end.exit_code, 139);
  EXPECT_EQ(station_.run(station_.a_run(shell("kill -KILL $$"))).end.exit_code, 137);
}

TEST_F(AgentTest, what_cannot_start_says_why) {
  auto run = station_.a_run({"no-such-command-anywhere"});
  run.environment = {{"PATH", "/usr/bin:/bin"}};
  auto end = station_.run(run).end;
  EXPECT_FALSE(end.started);
  EXPECT_EQ(end.exit_code, 127);
  EXPECT_EQ(end.reason, "CannotStartContainerError: command not found: no-such-command-anywhere");
  end = station_.run(station_.a_run({"/etc/passwd"})).end;
  EXPECT_FALSE(end.started);
  EXPECT_EQ(end.exit_code, 126);
  EXPECT_THAT(end.reason, HasSubstr("Permission denied"));
  end = station_.run(station_.a_run({""})).end;
  EXPECT_THAT(end.reason, HasSubstr("needs a command"));
  run = station_.a_run({"true"});
  run.environment = {{"STOKER_WORKDIR", "/no/such/place"}};
  end = station_.run(run).end;
  EXPECT_FALSE(end.started);
  EXPECT_EQ(end.reason,
            "CannotStartContainerError: working directory /no/such/place: No such file or directory");
  run = station_.a_run({"true"});
  run.gpus = {"GPU-elsewhere"};
  EXPECT_THAT(station_.run(run).end.reason, HasSubstr("GPU-elsewhere"));
  run = station_.a_run({"true"});
  run.image = "busybox";
  end = station_.run(run).end;
  EXPECT_FALSE(end.started);
  EXPECT_THAT(end.reason, HasSubstr("no container engine"));
}

TEST_F(AgentTest, members_that_only_a_container_can_honour_are_refused) {
  for (const char* container :
       {R"({"privileged":true})", R"({"volumes":[{"name":"a"}]})",
        R"({"mountPoints":[{"sourceVolume":"a"}]})", R"({"readonlyRootFilesystem":true})",
        R"({"linuxParameters":{"tmpfs":[{"containerPath":"/x","size":1}]}})",
        R"({"linuxParameters":{"devices":[{"hostPath":"/dev/null"}]}})"}) {
    auto run = station_.a_run({"true"});
    run.container = std::make_shared<const json::Value>(json::parse(container).value());
    const auto end = station_.run(run).end;
    EXPECT_FALSE(end.started) << container;
    EXPECT_THAT(end.reason, HasSubstr("is not available for image host")) << container;
  }
  auto run = station_.a_run({"true"});
  run.container = std::make_shared<const json::Value>(
      json::parse(
          R"({"privileged":false,"volumes":[],"linuxParameters":{"initProcessEnabled":true,"sharedMemorySize":64}})")
          .value());
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
}

TEST_F(AgentTest, the_environment_is_small_and_the_job_s_own) {
  auto run = station_.a_run({"env"});
  run.environment = {{"A", "1"}, {"B", "x=y z"}, {"CUDA_VISIBLE_DEVICES", "0"}, {"A", "2"}};
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  std::map<std::string, std::string> got;
  for (const std::string& line : station_.log_lines(run.token))
    got[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
  EXPECT_EQ(got["A"], "2");
  EXPECT_EQ(got["B"], "x=y z");
  EXPECT_EQ(got["CUDA_VISIBLE_DEVICES"], "-1");
  EXPECT_EQ(got["NVIDIA_VISIBLE_DEVICES"], "void");
  EXPECT_EQ(got["STOKER_RUN"], run.token);
  for (const auto& [name, value] : got)
    EXPECT_THAT(
        (std::vector<std::string>{"A", "B", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "STOKER_RUN",
                                  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR"}),
        ::testing::Contains(name));
}

TEST_F(AgentTest, the_command_is_looked_up_in_the_job_s_own_path) {
  const std::string bin = station_.dir() + "/bin";
  ASSERT_TRUE(rt::make_directories(bin));
  ASSERT_TRUE(
      rt::write_file_atomically(bin + "/mine", "#!/bin/sh\necho mine\n", {.mode = 0755, .durable = false}));
  auto run = station_.a_run({"mine"});
  run.environment = {{"PATH", "/nowhere:" + bin}};
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("mine"));
}

TEST_F(AgentTest, the_working_directory_is_the_run_s_own_or_the_one_asked_for) {
  auto run = station_.a_run(shell("pwd; touch here"));
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token),
              ElementsAre(station_.state_dir() + "/runs/" + run.token + "/work"));
  station_.send(wire::ForgetRun{run.token});
  EXPECT_TRUE(eventually([&] { return !rt::file_exists(station_.state_dir() + "/runs/" + run.token); }));
  run = station_.a_run(shell("pwd"));
  run.environment = {{"STOKER_WORKDIR", "/usr"}};
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("/usr"));
}

TEST_F(AgentTest, a_job_starts_with_plain_signals_and_three_descriptors) {
  const auto run = station_.a_run(
      shell("grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; ls /proc/self/fd; readlink /proc/self/fd/0"));
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  const auto lines = station_.log_lines(run.token);
  ASSERT_GE(lines.size(), 7u);
  EXPECT_EQ(lines[0], "SigBlk:\t0000000000000000");
  EXPECT_EQ(lines[1], "SigIgn:\t0000000000000000");
  // 0, 1, 2 and the one that ls itself has open.
  EXPECT_EQ(std::vector<std::string>(lines.begin() + 3, lines.end()),
            (std::vector<std::string>{"0", "1", "2", "3", "/dev/null"}));
}

TEST_F(AgentTest, an_environment_of_a_megabyte_arrives) {
  auto run = station_.a_run(shell("echo ${#LONG1} ${#LONG9}"));
  for (int i = 0; i < 10; ++i)
    run.environment.emplace_back("LONG" + std::to_string(i), std::string(100'000, 'x'));
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("100000 100000"));
}

TEST_F(AgentTest, gpus_of_a_run_are_named_in_its_environment) {
  Station other;
  other.start_agent("2xA10G");
  ASSERT_TRUE(other.wait_hello(1));
  const wire::Inventory inventory = other.hellos().at(0).inventory;
  ASSERT_EQ(inventory.gpus.size(), 2u);
  EXPECT_TRUE(inventory.pretended_gpus);
  EXPECT_EQ(inventory.gpus[1].memory_mib, 24'576);
  auto run = other.a_run(shell("echo $CUDA_VISIBLE_DEVICES $NVIDIA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER"));
  run.gpus = {inventory.gpus[1].uuid, inventory.gpus[0].uuid};
  EXPECT_EQ(other.run(run).end.exit_code, 0);
  EXPECT_THAT(other.log_lines(run.token),
              ElementsAre("GPU-pretended-1,GPU-pretended-0 GPU-pretended-1,GPU-pretended-0 PCI_BUS_ID"));
}

TEST_F(AgentTest, ulimits_and_user_are_honoured) {
  auto run = station_.a_run(shell("ulimit -n; ulimit -Hn; ulimit -c"));
  run.container = std::make_shared<const json::Value>(
      json::parse(
          R"({"ulimits":[{"name":"nofile","softLimit":100,"hardLimit":200},{"name":"core","softLimit":0,"hardLimit":0}]})")
          .value());
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("100", "200", "0"));
  ASSERT_EQ(::chmod(station_.dir().c_str(), 0711), 0);
  run = station_.a_run(shell("id -u; id -g; echo $HOME; touch file && echo wrote"));
  run.container = std::make_shared<const json::Value>(
      json::parse(::geteuid() == 0 ? R"({"user":"nobody"})" : R"({"user":"root"})").value());
  const auto end = station_.run(run).end;
  if (::geteuid() != 0) {
    EXPECT_FALSE(end.started);
    EXPECT_THAT(end.reason, HasSubstr("not root"));
    return;
  }
  const auto lines = station_.log_lines(run.token);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "65534");
  EXPECT_EQ(lines[3], "wrote");
  run = station_.a_run({"true"});
  run.container = std::make_shared<const json::Value>(json::parse(R"({"user":"nobody-here"})").value());
  EXPECT_THAT(station_.run(run).end.reason, HasSubstr("there is no user nobody-here"));
  run = station_.a_run({"id", "-u"});
  run.container = std::make_shared<const json::Value>(json::parse(R"({"user":"12345:54321"})").value());
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("12345"));
}

// ---- output ----

TEST_F(AgentTest, output_without_a_line_end_and_binary_output_arrive) {
  auto run = station_.a_run(shell("printf 'no end'"));
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("no end"));
  run = station_.a_run(shell("printf 'a\\000b\\377\\n\\001'"));
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre(std::string("a\0b\xff", 4), "\x01"));
}

TEST_F(AgentTest, an_incomplete_line_is_shown_after_a_while) {
  const auto run = station_.a_run(shell("printf 'Password: '; sleep 60"));
  station_.start(run);
  EXPECT_TRUE(
      eventually([&] { return station_.log_lines(run.token) == std::vector<std::string>{"Password: "}; }));
  station_.send(wire::StopRun{run.token, {}});
  EXPECT_TRUE(station_.wait_exit(run.token));
}

TEST_F(AgentTest, a_gigabyte_of_output_keeps_its_beginning_and_its_end) {
  auto run = station_.a_run(shell(
      "echo first; head -c 300000000 /dev/zero; echo; yes a line of output | head -n 2000000; echo last"));
  run.log_bytes_max = 8 << 20;
  const auto end = station_.run(run, 120);
  EXPECT_EQ(end.end.exit_code, 0);
  const auto lines = station_.log_lines(run.token);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "first");
  EXPECT_EQ(lines.back(), "last");
  std::uint64_t on_disk = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(station_.state_dir() + "/runs/" + run.token + "/log"))
    on_disk += entry.file_size();
  EXPECT_LE(on_disk, 8u << 20);
}

TEST_F(AgentTest, every_line_arrives_in_order) {
  const auto run = station_.a_run(shell("seq 1 200000"));
  EXPECT_EQ(station_.run(run, 60).end.exit_code, 0);
  const auto lines = station_.log_lines(run.token);
  ASSERT_EQ(lines.size(), 200'000u);
  for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], std::to_string(i + 1));
}

// ---- what a job leaves behind ----

TEST_F(AgentTest, what_a_job_leaves_behind_is_killed_and_does_not_hold_its_end) {
  const std::string mark = "987" + std::to_string(::getpid());
  for (const std::string& script : std::vector<std::string>{
           "sleep " + mark + " & echo started", "(setsid sleep " + mark + " &) ; echo started",
           "setsid sh -c 'sleep " + mark + " & sleep " + mark + "' & echo started",
           "nohup sleep " + mark + " >/dev/null 2>&1 & echo started"}) {
    const auto run = station_.a_run(shell(script));
    const auto end = station_.run(run, 10);
    EXPECT_EQ(end.end.exit_code, 0) << script;
    EXPECT_THAT(station_.log_lines(run.token), ElementsAre("started"));
    EXPECT_TRUE(processes_with("sleep" + std::string(1, '\0') + mark).empty()) << script;
  }
}

TEST_F(AgentTest, a_memory_kill_is_told_in_batch_s_words) {
  const wire::Hello hello = station_.hellos().at(0);
  for (const std::string& warning : hello.inventory.warnings)
    if (warning.starts_with("memory limits")) GTEST_SKIP() << warning;
  auto run = station_.a_run(shell("head -c 300000000 /dev/zero | tail > /dev/null"));
  run.memory_mib = 64;
  const auto end = station_.run(run, 60).end;
  EXPECT_NE(end.exit_code, 0);
  EXPECT_EQ(end.reason, "OutOfMemoryError: Container killed due to memory usage");
  // The next run in the same group is not blamed for it.
  run = station_.a_run(shell("exit 1"));
  run.memory_mib = 64;
  EXPECT_EQ(station_.run(run).end.reason, "");
}

// ---- stopping ----

TEST_F(AgentTest, a_stop_is_a_sigterm_to_the_whole_group) {
  const std::string mark = "986" + std::to_string(::getpid());
  const auto run =
      station_.a_run(shell("trap 'echo got it; exit 7' TERM; sleep " + mark + " & echo ready; wait"));
  station_.start(run);
  // Until it has become `sleep`, the child is a shell with the trap of the other.
  ASSERT_TRUE(eventually([&] {
    return !station_.log_lines(run.token).empty() &&
           !processes_with("sleep" + std::string(1, '\0') + mark).empty();
  }));
  const std::uint64_t before = rt::monotonic_us();
  station_.send(wire::StopRun{run.token, seconds(30)});
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_LT(rt::monotonic_us() - before, 10'000'000u);
  EXPECT_EQ(end->end.exit_code, 7);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("ready", "got it"));
}

TEST_F(AgentTest, who_ignores_sigterm_is_killed_after_the_grace) {
  const auto run = station_.a_run(shell("trap '' TERM; echo ready; while true; do sleep 0.1; done"));
  station_.start(run);
  ASSERT_TRUE(eventually([&] { return !station_.log_lines(run.token).empty(); }));
  const std::uint64_t before = rt::monotonic_us();
  station_.send(wire::StopRun{run.token, milliseconds(700)});
  station_.send(wire::StopRun{run.token, milliseconds(700)});
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_GE(rt::monotonic_us() - before, 600'000u);
  EXPECT_EQ(end->end.exit_code, 137);
}

TEST_F(AgentTest, a_later_stop_may_shorten_the_grace) {
  const auto run = station_.a_run(shell("trap '' TERM; echo ready; while true; do sleep 0.1; done"));
  station_.start(run);
  ASSERT_TRUE(eventually([&] { return !station_.log_lines(run.token).empty(); }));
  station_.send(wire::StopRun{run.token, minutes(10)});
  station_.send(wire::StopRun{run.token, {}});
  const auto end = station_.wait_exit(run.token, 10);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 137);
}

TEST_F(AgentTest, a_stop_right_behind_the_start_ends_it_either_way) {
  for (int i = 0; i < 30; ++i) {
    const auto run = station_.a_run({"sleep", "1000"});
    station_.send(run);
    if (i % 3 == 1) ::usleep(static_cast<useconds_t>(i * 100));
    station_.send(wire::StopRun{run.token, seconds(30)});
    const auto end = station_.wait_exit(run.token, 10);
    ASSERT_TRUE(end);
    if (end->end.started)
      EXPECT_EQ(end->end.exit_code, 143);
    else
      EXPECT_EQ(end->end.reason, "stopped before it started");
  }
}

// ---- repeats and strangers ----

TEST_F(AgentTest, repeated_messages_change_nothing) {
  const std::string file = station_.dir() + "/count";
  const auto run = station_.a_run(shell("echo x >> " + file + "; sleep 0.3"));
  for (int i = 0; i < 5; ++i) station_.send(run);
  ASSERT_TRUE(station_.wait_exit(run.token));
  station_.send(run);  // ended and not forgotten: it does not run again
  station_.send(wire::StopRun{run.token, {}});
  EXPECT_EQ(station_.run(station_.a_run({"true"})).end.exit_code, 0);
  EXPECT_EQ(rt::read_file(file).value(), "x\n");
  EXPECT_EQ(station_.seen(run.token).exits.size(), 1u);
  for (int i = 0; i < 3; ++i) station_.send(wire::ForgetRun{run.token});
  station_.send(wire::StopRun{Station::new_token(), {}});
  station_.send(wire::ForgetRun{Station::new_token()});
  station_.send(wire::LogAck{Station::new_token(), 77});
  EXPECT_EQ(station_.run(station_.a_run({"true"})).end.exit_code, 0);
  EXPECT_TRUE(eventually([&] { return !rt::file_exists(station_.state_dir() + "/runs/" + run.token); }));
}

TEST_F(AgentTest, a_run_that_the_server_forgets_while_it_runs_ends) {
  const std::string mark = "986" + std::to_string(::getpid());
  const auto run = station_.a_run({"sleep", mark});
  station_.start(run);
  ASSERT_TRUE(station_.wait_started(run.token));
  station_.send(wire::ForgetRun{run.token});
  EXPECT_TRUE(eventually([&] {
    return processes_with(mark).empty() && !rt::file_exists(station_.state_dir() + "/runs/" + run.token);
  }));
}

// ---- lost connections ----

TEST_F(AgentTest, the_end_and_the_log_come_after_a_lost_connection) {
  const auto run =
      station_.a_run(shell("for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done; exit 5"));
  station_.start(run);
  ASSERT_TRUE(eventually([&] { return station_.log_lines(run.token).size() >= 2; }));
  station_.close();
  ASSERT_TRUE(eventually([&] { return state_of(run.token).ended.has_value(); }));
  station_.open();
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 5);
  EXPECT_EQ(station_.log_lines(run.token).size(), 10u);
}

TEST_F(AgentTest, the_end_is_not_told_before_the_log_is_acknowledged) {
  station_.set_acknowledge(false);
  const auto run = station_.a_run(shell("echo hello"));
  station_.start(run);
  ASSERT_TRUE(station_.wait([&] { return true; }));
  ASSERT_TRUE(eventually([&] { return station_.seen(run.token).log_bytes > 0; }));
  ASSERT_TRUE(eventually([&] { return state_of(run.token).ended.has_value(); }));
  EXPECT_EQ(station_.run(station_.a_run({"true"})).end.exit_code, 0);  // without output: at once
  EXPECT_TRUE(station_.seen(run.token).exits.empty());
  station_.set_acknowledge(true);
  station_.close();
  station_.open();
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 0);
  EXPECT_EQ(station_.seen(run.token).hello_phases.front(), wire::RunPhase::Running);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("hello"));
}

// ---- crashes ----

TEST_F(AgentTest, a_killed_agent_s_runs_are_adopted_with_their_true_end) {
  const std::string file = station_.dir() + "/go";
  const auto lasting =
      station_.a_run(shell("echo one; while [ ! -e " + file + " ]; do sleep 0.05; done; echo two; exit 9"));
  const auto ending = station_.a_run(shell("echo one; sleep 0.3; exit 4"));
  station_.start(lasting);
  station_.start(ending);
  ASSERT_TRUE(station_.wait_started(lasting.token));
  ASSERT_TRUE(station_.wait_started(ending.token));
  station_.kill_agent(SIGKILL);
  ASSERT_TRUE(eventually([&] { return state_of(ending.token).ended.has_value(); }));
  station_.start_agent();
  ASSERT_TRUE(station_.wait_hello(2));
  const auto end = station_.wait_exit(ending.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 4);
  EXPECT_TRUE(station_.seen(lasting.token).exits.empty());
  ASSERT_TRUE(rt::write_file_atomically(file, ""));
  const auto last = station_.wait_exit(lasting.token);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->end.exit_code, 9);
  EXPECT_EQ(last->started_at, station_.seen(lasting.token).started_at);
  EXPECT_THAT(station_.log_lines(lasting.token), ElementsAre("one", "two"));
}

TEST_F(AgentTest, an_adopted_run_can_be_stopped) {
  const auto run = station_.a_run(shell("trap 'exit 11' TERM; echo ready; while true; do sleep 0.05; done"));
  station_.start(run);
  ASSERT_TRUE(eventually([&] { return !station_.log_lines(run.token).empty(); }));
  station_.kill_agent(SIGKILL);
  station_.start_agent();
  ASSERT_TRUE(station_.wait_hello(2));
  station_.send(wire::StopRun{run.token, seconds(20)});
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 11);
}

TEST_F(AgentTest, a_killed_supervisor_is_a_node_failure_and_leaves_no_process) {
  const std::string mark = "985" + std::to_string(::getpid());
  const auto run = station_.a_run(shell("(setsid sleep " + mark + " &); sleep " + mark));
  station_.start(run);
  ASSERT_TRUE(station_.wait_started(run.token));
  ASSERT_TRUE(eventually([&] { return processes_with(mark).size() >= 2; }));
  ASSERT_EQ(::kill(state_of(run.token).begun->supervisor_pid, SIGKILL), 0);
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->end.node_failure);
  EXPECT_FALSE(end->end.exit_code);
  EXPECT_TRUE(processes_with(mark).empty());
  EXPECT_EQ(station_.run(station_.a_run({"true"})).end.exit_code, 0);
}

TEST_F(AgentTest, supervisor_and_agent_killed_together_is_a_node_failure_too) {
  const std::string mark = "984" + std::to_string(::getpid());
  const auto run = station_.a_run(shell("(setsid sleep " + mark + " &); sleep " + mark));
  station_.start(run);
  ASSERT_TRUE(eventually([&] { return processes_with(mark).size() >= 2; }));
  ASSERT_TRUE(eventually([&] { return state_of(run.token).begun.has_value(); }));
  const pid_t supervisor = state_of(run.token).begun->supervisor_pid;
  station_.kill_agent(SIGKILL);
  ::kill(supervisor, SIGKILL);
  station_.start_agent();
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->end.node_failure);
  EXPECT_TRUE(processes_with(mark).empty());
}

TEST_F(AgentTest, a_killed_zygote_is_replaced) {
  const auto lasting = station_.a_run(shell("sleep 1; exit 6"));
  station_.start(lasting);
  ASSERT_TRUE(station_.wait_started(lasting.token));
  const auto with_dir = processes_with(station_.state_dir());
  for (const pid_t pid : with_dir) {
    const std::string name = rt::read_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
    if (name.find("stoker-supervis") != std::string::npos &&
        pid != state_of(lasting.token).begun->supervisor_pid)
      ::kill(pid, SIGKILL);
  }
  std::vector<wire::Token> more;
  for (int i = 0; i < 20; ++i) more.push_back(station_.start(station_.a_run({"true"})));
  for (const wire::Token& token : more) {
    const auto end = station_.wait_exit(token);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->end.exit_code, 0) << end->end.reason;
  }
  const auto end = station_.wait_exit(lasting.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 6);
}

TEST_F(AgentTest, another_boot_makes_a_node_failure_of_what_ran) {
  const auto run = station_.a_run(shell("sleep 0.2; exit 0"));
  const auto ended = station_.a_run(shell("exit 3"));
  EXPECT_EQ(station_.run(ended).end.exit_code, 3);
  station_.kill_agent(SIGKILL);
  // As after a reboot: a run without an end, one whose directory only is left, one that had ended.
  const std::string runs = station_.state_dir() + "/runs/";
  const wire::Token begun = Station::new_token();
  const wire::Token bare = Station::new_token();
  ASSERT_TRUE(rt::make_directories(runs + begun));
  ASSERT_TRUE(rt::make_directories(runs + bare));
  ASSERT_TRUE(rt::write_file_atomically(runs + begun + "/state", "begun 999999 999998 1700000000000\n"));
  ASSERT_TRUE(rt::write_file_atomically(station_.state_dir() + "/instance", "another boot"));
  station_.start_agent();
  const auto first = station_.wait_exit(begun);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->end.node_failure);
  EXPECT_EQ(first->started_at, Instant{1'700'000'000'000});
  const auto second = station_.wait_exit(bare);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->end.node_failure);
  EXPECT_EQ(station_.seen(ended.token).exits.back().end.exit_code, 3);
  EXPECT_NE(rt::read_file(station_.state_dir() + "/instance").value(), "another boot");
}

TEST_F(AgentTest, a_start_that_was_never_carried_out_is_not_reported) {
  station_.kill_agent(SIGKILL);
  const wire::Token bare = Station::new_token();
  ASSERT_TRUE(rt::make_directories(station_.state_dir() + "/runs/" + bare));
  station_.start_agent();
  ASSERT_TRUE(station_.wait_hello(2));
  EXPECT_TRUE(station_.hellos().at(1).runs.empty());
  EXPECT_TRUE(eventually([&] { return !rt::file_exists(station_.state_dir() + "/runs/" + bare); }));
  auto run = station_.a_run({"true"});
  run.token = bare;
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
}

TEST_F(AgentTest, a_second_agent_on_the_same_directory_ends_quietly) {
  Station& station = station_;
  const pid_t first = station.agent_pid();
  testing::Station other;  // only for its process control
  const std::string program = STOKER_TEST_AGENT;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl(program.c_str(), program.c_str(), ("unix:" + station.dir() + "/s:/stoker/v1/node").c_str(),
            station.state_dir().c_str(), STOKER_TEST_SUPERVISOR, "none", nullptr);
    ::_exit(99);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(::kill(first, 0), 0);
  EXPECT_EQ(station.run(station.a_run({"true"})).end.exit_code, 0);
}

TEST_F(AgentTest, sigterm_ends_the_agent_and_leaves_the_runs) {
  const auto run = station_.a_run(shell("sleep 1; echo done; exit 2"));
  station_.start(run);
  ASSERT_TRUE(station_.wait_started(run.token));
  ::kill(station_.agent_pid(), SIGTERM);
  EXPECT_EQ(station_.wait_agent(), 0);
  station_.start_agent();
  const auto end = station_.wait_exit(run.token);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->end.exit_code, 2);
}

// The agent dies at random moments under load; what the server is owed it repeats. Each run ran exactly once,
// its true exit status arrives, its line is in the log, and nothing is left over.
TEST_F(AgentTest, killed_at_random_moments_each_run_runs_exactly_once) {
  Rng rng(rt::entropy());
  const std::string dir = station_.dir() + "/ran";
  ASSERT_TRUE(rt::make_directories(dir));
  const std::string mark = "stoker-crash-" + std::to_string(::getpid());
  std::map<wire::Token, wire::StartRun> owed;
  std::map<wire::Token, int> expected;
  std::size_t hellos = 1;
  const int kills =
      std::getenv("STOKER_TEST_KILLS") != nullptr ? std::atoi(std::getenv("STOKER_TEST_KILLS")) : 12;
  for (int round = 0; round < kills; ++round) {
    for (int i = 0; i < 12; ++i) {
      auto run = station_.a_run({});
      const int code = static_cast<int>(rng.below(100));
      run.command = shell("# " + mark + "\necho x >> " + dir + "/" + run.token + "; echo line; " +
                          (rng.chance(1, 2) ? "sleep 0." + std::to_string(rng.below(3)) : ":") + "; exit " +
                          std::to_string(code));
      expected[run.token] = code;
      owed.emplace(run.token, run);
      station_.send(run);
    }
    ::usleep(static_cast<useconds_t>(rng.below(60'000)));
    station_.kill_agent(SIGKILL);
    station_.start_agent();
    ASSERT_TRUE(station_.wait_hello(++hellos));
    // The server's part: what the Hello does not know, and has not ended before, is started again.
    for (auto& [token, run] : owed) {
      const auto all = station_.hellos();
      bool known = !station_.seen(token).exits.empty();
      for (const wire::RunReport& report : all.back().runs) known = known || report.token == token;
      if (!known) station_.send(run);
    }
    for (auto it = owed.begin(); it != owed.end();) {
      if (station_.seen(it->first).exits.empty()) {
        ++it;
        continue;
      }
      station_.send(wire::ForgetRun{it->first});
      it = owed.erase(it);
    }
  }
  for (const auto& [token, code] : expected) {
    const auto end = station_.wait_exit(token, 30);
    ASSERT_TRUE(end) << token;
    EXPECT_EQ(end->end.exit_code, code) << end->end.reason;
    EXPECT_FALSE(end->end.node_failure) << end->end.reason;
    EXPECT_EQ(rt::read_file(dir + "/" + token).value_or(""), "x\n");
    EXPECT_THAT(station_.log_lines(token), ElementsAre("line"));
  }
  EXPECT_TRUE(processes_with(mark).empty());
}

// ---- MIG, with a driver that pretends ----

class AgentWithMig : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may change MIG layouts";
    station_.start_agent("auto");
    ASSERT_TRUE(station_.wait_hello(1));
  }
  wire::StartRun on(const std::string& device, const std::string& script) {
    wire::StartRun run = station_.a_run(shell(script));
    run.gpus = {device};
    return run;
  }
  Station station_;
  testing::MigState driver_{station_.dir()};
};

TEST_F(AgentWithMig, a_plan_becomes_a_device_that_the_run_sees) {
  const wire::Inventory inventory = station_.hellos()[0].inventory;
  ASSERT_EQ(inventory.gpus.size(), 2u);
  EXPECT_EQ(inventory.gpus[0].mig, wire::MigMode::Dynamic);
  EXPECT_FALSE(inventory.pretended_gpus);
  const auto run = on("GPU-a/2g.20gb@4", "echo $CUDA_VISIBLE_DEVICES $NVIDIA_VISIBLE_DEVICES");
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("MIG-GPU-a-1 MIG-GPU-a-1"));
  EXPECT_EQ(station_.run(on("GPU-a/3g.40gb@4", "true")).end.exit_code, 0) << "the layout is another one now";
  EXPECT_THAT(driver_.instances(), ElementsAre("a 3g.40gb@4 MIG-GPU-a-2"));
}

TEST_F(AgentWithMig, a_killed_agent_s_successor_leaves_the_devices_of_runs_alone) {
  const std::string gate = station_.dir() + "/gate";
  const auto held = on("GPU-a/2g.20gb@4", "while [ ! -e " + gate + " ]; do sleep 0.02; done");
  station_.start(held);
  ASSERT_TRUE(station_.wait_started(held.token));
  station_.kill_agent(SIGKILL);
  station_.start_agent("auto");
  ASSERT_TRUE(station_.wait_hello(2));
  EXPECT_EQ(station_.hellos()[1].inventory.gpus[0].mig, wire::MigMode::Dynamic) << "its own devices";
  const auto refused = station_.run(on("GPU-a/3g.40gb@4", "true"));
  EXPECT_TRUE(refused.end.node_failure);
  EXPECT_EQ(refused.end.reason,
            "CannotStartContainerError: GPU GPU-a: a run still has 2g.20gb at memory slice 4");
  ASSERT_TRUE(rt::write_file_atomically(gate, ""));
  ASSERT_TRUE(station_.wait_exit(held.token));
  EXPECT_EQ(station_.run(on("GPU-a/3g.40gb@4", "true")).end.exit_code, 0);
}

TEST_F(AgentWithMig, a_gpu_that_somebody_else_divides_is_told_before_the_refusal) {
  driver_.add("gi 0 5 9 0 90 1");
  const auto refused = station_.run(on("GPU-a/4g.40gb@0", "true"));
  EXPECT_TRUE(refused.end.node_failure);
  EXPECT_THAT(refused.end.reason, HasSubstr("did not make: 3g.40gb at memory slice 0"));
  const auto hellos = station_.hellos();
  ASSERT_GE(hellos.size(), 2u) << "the end comes on the new connection";
  const wire::Gpu& gpu = hellos[1].inventory.gpus[0];
  EXPECT_EQ(gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(gpu.mig_devices, (std::vector<wire::MigDevice>{{"MIG-GPU-a-90", "3g.40gb", 0}}));
  const auto run = on("MIG-GPU-a-90", "echo $CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("MIG-GPU-a-90"));
  EXPECT_THAT(driver_.instances(), ElementsAre("a 3g.40gb@0 MIG-GPU-a-90"));
}

TEST_F(AgentWithMig, an_agent_killed_by_the_driver_s_call_goes_on_with_the_next) {
  driver_.add("die nvmlDeviceCreateGpuInstanceWithPlacement after");
  const auto run = on("GPU-b/7g.80gb@0", "echo $CUDA_VISIBLE_DEVICES");
  station_.start(run);
  EXPECT_TRUE(WIFSIGNALED(station_.wait_agent()));
  EXPECT_THAT(driver_.instances(), ElementsAre("b 7g.80gb@0 -"));
  station_.start_agent("auto");
  ASSERT_TRUE(station_.wait_hello(2));
  EXPECT_EQ(station_.hellos()[1].inventory.gpus[1].mig, wire::MigMode::Dynamic);
  EXPECT_TRUE(station_.hellos()[1].runs.empty()) << "it never began";
  EXPECT_EQ(station_.run(run).end.exit_code, 0);
  EXPECT_THAT(station_.log_lines(run.token), ElementsAre("MIG-GPU-b-1"));
}

}  // namespace
}  // namespace stoker::agent
