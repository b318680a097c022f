#include "rt/subprocess.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::rt {
namespace {

using testing::HasSubstr;

Spawn shell(std::string script) {
  return {.argv = {"sh", "-c", std::move(script)}};
}

TEST(Subprocess, OutputErrorsAndStatusAreCaptured) {
  const auto got = capture(shell("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->output, "out\n");
  EXPECT_EQ(got->errors, "err\n");
  EXPECT_EQ(got->exit, (Exit{.status = 7, .signal = 0}));
  EXPECT_FALSE(got->truncated);
}

TEST(Subprocess, ArgumentsAreNotReadByAnyShell) {
  EXPECT_EQ(capture({.argv = {"printf", "%s|", "a b", "$HOME", "", "*"}})->output, "a b|$HOME||*|");
}

TEST(Subprocess, EnvironmentAndDirectoryAreThoseGiven) {
  Spawn options{.argv = {"/bin/sh", "-c", "env; pwd"}, .environment = {{"ONLY=this"}}, .directory = "/usr"};
  const std::string output = capture(options)->output;
  EXPECT_THAT(output, HasSubstr("ONLY=this\n"));
  EXPECT_THAT(output, HasSubstr("/usr\n"));
  EXPECT_THAT(output, testing::Not(HasSubstr("PATH=")));
}

TEST(Subprocess, StandardInputIsEmpty) {
  EXPECT_EQ(capture({.argv = {"cat"}})->output, "");
}

TEST(Subprocess, WhatIsMissingIsSaid) {
  EXPECT_EQ(capture({.argv = {"/nonexistent/program"}}).error().code, Code::NotFound);
  EXPECT_EQ(capture({.argv = {"true"}, .directory = "/nonexistent"}).error().code, Code::NotFound);
  EXPECT_EQ(capture({.argv = {"/etc/passwd"}}).error().code, Code::Io);
  EXPECT_EQ(capture({}).error().code, Code::InvalidArgument);
}

TEST(Subprocess, CapturedOutputIsBoundedAndTheProgramStillEnds) {
  const auto got = capture(shell("head -c 3000000 /dev/zero; echo done >&2"), {.bytes_max = 1000});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->output.size(), 1000u);
  EXPECT_TRUE(got->truncated);
  EXPECT_EQ(got->errors, "done\n");
  EXPECT_TRUE(got->exit.success());
  const auto large = capture(shell("head -c 3000000 /dev/zero"), {.bytes_max = 4u << 20});
  EXPECT_EQ(large->output.size(), 3'000'000u);
}

TEST(Subprocess, TheDeadlineEndsTheWholeGroup) {
  const std::string dir = make_temporary_directory("/tmp/stoker-rt-test-").value();
  const auto start = monotonic_us();
  const auto got =
      capture(shell("sleep 1000 & echo $! > " + dir + "/pid; wait"), {.most = milliseconds(300)});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Code::Unavailable);
  EXPECT_LT(monotonic_us() - start, 30'000'000u);
  const pid_t grandchild = std::stoi(read_file(dir + "/pid").value());
  // Killed at once; gone as soon as whoever inherits orphans has reaped it.
  bool gone = false;
  for (int i = 0; i < 3000 && !gone; ++i) {
    const auto status = read_file("/proc/" + std::to_string(grandchild) + "/status");
    gone = !status || status->find("State:\tZ") != std::string::npos;
    if (!gone) ::usleep(10'000);
  }
  EXPECT_TRUE(gone);
  EXPECT_TRUE(remove_tree(dir));
}

TEST(Subprocess, AnOrphanThatKeepsThePipeDoesNotKeepUs) {
  const auto got = capture(shell("echo $$; sleep 20 & exit 0"), {.most = seconds(15)});
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->exit.success());
  ::kill(-std::stoi(got->output), SIGKILL);
}

TEST(Subprocess, WaitingHasADeadlineAndKillsAreReported) {
  auto child = Child::spawn({.argv = {"sleep", "1000"}, .new_session = true});
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait(milliseconds(20)));
  EXPECT_EQ(::getsid(child->pid()), child->pid());
  child->kill_group(SIGTERM);
  EXPECT_EQ(child->wait(seconds(30)), (Exit{.status = 0, .signal = SIGTERM}));
  EXPECT_EQ(child->wait(Duration{}), (Exit{.status = 0, .signal = SIGTERM}));
  child->kill(SIGKILL);  // after the end: nobody is hit
}

TEST(Subprocess, DescriptorsArePassedByPlaceAndNoOthersLeak) {
  // A descriptor that is not close-on-exec, as a careless library makes it.
  const UniqueFd leaky(::open("/dev/null", O_RDONLY));
  auto a = make_pipe();
  auto b = make_pipe();
  auto out = make_pipe();
  // Swapped on purpose: a higher number to a lower place and the other way round.
  Spawn options = shell("echo to3 >&3; echo to4 >&4; ls /proc/$$/fd");
  options.passed = {b->write.get(), a->write.get()};
  options.output = out->write.get();
  auto child = Child::spawn(options);
  ASSERT_TRUE(child);
  ASSERT_TRUE(child->wait(seconds(30)));
  const auto text = [](Pipe& pipe) {
    pipe.write.reset();
    std::string got(100, '\0');
    got.resize(
        static_cast<std::size_t>(std::max<ssize_t>(0, ::read(pipe.read.get(), got.data(), got.size()))));
    return got;
  };
  EXPECT_EQ(text(*b), "to3\n");
  EXPECT_EQ(text(*a), "to4\n");
  EXPECT_EQ(text(*out), "0\n1\n2\n3\n4\n");
}

TEST(Subprocess, TheChildStartsWithFreshSignals) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto got = capture({.argv = {"grep", "-E", "SigBlk|SigIgn", "/proc/self/status"}});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // 32 and 33, the top two of the 33 bits, belong to the C library and stay as they came.
  EXPECT_THAT(got->output, HasSubstr("SigBlk:\t0000000000000000\n"));
  EXPECT_THAT(got->output, testing::ContainsRegex("SigIgn:\t0000000[01][08]0000000\n"));
}

}  // namespace
}  // namespace stoker::rt
