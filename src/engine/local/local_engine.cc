#include "engine/local/local_engine.h"

#include <algorithm>
#include <csignal>
#include <thread>

#include <fcntl.h>

#include "base/text.h"
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
        log::warning("agent_ended", {{"status", exit->status}, {"signal", exit->signal}});
    }
    pause = rt::now() - started > kHealthy ? kPauseMin : std::min(pause * 2, kPauseMax);
    for (const Instant until = rt::now() + pause; rt::now() < until && !stopping_;)
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min(kLook, pause).ms));
  }
}

}  // namespace stoker::engine
