#include "engine/local/local_engine.h"

#include <algorithm>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "json/json.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::engine {
namespace {
constexpr Duration kPauseMin = milliseconds(50);
constexpr Duration kPauseMax = seconds(5);
constexpr Duration kHealthy = seconds(10);  // an agent that lived so long starts again at once
constexpr Duration kLook = milliseconds(50);
constexpr Duration kEndWithin = seconds(5);
constexpr std::size_t kLastWordsMax = 4096;

// What the agent wrote last, of its log the error in it; "" for nothing since `begin`.
std::string last_words(const std::string& log_file, std::uint64_t begin) {
  const rt::UniqueFd file{::open(log_file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return {};
  const off_t end = ::lseek(file.get(), 0, SEEK_END);
  if (end <= 0 || static_cast<std::uint64_t>(end) <= begin) return {};
  std::string text(std::min<std::size_t>(kLastWordsMax, static_cast<std::uint64_t>(end) - begin), 0);
  const auto got = ::pread(file.get(), text.data(), text.size(), end - static_cast<off_t>(text.size()));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::string_view lines = trim(text);
  const std::string_view line = lines.substr(lines.rfind('\n') + 1);
  if (const auto entry = json::parse(line))
    if (const auto error = json::get_string(*entry, "error"); !error.empty()) return std::string(error);
  return to_valid_utf8(line);
}

std::uint64_t size_of(int file) {
  struct stat about{};
  return ::fstat(file, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}
}  // namespace

LocalEngine::LocalEngine(LocalEngineOptions options, std::function<void(NodeNews)> news)
    : options_(std::move(options)),
      news_(std::move(news)),
      thread_("local-engine", [this] { keep_alive(); }) {}

LocalEngine::~LocalEngine() {
  stopping_ = true;
  thread_.join();
}

void LocalEngine::launch(std::span<const LaunchNode> nodes) {
  for (const LaunchNode& node : nodes) {
    if (node.node == kLocalNode)
      news_(NodeRunning{node.node});
    else
      news_(NodeFailed{node.node, "the local engine has one node, " + std::string(kLocalNode)});
  }
}

void LocalEngine::terminate(std::span<const std::string>) {}
void LocalEngine::list() {
  news_(NodeRunning{kLocalNode});
}

// Ours, or the one that an earlier server left behind: while that one serves, ours only waits for its lock
// and has nothing to put in order.
void LocalEngine::end_agent(rt::Child& child) {
  const std::string lock = options_.state_dir + "/agent.lock";
  const auto serving = parse_int(trim(rt::read_file(options_.state_dir + "/agent.pid", 64).value_or("")));
  const bool ours = serving == child.pid() || rt::FileLock::try_lock(lock).has_value();
  child.kill(ours ? SIGTERM : SIGKILL);
  if (!child.wait(kEndWithin)) {
    child.kill(SIGKILL);
    child.wait(kEndWithin);
  }
  if (ours) return;
  if (serving && *serving > 1) ::kill(static_cast<pid_t>(*serving), SIGTERM);
  if (!rt::FileLock::lock_within(lock, kEndWithin))
    log::warning("agent_still_there", {{"pid", serving.value_or(0)}});
}

void LocalEngine::keep_alive() {
  Duration pause = kPauseMin;
  while (!stopping_) {
    rt::UniqueFd log_file{::open(options_.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
    const Instant started = rt::now();
    const std::uint64_t log_begin = log_file ? size_of(log_file.get()) : 0;
    auto agent = rt::Child::spawn({.argv = options_.agent_command,
                                   .new_session = true,
                                   .errors = log_file ? log_file.get() : rt::kNull});
    if (!agent) {
      log::error("agent_not_started", {{"why", agent.error().message}});
    } else {
      std::optional<rt::Exit> exit;
      while (!exit && !stopping_) exit = agent->wait(kLook);
      if (stopping_) {
        end_agent(*agent);
        return;
      }
      // Status 0: another agent holds the state directory and serves; look again in a while.
      if (exit->status != 0 || exit->signal != 0)
        log::warning("agent_ended", {{"status", exit->status},
                                     {"signal", exit->signal},
                                     {"said", last_words(options_.log_file, log_begin)}});
    }
    pause = rt::now() - started > kHealthy ? kPauseMin : std::min(pause * 2, kPauseMax);
    for (const Instant until = rt::now() + pause; rt::now() < until && !stopping_;)
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min(kLook, pause).ms));
  }
}

}  // namespace stoker::engine
