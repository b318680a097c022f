// agent_bench [RUNS] [AT_ONCE]: no-op runs per second through the real agent, from StartRun to RunExited,
// beside a one-thread loop of posix_spawn and wait of the same program. Prints both and their ratio.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/testing/station.h"
#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"

extern char** environ;

namespace {

double spawn_rate(int runs) {
  const std::uint64_t before = stoker::rt::monotonic_us();
  for (int i = 0; i < runs; ++i) {
    pid_t pid = -1;
    char name[] = "/bin/true";
    char* arguments[] = {name, nullptr};
    if (::posix_spawn(&pid, name, nullptr, nullptr, arguments, environ) != 0) std::abort();
    ::waitpid(pid, nullptr, 0);
  }
  return runs * 1e6 / static_cast<double>(stoker::rt::monotonic_us() - before);
}

void finish(stoker::agent::testing::Station& station, const stoker::wire::Token& token) {
  const auto exit = station.wait_exit(token);
  if (!exit || exit->end.exit_code != 0) {
    std::printf("a run failed: %s\n", exit ? exit->end.reason.c_str() : "no end");
    std::exit(1);
  }
  station.send(stoker::wire::ForgetRun{token});
}

double agent_rate(stoker::agent::testing::Station& station, int runs, std::size_t at_once) {
  const std::uint64_t before = stoker::rt::monotonic_us();
  std::vector<stoker::wire::Token> open;
  for (int i = 0; i < runs; ++i) {
    open.push_back(station.start(station.a_run({"/bin/true"})));
    if (open.size() < at_once) continue;
    finish(station, open.front());
    open.erase(open.begin());
  }
  for (const auto& token : open) finish(station, token);
  return runs * 1e6 / static_cast<double>(stoker::rt::monotonic_us() - before);
}

// Processor seconds of everything in the benchmark's own accounting group, where the caller has made one.
double group_seconds() {
  const char* file = std::getenv("STOKER_BENCH_CPUACCT");
  if (file == nullptr) return 0;
  return std::strtod(stoker::rt::read_file(file).value_or("0").c_str(), nullptr) / 1e9;
}

// User and system time of one process, all its threads.
double process_seconds(pid_t pid) {
  const std::string text = stoker::rt::read_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  const auto fields = stoker::split(std::string_view(text).substr(end + 2), ' ');
  const auto ticks = stoker::parse_int(fields[11]).value_or(0) + stoker::parse_int(fields[12]).value_or(0);
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

int main(int count, char** arguments) {
  const int runs = count > 1 ? std::atoi(arguments[1]) : 1000;
  const std::size_t at_once = count > 2 ? static_cast<std::size_t>(std::atoi(arguments[2])) : 4;
  stoker::agent::testing::Station station;
  station.start_agent();
  if (!station.wait_hello(1)) return 1;
  (void)agent_rate(station, 50, at_once);
  for (int round = 0; round < 3; ++round) {
    const double cpu_0 = group_seconds();
    const double spawned = spawn_rate(runs);
    const double cpu_1 = group_seconds();
    const double agent_0 = process_seconds(station.agent_pid());
    const double self_0 = process_seconds(::getpid());
    const double through_agent = agent_rate(station, runs, at_once);
    const double cpu_2 = group_seconds();
    std::printf("posix_spawn %.0f/s (%.0f us cpu), agent %.0f/s (%.0f us cpu), ratio %.2f (cpu %.2f)\n",
                spawned, (cpu_1 - cpu_0) * 1e6 / runs, through_agent, (cpu_2 - cpu_1) * 1e6 / runs,
                through_agent / spawned, (cpu_2 - cpu_1) / (cpu_1 - cpu_0));
    std::printf("  of which the agent %.0f us, this program as the server %.0f us\n",
                (process_seconds(station.agent_pid()) - agent_0) * 1e6 / runs,
                (process_seconds(::getpid()) - self_0) * 1e6 / runs);
    std::fflush(stdout);
  }
}
