#include "agent/container_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "agent/container_cgroup.h"
#include "base/text.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kReasonBytesMax = 1024;
constexpr std::uint64_t kHintEveryUs = 250'000;
constexpr std::uint64_t kSignalAgainUs = 5'000'000;  // SIGKILL is repeated, a failed signal sooner
constexpr std::uint64_t kSignalRetryUs = 500'000;
constexpr std::uint64_t kStreamedWellUs =
    5'000'000;                     // a stream that lasted so long is taken up again at once
constexpr int kRestAttempts = 20;  // for the end of the log of a container that has ended
constexpr int kBeginAttempts = 3;
constexpr int kKilled = 137;  // 128 + SIGKILL
constexpr std::string_view kMemoryKill = "OutOfMemoryError: Container killed due to memory usage";

std::string begun_file(const std::string& dir) {
  return dir + "/container.json";
}
std::string stop_file(const std::string& dir) {
  return dir + "/stop";
}

std::string boot_id() {
  const auto text = rt::read_file("/proc/sys/kernel/random/boot_id", 4096);
  return text ? std::string(trim(*text)) : std::string();
}

// When the machine began to run, by the wall clock; 0 when unknown.
Instant boot_time() {
  const auto text = rt::read_file("/proc/uptime", 4096);
  if (!text) return {};
  const auto uptime = parse_double(std::string_view(*text).substr(0, text->find(' ')));
  return uptime ? rt::now() - milliseconds(static_cast<std::int64_t>(*uptime * 1000)) : Instant{};
}

bool is_definite(const Error& error) {
  return error.code == Code::NotFound;
}

std::string bounded(std::string text) {
  if (text.size() > kReasonBytesMax) text = to_valid_utf8(std::string_view(text).substr(0, kReasonBytesMax));
  return text;
}

}  // namespace

ContainerRun::ContainerRun(RunSpec spec, Begin begin, ContainerShared& shared)
    : spec_(std::move(spec)),
      begin_(begin),
      name_(container_name(spec_.run.token)),
      shared_(shared),
      engine_(shared.options.socket) {}

void ContainerRun::work() {
  const auto ended = live();
  {
    const std::lock_guard lock(mutex_);
    live_ = false;
  }
  if (ended && ended->never_began)
    shared_.news.push(RunNeverBegan{spec_.run.token});
  else if (ended)
    shared_.news.push(RunEnded{.token = spec_.run.token, .started_at = ended->started_at, .end = ended->end});
  finished_ = true;
  shared_.poke();
}

void ContainerRun::quit() {
  {
    const std::lock_guard lock(mutex_);
    quitting_ = true;
  }
  wake_.notify_all();
  engine_.interrupt();  // counts for the next call too, so it cannot come too early
}

void ContainerRun::request_stop(Duration grace) {
  const auto at = rt::monotonic_us() + static_cast<std::uint64_t>(std::max<std::int64_t>(0, grace.ms)) * 1000;
  {
    const std::lock_guard lock(mutex_);
    kill_at_us_ = std::min(kill_at_us_.value_or(at), at);
  }
  wake_.notify_all();
  shared_.poke();
}

ContainerRun::Signal ContainerRun::due_signal(std::uint64_t now_us) {
  const std::lock_guard lock(mutex_);
  if (!live_ || !kill_at_us_) return Signal::None;
  if (now_us >= *kill_at_us_ && now_us >= next_try_us_) {
    next_try_us_ = now_us + kSignalAgainUs;
    return Signal::Kill;
  }
  if (!terminated_ && now_us >= next_try_us_) {
    terminated_ = true;
    return Signal::Terminate;
  }
  return Signal::None;
}

std::optional<std::uint64_t> ContainerRun::next_signal_us() const {
  const std::lock_guard lock(mutex_);
  if (!live_ || !kill_at_us_) return std::nullopt;
  return terminated_ ? std::max(*kill_at_us_, next_try_us_) : next_try_us_;
}

void ContainerRun::signal_failed(Signal signal) {
  const std::lock_guard lock(mutex_);
  if (signal == Signal::Terminate) terminated_ = false;
  next_try_us_ = rt::monotonic_us() + kSignalRetryUs;
}

bool ContainerRun::pause(Duration most) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, std::chrono::milliseconds(most.ms), [&] { return quitting_; });
  return !quitting_;
}

bool ContainerRun::stop_requested() const {
  const std::lock_guard lock(mutex_);
  return kill_at_us_.has_value();
}

ContainerRun::Outcome ContainerRun::not_started(std::string reason) const {
  Outcome out;
  out.end = {.at = rt::now(), .exit_code = {}, .reason = bounded(std::move(reason)), .started = false};
  return out;
}

ContainerRun::Outcome ContainerRun::lost(std::string reason) const {
  Outcome out;
  out.end = {.at = rt::now(),
             .exit_code = {},
             .reason = bounded(std::move(reason)),
             .started = true,
             .node_failure = true};
  return out;
}

bool ContainerRun::other_boot() const {
  const auto text = rt::read_file(begun_file(spec_.dir), 64u << 10);
  if (!text) return false;
  const auto saved = json::parse(*text);
  return saved && json::get_string(*saved, "boot") != boot_id();
}

// The first question to the engine. Before a run has begun an engine may be away for a while only.
Result<EngineInfo> ContainerRun::engine_info() {
  const auto began = rt::monotonic_us();
  Duration wait = shared_.patience.retry_min;
  for (bool said = false;; said = true) {
    auto info = engine_.info();
    if (info) return info;
    const auto waited = milliseconds(static_cast<std::int64_t>((rt::monotonic_us() - began) / 1000));
    if (begin_ == Begin::Start && (waited >= shared_.patience.engine_outage || stop_requested())) return info;
    if (!said) {
      log::warning("container_engine_silent", {{"token", spec_.run.token}, {"error", info.error().message}});
      shared_.news.push(
          RunProgressed{spec_.run.token, "waiting for the container engine: " + info.error().message});
    }
    if (!pause(wait)) return info;
    wait = std::min(wait * 2, shared_.patience.retry_max);
  }
}

// Patient: the container may well run while the engine does not answer. NotFound is definite; Unavailable
// means that the agent ends.
Result<ContainerState> ContainerRun::inspect() {
  const auto began = rt::monotonic_us();
  Duration wait = shared_.patience.retry_min;
  for (;;) {
    auto state = engine_.inspect_container(name_);
    if (state || is_definite(state.error())) return state;
    const bool refused = state.error().code != Code::Unavailable;
    const auto waited = milliseconds(static_cast<std::int64_t>((rt::monotonic_us() - began) / 1000));
    if (refused && waited >= shared_.patience.refusals) {
      state.error().code = Code::NotFound;
      return state;
    }
    if (!pause(wait)) return fail(Code::Unavailable, "the agent ends");
    wait = std::min(wait * 2, shared_.patience.retry_max);
  }
}

ContainerRun::Ended ContainerRun::live() {
  if (begin_ == Begin::Adopt) {
    // Also when the request reached the agent that is gone.
    if (const auto grace = rt::read_file(stop_file(spec_.dir), 4096))
      request_stop(milliseconds(parse_int(trim(*grace)).value_or(0)));
  }
  auto info = engine_info();
  if (!info) {
    if (!pause({})) return std::nullopt;
    return not_started("CannotCreateContainerError: the container engine does not answer: " +
                       info.error().message);
  }
  info_ = *std::move(info);
  return begin_ == Begin::Adopt ? adopt_or_start() : begin();
}

// A run of an earlier agent: what it was doing when it died is read from the engine and from container.json,
// which is written before the engine is asked to start.
ContainerRun::Ended ContainerRun::adopt_or_start() {
  const bool begun = rt::file_exists(begun_file(spec_.dir));
  const auto state = inspect();
  if (!state && state.error().code == Code::Unavailable) return std::nullopt;
  if (!state) {
    if (begun) return lost("CannotInspectContainerError: " + state.error().message);
    if (stop_requested()) return not_started("stopped before it began");
    Outcome never;
    never.never_began = true;
    return never;
  }
  if (begun && other_boot()) {
    // An end that the engine has recorded before the machine went down is the true one.
    const auto booted = boot_time();
    if (!state->created && !state->running && state->finished_at && state->started_at <= state->finished_at &&
        booted && state->finished_at < booted)
      return follow_to_end();
    if (!state->running) return lost("the node was restarted");
  }
  return state->created ? start_created() : follow_to_end();
}

ContainerRun::Ended ContainerRun::begin() {
  const ImagePuller::Waiter waiter{
      .on_progress =
          [&](const std::string& text) { shared_.news.push(RunProgressed{spec_.run.token, text}); },
      .gave_up =
          [&] {
            const std::lock_guard lock(mutex_);
            return quitting_ || kill_at_us_.has_value();
          }};
  // An engine that is restarted meanwhile costs another try, not the run.
  for (int attempt = 1;; ++attempt) {
    const auto pulled = shared_.puller.ensure(engine_, spec_.run.image, waiter);
    if (!pause({})) return std::nullopt;
    if (stop_requested()) return not_started("stopped before it began");
    if (pulled) shared_.images.used(spec_.run.image);
    const auto created = pulled ? create() : pulled;
    if (!pause({})) return std::nullopt;
    if (created) break;
    const bool again = created.error().code == Code::Unavailable && attempt < kBeginAttempts;
    if (!again || !engine_info())
      return not_started((pulled ? "CannotCreateContainerError: " : "CannotPullContainerError: ") +
                         created.error().message);
  }
  return start_created();
}

// Makes the container, or finds that it is there: a lost answer and a repeated request look the same.
Result<void> ContainerRun::create() {
  NodeFacts facts;
  facts.engine = info_;
  if (!spec_.gpus.empty()) facts.cdi_devices = cdi_gpus(cdi_directories());
  if (wants_fresh_cdi(spec_.gpus, info_, facts.cdi_devices)) {
    const std::lock_guard one_at_a_time(shared_.cdi);
    if (const auto refreshed = refresh_cdi(); !refreshed)
      log::warning("cdi_not_refreshed", {{"token", spec_.run.token}, {"error", refreshed.error().message}});
    facts.cdi_devices = cdi_gpus(cdi_directories());
  }
  facts.node = shared_.options.node;
  facts.state_dir = shared_.options.state_dir;
  facts.rlimits_max = own_rlimits_max();
  const auto plan = TRY(plan_container(spec_, facts));
  for (const auto& mount : plan.mounts)
    // As Batch has it, a missing folder of the node is made. When we may not, the engine says what is wrong.
    if (mount.bind && !rt::file_exists(mount.source)) (void)rt::make_directories(mount.source);
  for (const auto& volume : own_volumes(spec_)) TRY(engine_.create_volume(volume, spec_.run.token));
  const auto dialect = dialect_of(plan, info_);
  const auto body = dialect == Engine::Dialect::Libpod ? to_libpod(plan) : to_docker(plan);
  const auto created = engine_.create_container(name_, body, dialect);
  if (created) return {};
  if (!pause({})) return created;
  // The name in use is Conflict with one engine and something else with another: look.
  const auto state = engine_.inspect_container(name_);
  if (state && state->label("stoker.token") == spec_.run.token) return {};
  return created;
}

// The container is there and was not started, as far as we know. Starting twice would run the job twice,
// since an engine starts an ended container again: so whenever there is doubt, look first and wait a little.
ContainerRun::Ended ContainerRun::start_created() {
  const auto boot = json::write(json::Object{{"boot", boot_id()}});
  const bool in_doubt = rt::file_exists(begun_file(spec_.dir));
  if (in_doubt && !pause(shared_.patience.start_in_doubt)) return std::nullopt;
  const auto began = rt::monotonic_us();
  for (;;) {
    const auto state = inspect();
    if (!state && state.error().code == Code::Unavailable) return std::nullopt;
    if (!state) return not_started("CannotStartContainerError: " + state.error().message);
    if (!state->created) return follow_to_end();
    if (stop_requested()) {
      (void)engine_.remove_container(name_);
      return not_started("stopped before it began");
    }
    if (const auto noted =
            rt::write_file_atomically(begun_file(spec_.dir), boot, {.mode = 0600, .durable = false});
        !noted)
      return not_started("CannotStartContainerError: " + noted.error().message);
    const auto started = engine_.start_container(name_);
    if (started) return follow_to_end();
    if (!pause({})) return std::nullopt;
    const auto waited = milliseconds(static_cast<std::int64_t>((rt::monotonic_us() - began) / 1000));
    if (started.error().code != Code::Unavailable || waited >= shared_.patience.engine_outage) {
      // Whatever there is of it must not come to life later.
      if (const auto removed = engine_.remove_container(name_); !removed)
        log::warning("container_not_removed",
                     {{"token", spec_.run.token}, {"error", removed.error().message}});
      return not_started("CannotStartContainerError: " + started.error().message);
    }
    if (!pause(shared_.patience.start_in_doubt)) return std::nullopt;
  }
}

// It was started: its log, until it has ended and the log is read to the end.
ContainerRun::Ended ContainerRun::follow_to_end() {
  auto state = inspect();
  if (!state && state.error().code == Code::Unavailable) return std::nullopt;
  if (!state) return lost("CannotInspectContainerError: " + state.error().message);
  if (state->started_at) shared_.news.push(RunBegan{spec_.run.token, state->started_at});
  {
    const std::lock_guard lock(mutex_);
    live_ = true;
  }
  shared_.poke();
  auto log = ContainerLog::open(spec_.dir, spec_.run.log_bytes_max);
  if (!log)
    log::error("container_log_unwritable", {{"token", spec_.run.token}, {"error", log.error().message}});
  Duration wait = shared_.patience.retry_min;
  while (state->running) {
    const auto began = rt::monotonic_us();
    if (log) {
      follow_log(**log);
    } else {
      (void)engine_.wait_container(name_);
    }
    if (!pause({})) return std::nullopt;
    state = inspect();
    if (!state && state.error().code == Code::Unavailable) return std::nullopt;
    if (!state) return lost("CannotInspectContainerError: " + state.error().message);
    if (!state->running) break;
    if (rt::monotonic_us() - began > kStreamedWellUs) wait = shared_.patience.retry_min;
    if (!pause(wait)) return std::nullopt;
    wait = std::min(wait * 2, shared_.patience.retry_max);
  }
  if (log) read_rest(**log);
  if (!pause({})) return std::nullopt;
  return conclude(*state);
}

Result<void> ContainerRun::read_log(ContainerLog& log, Engine::LogQuery query) {
  query.since = log.since();
  log.begin();
  Result<void> fed;
  auto read = engine_.read_logs(name_, query, [&](std::string_view bytes) {
    auto grew = log.feed(rt::now(), bytes);
    if (!grew) fed = std::unexpected(std::move(grew).error());
    if (grew && *grew) hint();
    return fed.has_value();
  });
  return read && !fed ? fed : read;
}

// Until the engine closes the stream. Where the log cannot be followed, the end at least is waited for.
void ContainerRun::follow_log(ContainerLog& log) {
  const auto read = read_log(log, {.follow = true});
  if (read || read.error().code == Code::Unavailable || is_definite(read.error())) return;
  log::warning("container_log_unreadable", {{"token", spec_.run.token}, {"error", read.error().message}});
  if (pause({})) (void)engine_.wait_container(name_);
}

// A stream that was followed may end before its last lines have come.
void ContainerRun::read_rest(ContainerLog& log) {
  Duration wait = shared_.patience.retry_min;
  for (int attempt = 1;; ++attempt) {
    const auto read = read_log(log, {.follow = false});
    if (read) break;
    if (read.error().code != Code::Unavailable || attempt == kRestAttempts) {
      log.note(rt::now(), "[the rest of this log could not be read: " + read.error().message + "]");
      break;
    }
    if (!pause(wait)) return;
    wait = std::min(wait * 2, shared_.patience.retry_max);
  }
  log.save();
  shared_.news.push(LogGrew{spec_.run.token});
}

bool ContainerRun::was_memory_kill(const ContainerState& state) const {
  if (state.exit_code == 0) return false;
  if (state.oom_killed) return true;
  if (state.exit_code != kKilled || stop_requested()) return false;
  return cgroup_saw_memory_kill(cgroup_parent(info_, spec_.run.token), spec_.run.memory_mib);
}

ContainerRun::Ended ContainerRun::conclude(const ContainerState& state) {
  if (!state.started_at)
    return not_started("CannotStartContainerError: " + (state.error.empty() ? "it never ran" : state.error));
  Outcome out;
  out.started_at = state.started_at;
  out.end.at = std::max(state.finished_at ? state.finished_at : rt::now(), state.started_at);
  if (state.exit_code < 0) {
    out.end.node_failure = true;
    out.end.reason = "the container engine lost sight of the container";
    return out;
  }
  out.end.exit_code = state.exit_code;
  if (was_memory_kill(state)) out.end.reason = kMemoryKill;
  return out;
}

// At most a few a second; the thread that sends signals gives the late ones.
void ContainerRun::hint() {
  const auto now = rt::monotonic_us();
  if (now - hinted_at_ >= kHintEveryUs) {
    hinted_at_ = now;
    shared_.news.push(LogGrew{spec_.run.token});
  } else if (!hint_pending_.exchange(true)) {
    shared_.poke();
  }
}

}  // namespace stoker::agent
