// Against the real hierarchies of this machine; skipped, with the reason, where they are not ours to write.
#include "agent/cgroups.h"

#include <cstring>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/device_program.h"
#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

std::string unique_name() {
  return "test-" + std::to_string(::getpid()) + "-" + std::to_string(rt::entropy() % 1'000'000);
}

// Forks a child into the slot, runs `work` there and gives its exit status; -1 when it could not enter.
template <class Work>
pid_t fork_into(const CgroupSlot& slot, Work work) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  for (const std::string& directory : slot.directories) {
    const int fd = ::open((directory + "/cgroup.procs").c_str(), O_WRONLY);
    if (fd < 0 || ::write(fd, "0", 1) != 1) ::_exit(99);
    ::close(fd);
  }
  ::_exit(work());
}

int exit_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class CgroupsTest : public ::testing::Test {
 protected:
  Cgroups groups_ = Cgroups::open(unique_name());
};

TEST_F(CgroupsTest, what_cannot_be_enforced_is_said) {
  const std::size_t expected = (groups_.limits_memory() ? 0U : 1U) + (groups_.weighs_cpu() ? 0U : 1U) +
                               (groups_.denies_devices() ? 0U : 1U);
  EXPECT_EQ(groups_.warnings().size(), expected);
}

TEST_F(CgroupsTest, memory_beyond_the_limit_is_a_kill_that_shows) {
  if (!groups_.limits_memory()) GTEST_SKIP() << groups_.warnings().front();
  const CgroupSlot slot =
      groups_.acquire({.memory_mib = 32, .cpus_milli = 1000, .denied_devices = {}}).value();
  // From the kernel: the allocator of a sanitizer would first tidy up, and with that copy, what earlier tests
  // left.
  const auto use = [](std::size_t mib) {
    return [bytes = mib << 20] {
      void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) return 98;
      std::memset(memory, 1, bytes);
      return static_cast<const char*>(memory)[bytes / 2] == 1 ? 0 : 1;
    };
  };
  EXPECT_EQ(exit_of(fork_into(slot, use(8))), 0);
  const std::string before = rt::read_file(slot.oom_file).value();
  EXPECT_NE(before.find("oom_kill 0"), std::string::npos) << before;
  EXPECT_EQ(exit_of(fork_into(slot, use(200))), 137);
  EXPECT_EQ(rt::read_file(slot.oom_file).value().find("oom_kill 0"), std::string::npos);
  groups_.release(slot.number, Cgroups::Left::Nothing);
  // The same slot with another limit.
  const CgroupSlot larger =
      groups_.acquire({.memory_mib = 400, .cpus_milli = 1000, .denied_devices = {}}).value();
  EXPECT_EQ(exit_of(fork_into(larger, use(200))), 0);
  groups_.release(larger.number, Cgroups::Left::Nothing);
}

TEST_F(CgroupsTest, cpu_shares_are_a_weight_between_busy_runs) {
  if (!groups_.weighs_cpu()) GTEST_SKIP() << "no cpu control group is writable";
  const CgroupSlot heavy =
      groups_.acquire({.memory_mib = 64, .cpus_milli = 16'000, .denied_devices = {}}).value();
  const CgroupSlot light =
      groups_.acquire({.memory_mib = 64, .cpus_milli = 1'000, .denied_devices = {}}).value();
  const auto spin = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    const std::uint64_t until = rt::monotonic_us() + 1'500'000;
    while (rt::monotonic_us() < until) {
    }
    return 0;
  };
  const pid_t a = fork_into(heavy, spin);
  const pid_t b = fork_into(light, spin);
  rusage used_a{};
  rusage used_b{};
  int status = 0;
  ::wait4(a, &status, 0, &used_a);
  EXPECT_EQ(status, 0);
  ::wait4(b, &status, 0, &used_b);
  EXPECT_EQ(status, 0);
  const auto ms = [](const rusage& it) {
    return it.ru_utime.tv_sec * 1000 + it.ru_utime.tv_usec / 1000 + it.ru_stime.tv_sec * 1000 +
           it.ru_stime.tv_usec / 1000;
  };
  EXPECT_GT(ms(used_a), 3 * ms(used_b)) << ms(used_a) << " ms against " << ms(used_b) << " ms";
}

TEST_F(CgroupsTest, a_denied_device_cannot_be_opened_until_it_is_allowed_again) {
  if (!groups_.denies_devices()) GTEST_SKIP() << "no device rules are possible";
  const DeviceNumber zero{1, 5};
  const auto opens = [](const char* path) {
    return [path] { return ::open(path, O_RDONLY) >= 0 ? 0 : errno; };
  };
  const CgroupSlot denied =
      groups_.acquire({.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {zero}}).value();
  EXPECT_EQ(exit_of(fork_into(denied, opens("/dev/zero"))), EPERM);
  EXPECT_EQ(exit_of(fork_into(denied, opens("/dev/null"))), 0);
  groups_.release(denied.number, Cgroups::Left::Nothing);
  const CgroupSlot again =
      groups_.acquire({.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {DeviceNumber{1, 3}}}).value();
  EXPECT_EQ(exit_of(fork_into(again, opens("/dev/zero"))), 0);
  EXPECT_EQ(exit_of(fork_into(again, opens("/dev/null"))), EPERM);
}

TEST_F(CgroupsTest, what_is_left_in_a_slot_is_killed_before_it_is_used_again) {
  if (!groups_.limits_memory()) GTEST_SKIP() << groups_.warnings().front();
  const CgroupLimits limits{.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {}};
  const CgroupSlot slot = groups_.acquire(limits).value();
  const pid_t left = fork_into(slot, [] {
    ::pause();
    return 0;
  });
  for (int i = 0; i < 1000 && rt::read_file(slot.directories[0] + "/cgroup.procs").value().empty(); ++i)
    ::usleep(1000);
  // A zombie stays a member until it is waited for, as the supervisor's init would do at once.
  std::thread reaper([left] { EXPECT_EQ(exit_of(left), 137); });
  groups_.release(slot.number, Cgroups::Left::Unknown);
  reaper.join();
  EXPECT_EQ(groups_.acquire(limits).value().number, slot.number);
}

TEST(Cgroups, a_later_agent_adopts_the_slot_of_a_living_run_and_removes_the_others) {
  const std::string name = unique_name();
  std::optional<Cgroups> first(Cgroups::open(name));
  if (!first->limits_memory()) GTEST_SKIP() << first->warnings().front();
  const CgroupSlot used =
      first->acquire({.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {}}).value();
  const CgroupSlot lost =
      first->acquire({.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {}}).value();
  ASSERT_NE(used.number, lost.number);
  const auto wait = [] {
    ::pause();
    return 0;
  };
  const pid_t run = fork_into(used, wait);
  const pid_t stray = fork_into(lost, wait);
  for (const CgroupSlot* slot : {&used, &lost})
    for (int i = 0; i < 1000 && rt::read_file(slot->directories.back() + "/cgroup.procs").value().empty();
         ++i)
      ::usleep(1000);
  first.reset();  // both are in use: their groups stay
  Cgroups second = Cgroups::open(name);
  EXPECT_EQ(second.adopt(run), used.number);
  EXPECT_EQ(second.adopt(::getpid()), -1);
  std::thread reaper([stray] { EXPECT_EQ(exit_of(stray), 137); });
  second.sweep();
  reaper.join();
  EXPECT_EQ(::kill(run, 0), 0);
  EXPECT_FALSE(rt::file_exists(lost.directories[0]));
  EXPECT_NE(second.acquire({.memory_mib = 64, .cpus_milli = 1000, .denied_devices = {}}).value().number,
            used.number);
  ::kill(run, SIGKILL);
  exit_of(run);
  second.release(used.number, Cgroups::Left::Unknown);
  EXPECT_FALSE(rt::file_exists(used.directories[0]));
}

// The second version's way, on a hierarchy of its own where the machine has one.
TEST(DeviceProgram, forbids_the_devices_of_its_list_only) {
  std::string mount;
  for (const char* candidate : {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"})
    if (mount.empty() && rt::file_exists(std::string(candidate) + "/cgroup.controllers")) mount = candidate;
  if (mount.empty()) GTEST_SKIP() << "no version 2 hierarchy is mounted";
  const std::string group = mount + "/" + unique_name();
  std::error_code error;
  if (!std::filesystem::create_directory(group, error))
    GTEST_SKIP() << "version 2 hierarchy: " << error.message();
  const CgroupSlot slot{0, {group}, ""};
  const auto opens = [](const char* path) {
    return [path] { return ::open(path, O_RDONLY) >= 0 ? 0 : errno; };
  };
  auto program = attach_device_program(group, {{1, 5}, {195, 3}, {1, 7}}, {});
  if (!program) {
    std::filesystem::remove(group, error);
    GTEST_SKIP() << program.error().message;
  }
  EXPECT_EQ(exit_of(fork_into(slot, opens("/dev/zero"))), EPERM);
  EXPECT_EQ(exit_of(fork_into(slot, opens("/dev/full"))), EPERM);
  EXPECT_EQ(exit_of(fork_into(slot, opens("/dev/null"))), 0);
  auto replaced = attach_device_program(group, {{1, 3}}, *program);
  ASSERT_TRUE(replaced) << replaced.error().message;
  EXPECT_EQ(exit_of(fork_into(slot, opens("/dev/zero"))), 0);
  EXPECT_EQ(exit_of(fork_into(slot, opens("/dev/null"))), EPERM);
  EXPECT_TRUE(std::filesystem::remove(group, error)) << error.message();
}

}  // namespace
}  // namespace stoker::agent
