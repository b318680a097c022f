// The driver: a thread for each run (as many as a node may have containers), one that sends signals, one that
// cleans up. Threads share this object under one mutex; no call to the engine is made while it is held.
#include "agent/container_driver.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "agent/container_cgroup.h"
#include "base/assert.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "rt/thread.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kThreadsMax = 512;  // further runs wait for one to end
constexpr std::uint64_t kHintDelayUs = 250'000;
constexpr std::chrono::hours kLongTime{1};
constexpr int kForgetAttempts = 10;
constexpr Duration kProbeMost = seconds(1);

class ContainerDriver final : public Driver {
 public:
  ContainerDriver(ContainerOptions options, NewsSink& news, const ContainerPatience& patience);
  ~ContainerDriver() override;
  ContainerDriver(const ContainerDriver&) = delete;
  ContainerDriver& operator=(const ContainerDriver&) = delete;

  void start(RunSpec spec) override { add(std::move(spec), ContainerRun::Begin::Start); }
  void adopt(RunSpec spec) override { add(std::move(spec), ContainerRun::Begin::Adopt); }
  void stop(const wire::Token& token, Duration grace) override;
  void forget(const wire::Token& token) override;

 private:
  struct Active {
    std::shared_ptr<ContainerRun> run;
    rt::Thread thread;
  };
  struct Garbage {
    std::string token;
    std::vector<std::string> volumes;
    int attempts = 0;
  };

  void add(RunSpec spec, ContainerRun::Begin begin);
  void poke();
  void send_signals();
  void tend(Engine& engine);
  void begin_waiting(std::vector<Active>& ended);
  std::vector<std::shared_ptr<ContainerRun>> all_runs();
  std::uint64_t next_look_us(const std::vector<std::shared_ptr<ContainerRun>>& runs, bool hints) const;
  void clean();
  bool remove(Engine& engine, const Garbage& garbage);
  void sweep(Engine& engine);

  const ContainerPatience patience_;
  ImagePuller puller_;
  ImageWatch images_;
  ContainerShared shared_;
  Engine signals_engine_;
  Engine cleaning_engine_;

  std::mutex mutex_;
  std::condition_variable poked_;    // for send_signals
  std::condition_variable garbage_;  // for clean
  bool ending_ = false;
  bool look_ = false;
  std::deque<std::shared_ptr<ContainerRun>> waiting_;      // for a thread
  std::map<std::string, Active> active_;                   // by token
  std::map<std::string, std::vector<std::string>> known_;  // tokens not forgotten, with their volumes
  std::deque<Garbage> forgotten_;
  rt::Thread signals_thread_;
  rt::Thread cleaning_thread_;
};

ContainerDriver::ContainerDriver(ContainerOptions options, NewsSink& news, const ContainerPatience& patience)
    : patience_(patience),
      puller_(options.socket, options.pull),
      images_(options.socket, news, {patience.images_rest, patience.images_every}),
      shared_{.options = options,
              .patience = patience,
              .news = news,
              .puller = puller_,
              .images = images_,
              .poke = [this] { poke(); }},
      signals_engine_(options.socket),
      cleaning_engine_(options.socket),
      signals_thread_("container-stop", [this] { send_signals(); }),
      cleaning_thread_("container-clean", [this] { clean(); }) {}

ContainerDriver::~ContainerDriver() {
  std::map<std::string, Active> active;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    active.swap(active_);
  }
  for (auto& [token, one] : active) one.run->quit();
  signals_engine_.interrupt();
  cleaning_engine_.interrupt();
  poked_.notify_all();
  garbage_.notify_all();
  // Before what they use: a run that ends pokes this object.
  active.clear();
  signals_thread_.join();
  cleaning_thread_.join();
}

void ContainerDriver::add(RunSpec spec, ContainerRun::Begin begin) {
  const std::string token = spec.run.token;
  auto run = std::make_shared<ContainerRun>(std::move(spec), begin, shared_);
  {
    const std::lock_guard lock(mutex_);
    known_[token] = own_volumes(run->spec());
    waiting_.push_back(std::move(run));
  }
  poke();
}

void ContainerDriver::stop(const wire::Token& token, Duration grace) {
  std::shared_ptr<ContainerRun> run;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = active_.find(token); found != active_.end()) run = found->second.run;
    for (const auto& one : waiting_)
      if (one->spec().run.token == token) run = one;
  }
  if (run) run->request_stop(grace);
}

void ContainerDriver::forget(const wire::Token& token) {
  {
    const std::lock_guard lock(mutex_);
    Garbage garbage{.token = token, .volumes = {}};
    if (const auto found = known_.find(token); found != known_.end()) {
      garbage.volumes = std::move(found->second);
      known_.erase(found);
    }
    forgotten_.push_back(std::move(garbage));
  }
  garbage_.notify_all();
}

void ContainerDriver::poke() {
  {
    const std::lock_guard lock(mutex_);
    look_ = true;
  }
  poked_.notify_all();
}

// Gives threads to runs that wait for one; hands out the runs whose threads have ended, to be joined.
void ContainerDriver::begin_waiting(std::vector<Active>& ended) {
  const std::lock_guard lock(mutex_);
  for (auto at = active_.begin(); at != active_.end();) {
    if (at->second.run->finished()) {
      ended.push_back(std::move(at->second));
      at = active_.erase(at);
    } else {
      ++at;
    }
  }
  while (!ending_ && !waiting_.empty() && active_.size() < kThreadsMax) {
    const auto run = waiting_.front();
    const auto& token = run->spec().run.token;
    if (active_.contains(token)) break;  // begun again (RunNeverBegan) while the old thread is about to end
    waiting_.pop_front();
    active_.emplace(token, Active{run, rt::Thread("container-run", [run] { run->work(); })});
  }
}

std::vector<std::shared_ptr<ContainerRun>> ContainerDriver::all_runs() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ContainerRun>> runs;
  runs.reserve(active_.size());
  for (const auto& [token, one] : active_) runs.push_back(one.run);
  return runs;
}

// One look at all runs: threads, signals, hints.
void ContainerDriver::tend(Engine& engine) {
  std::vector<Active> ended;
  begin_waiting(ended);
  ended.clear();  // joins
  for (const auto& run : all_runs()) {
    const auto signal = run->due_signal(rt::monotonic_us());
    if (signal == ContainerRun::Signal::None) continue;
    const bool kill = signal == ContainerRun::Signal::Kill;
    const auto sent = engine.kill_container(run->name(), kill ? "SIGKILL" : "SIGTERM");
    // A refusal mostly means that it has just ended; SIGKILL comes again in any case.
    if (!sent && sent.error().code == Code::Unavailable) run->signal_failed(signal);
  }
}

std::uint64_t ContainerDriver::next_look_us(const std::vector<std::shared_ptr<ContainerRun>>& runs,
                                            bool hints) const {
  const auto now = rt::monotonic_us();
  std::uint64_t next = now + static_cast<std::uint64_t>(std::chrono::microseconds(kLongTime).count());
  if (hints) next = now + kHintDelayUs;
  for (const auto& run : runs) next = std::min(next, run->next_signal_us().value_or(next));
  return next;
}

void ContainerDriver::send_signals() {
  std::uint64_t hints_at = 0;  // when hints that had to wait are given; 0: none wait
  for (;;) {
    tend(signals_engine_);
    const auto runs = all_runs();
    const auto now = rt::monotonic_us();
    if (hints_at != 0 && now >= hints_at) {
      hints_at = 0;
      for (const auto& run : runs)
        if (run->take_hint()) shared_.news.push(LogGrew{run->spec().run.token});
    }
    const auto look = next_look_us(runs, hints_at != 0);
    std::unique_lock lock(mutex_);
    if (look > now)
      poked_.wait_for(lock, std::chrono::microseconds(look - now), [&] { return look_ || ending_; });
    if (ending_) return;
    // Every poke may be about a hint; one look a quarter of a second later costs nothing.
    if (std::exchange(look_, false) && hints_at == 0) hints_at = rt::monotonic_us() + kHintDelayUs;
  }
}

// What is forgotten goes; and, once, what an agent before us has left: containers of this state directory
// that nobody has adopted since.
void ContainerDriver::clean() {
  const auto sweep_at =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_.sweep_after.ms);
  bool swept = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto ready = [&] { return ending_ || !forgotten_.empty(); };
    if (swept) {
      garbage_.wait(lock, ready);
    } else if (!garbage_.wait_until(lock, sweep_at, ready)) {
      swept = true;
      lock.unlock();
      sweep(cleaning_engine_);
      lock.lock();
      continue;
    }
    if (ending_) return;
    Garbage garbage = std::move(forgotten_.front());
    forgotten_.pop_front();
    lock.unlock();
    const bool gone = remove(cleaning_engine_, garbage);
    lock.lock();
    if (gone || ++garbage.attempts >= kForgetAttempts) continue;  // the next agent's sweep has it
    garbage_.wait_for(lock, std::chrono::milliseconds(patience_.retry_max.ms), [&] { return ending_; });
    forgotten_.push_back(std::move(garbage));
  }
}

bool ContainerDriver::remove(Engine& engine, const Garbage& garbage) {
  auto removed = engine.remove_container(container_name(garbage.token));
  for (const auto& volume : garbage.volumes)
    if (removed) removed = engine.remove_volume(volume);
  if (!removed) {
    const std::lock_guard lock(mutex_);
    if (ending_) return false;
    log::warning("container_not_removed", {{"token", garbage.token}, {"error", removed.error().message}});
    return false;
  }
  // Nothing is there where the engine chose the group.
  return remove_cgroup("/stoker/" + garbage.token);
}

void ContainerDriver::sweep(Engine& engine) {
  const auto listed = engine.list_containers("stoker.state=" + shared_.options.state_dir);
  if (!listed) return;
  for (const auto& one : *listed) {
    if (!wire::is_token(one.token)) continue;
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
      if (known_.contains(one.token)) continue;
    }
    log::warning("container_of_no_run_removed", {{"token", one.token}});
    (void)remove(engine, {.token = one.token, .volumes = {}});
  }
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::unique_ptr<Driver> create_container_driver(ContainerOptions options, NewsSink& news,
                                                const ContainerPatience& patience) {
  return std::make_unique<ContainerDriver>(std::move(options), news, patience);
}

std::unique_ptr<Driver> create_container_driver(ContainerOptions options, NewsSink& news) {
  return create_container_driver(std::move(options), news, ContainerPatience{});
}

Result<std::string> probe_container_engine(const std::string& setting) {
  if (setting == "none") return fail(Code::NotFound, "containers are switched off");
  std::vector<std::string> candidates;
  if (setting == "auto") {
    // Other machines' engines would not see this machine's files and GPUs: only sockets count.
    if (const auto host = variable("DOCKER_HOST"); host.starts_with("unix://"))
      candidates.push_back(host.substr(7));
    candidates.emplace_back("/var/run/docker.sock");
    candidates.emplace_back("/run/podman/podman.sock");
    if (const auto runtime = variable("XDG_RUNTIME_DIR"); !runtime.empty())
      candidates.push_back(runtime + "/podman/podman.sock");
  } else {
    candidates.push_back(setting.starts_with("unix:") ? setting.substr(setting.starts_with("unix://") ? 7 : 5)
                                                      : setting);
  }
  const auto end = rt::monotonic_us() + static_cast<std::uint64_t>(kProbeMost.ms) * 1000;
  std::string tried;
  for (const auto& socket : candidates) {
    const auto now = rt::monotonic_us();
    std::string why = "no such file";
    if (now >= end) {
      why = "no time left to ask";
    } else if (rt::file_exists(socket)) {
      const auto answer =
          Engine(socket).ping(milliseconds(static_cast<std::int64_t>((end - now) / 1000) + 1));
      if (answer) return socket;
      why = answer.error().message;
    }
    tried += (tried.empty() ? "" : "; ") + socket + ": " + why;
  }
  return fail(Code::NotFound, "no container engine answers (" + tried + ")");
}

}  // namespace stoker::agent
