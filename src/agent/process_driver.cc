#include "agent/process_driver.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/host_job.h"
#include "agent/strays.h"
#include "base/assert.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::uint64_t kFifoSerial = 1;
constexpr std::uint64_t kZygoteSerial = 2;
constexpr int kZygotePatienceMs = 30'000;  // at the start; the old one may have a long queue
constexpr int kZygoteRestartPatienceMs = 1'000;
constexpr std::uint64_t kWatchAfterUs = 200'000;  // shorter runs tell their end themselves
constexpr std::uint64_t kSilentAfterUs = 1'000'000;
constexpr std::uint64_t kGiveUpStartUs = 30'000'000;
constexpr std::size_t kStateBytesMax = 16u << 10;
constexpr std::uint32_t kNvidiaMajor = 195;

std::string state_path(const std::string& dir) {
  return dir + '/' + supervisor::kStateFile;
}

supervisor::StateRecords read_state(const std::string& dir) {
  char text[4096];
  const int fd = ::open(state_path(dir).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t bytes = ::read(fd, text, sizeof text);
  ::close(fd);
  return bytes > 0 ? supervisor::parse_state({text, static_cast<std::size_t>(bytes)})
                   : supervisor::StateRecords{};
}

bool supervisor_lives(const std::string& dir) {
  const rt::UniqueFd fd(::open(state_path(dir).c_str(), O_RDWR | O_CLOEXEC));
  return fd && supervisor::is_locked(fd.get());
}

// Writes the run's end where no supervisor will, so that the next agent finds it. False when a supervisor
// lives.
bool record_end(const std::string& dir, Instant at, bool started, bool node_failure,
                const std::string& reason, bool only_if_empty) {
  const rt::UniqueFd fd(::open(state_path(dir).c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd) return true;  // nothing can be kept; what is said now must do
  if (!supervisor::take_lock(fd.get())) return false;
  struct stat status{};
  if (only_if_empty && (::fstat(fd.get(), &status) != 0 || status.st_size != 0)) return false;
  char line[supervisor::kRecordBytesMax];
  const std::size_t bytes = supervisor::format_ended(line, at.ms, started, -1, node_failure, reason.c_str());
  (void)!::write(fd.get(), line, bytes);
  return true;
}

}  // namespace

Result<std::unique_ptr<ProcessDriver>> ProcessDriver::create(Setting setting, Cgroups& cgroups,
                                                             NewsSink& news) {
  std::unique_ptr<ProcessDriver> driver(new ProcessDriver(std::move(setting), cgroups, news));
  TRY(driver->open());
  return driver;
}

Result<void> ProcessDriver::open() {
  const std::string fifo = setting_.state_dir + '/' + supervisor::kNewsFifo;
  if (::mkfifo(fifo.c_str(), 0600) != 0 && errno != EEXIST) return fail_errno("making " + fifo);
  fifo_ = TRY(rt::open_file(fifo, O_RDWR | O_NONBLOCK));
  poll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll_) return fail_errno("making a poll");
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kFifoSerial;
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fifo_.get(), &event) != 0) return fail_errno("polling " + fifo);
  zygote_ = std::make_unique<ZygoteLink>(setting_.supervisor, setting_.state_dir);
  TRY(zygote_->start(kZygotePatienceMs));
  update_interest();
  return {};
}

// The zygote's socket is a new one after each start; adding it is harmless when it is there already.
void ProcessDriver::update_interest() {
  if (!zygote_->running()) return;
  epoll_event event{};
  event.events = EPOLLIN | (zygote_->has_backlog() ? EPOLLOUT : 0U);
  event.data.u64 = kZygoteSerial;
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, zygote_->fd(), &event) != 0 && errno == ENOENT)
    ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, zygote_->fd(), &event);
  wants_output_ = zygote_->has_backlog();
}

// ---- starting ----

Result<std::string> ProcessDriver::prepare(const RunSpec& spec, Run& run) {
  supervisor::LaunchSpec launch = TRY(make_launch(spec));
  const std::string work = spec.dir + '/' + supervisor::kWorkDirectory;
  if (launch.work_dir == work) {
    if (::mkdir(work.c_str(), 0700) != 0 && errno != EEXIST)
      return fail_errno("CannotStartContainerError: making " + work);
    if (launch.switch_user && ::chown(work.c_str(), launch.uid, launch.gid) != 0)
      return fail_errno("CannotStartContainerError: giving away " + work);
  }
  CgroupLimits limits{spec.run.memory_mib, spec.run.cpus_milli, {}};
  for (const GpuDevice& device : setting_.node_gpus) {
    if (device.minor < 0) continue;
    if (std::ranges::find(spec.gpus, device.minor, &GpuDevice::minor) == spec.gpus.end())
      limits.denied_devices.push_back({kNvidiaMajor, static_cast<std::uint32_t>(device.minor)});
  }
  std::ranges::copy(capabilities_.denied(spec.gpus), std::back_inserter(limits.denied_devices));
  auto slot = cgroups_.acquire(limits);
  if (!slot) return fail(slot.error().code, "CannotStartContainerError: " + slot.error().message);
  run.slot = slot->number;
  launch.cgroups = std::move(slot->directories);
  launch.oom_file = std::move(slot->oom_file);
  auto message = supervisor::encode_launch(launch);
  if (!message) return fail(message.error().code, "CannotStartContainerError: " + message.error().message);
  if (message->size() <= supervisor::kInlineLaunchBytesMax) return *std::move(message);
  auto kept = rt::write_file_atomically(spec.dir + '/' + supervisor::kLaunchFile, *message,
                                        {.mode = 0600, .durable = false});
  if (!kept) return fail(kept.error().code, "CannotStartContainerError: " + kept.error().message);
  return supervisor::encode_launch_file(launch);
}

void ProcessDriver::start(RunSpec spec) {
  const wire::Token token = spec.run.token;
  Run run;
  run.dir = spec.dir;
  run.since_us = rt::monotonic_us();
  auto message = prepare(spec, run);
  const auto it = runs_.insert_or_assign(token, std::move(run)).first;
  if (!message)
    return finish(it, rt::now(), {false, {}, message.error().message, false}, Cgroups::Left::Nothing);
  it->second.launch = *std::move(message);
  zygote_->send(it->second.launch);
  if (zygote_->has_backlog() != wants_output_) update_interest();
}

// ---- adopting ----

void ProcessDriver::adopt(RunSpec spec) {
  const wire::Token token = spec.run.token;
  Run run;
  run.dir = spec.dir;
  run.adopted = true;
  run.since_us = rt::monotonic_us();
  const auto it = runs_.insert_or_assign(token, std::move(run)).first;
  supervisor::StateRecords records = read_state(spec.dir);
  if (!records.ended && !setting_.instance_is_new && supervisor_lives(spec.dir)) {
    if (records.begun) {
      it->second.slot = cgroups_.adopt(records.begun->job_pid);
      on_begun(it, *records.begun);
      if (const auto grace = rt::read_file(spec.dir + '/' + supervisor::kStopFile, 64))
        stop(token, seconds(30));
      watch(it);
    } else {
      ++beginning_adopted_;
    }
    return;
  }
  records = read_state(spec.dir);  // the supervisor may have ended between the two looks
  if (records.begun) it->second.started_at = records.begun->at;
  if (records.ended) return check(it);
  if (records.begun) {
    it->second.begun = true;
    it->second.job = records.begun->job_pid;
    return lose(it);
  }
  if (setting_.instance_is_new) return lose(it);  // what was written before the power went may be lost
  runs_.erase(it);
  news_.push(RunNeverBegan{token});
}

// ---- news ----

void ProcessDriver::work() {
  epoll_event events[64];
  const int count = ::epoll_wait(poll_.get(), events, 64, 0);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t serial = events[i].data.u64;
    if (serial == kFifoSerial) {
      take_news();
    } else if (serial == kZygoteSerial) {
      take_zygote_news();
    } else if (const auto known = by_serial_.find(serial); known != by_serial_.end()) {
      if (const auto it = runs_.find(known->second); it != runs_.end()) check_silent(it);
    }
  }
  const std::uint64_t now = rt::monotonic_us();
  if (now - last_tick_us_ >= static_cast<std::uint64_t>(kTickMs) * 1000) {
    last_tick_us_ = now;
    tick();
  }
}

void ProcessDriver::take_news() {
  char text[16 << 10];
  for (;;) {
    const ssize_t bytes = ::read(fifo_.get(), text, sizeof text);
    if (bytes <= 0) break;
    fifo_rest_.append(text, static_cast<std::size_t>(bytes));
    if (static_cast<std::size_t>(bytes) < sizeof text) break;
  }
  std::string_view rest = fifo_rest_;
  for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    const std::string_view line = rest.substr(0, end);
    if (line.size() != supervisor::kNewsBytes - 1) continue;
    const auto it = runs_.find(wire::Token(line.substr(2)));
    if (it == runs_.end()) continue;
    switch (static_cast<supervisor::NewsKind>(line[0])) {
      case supervisor::NewsKind::LogGrew:
        news_.push(LogGrew{it->first});
        break;
      case supervisor::NewsKind::Began:
        check(it);
        break;
      case supervisor::NewsKind::Ended: {
        const wire::Token token = it->first;
        check(it);
        const auto still = runs_.find(token);
        if (still != runs_.end() && !still->second.begun && !supervisor_lives(still->second.dir))
          finish(still, rt::now(),
                 {false, {}, "CannotStartContainerError: the run's state cannot be written", true},
                 Cgroups::Left::Unknown);
        break;
      }
    }
  }
  fifo_rest_.erase(0, fifo_rest_.size() - rest.size());
}

void ProcessDriver::take_zygote_news() {
  std::vector<std::string> not_forked;
  const bool lives = zygote_->receive(not_forked);
  for (const std::string& token : not_forked)
    if (const auto it = runs_.find(token); it != runs_.end() && !it->second.begun)
      finish(it, rt::now(),
             {false, {}, "CannotStartContainerError: the node cannot make another process", true},
             Cgroups::Left::Nothing);
  if (!lives) return restart_zygote();
  zygote_->flush();
  if (zygote_->has_backlog() != wants_output_) update_interest();
}

// Whoever was sent to the old zygote and has left no trace is sent to the new one; a supervisor that finds
// traces of another leaves the run alone, so nothing runs twice.
void ProcessDriver::restart_zygote() {
  log::warning("zygote_lost");
  zygote_->drop_backlog();
  if (auto started = zygote_->start(kZygoteRestartPatienceMs); !started) {
    log::error("zygote_not_started", {{"error", started.error().message}});
    return;  // the tick tries again
  }
  std::vector<wire::Token> open;
  for (const auto& [token, run] : runs_)
    if (!run.begun && !run.launch.empty()) open.push_back(token);
  for (const wire::Token& token : open) {
    const auto it = runs_.find(token);
    check(it);
    const auto still = runs_.find(token);
    if (still != runs_.end() && !still->second.begun && !supervisor_lives(still->second.dir))
      zygote_->send(still->second.launch);
  }
  update_interest();
}

void ProcessDriver::check(Table::iterator it) {
  const supervisor::StateRecords records = read_state(it->second.dir);
  if (records.begun && !it->second.begun && (!records.ended || records.ended->started))
    on_begun(it, *records.begun);
  if (!records.ended) return;
  End end{records.ended->started, records.ended->exit_code, records.ended->reason,
          records.ended->node_failure};
  finish(it, records.ended->at, std::move(end), Cgroups::Left::Nothing);
}

void ProcessDriver::on_begun(Table::iterator it, const supervisor::StateRecords::Begun& begun) {
  Run& run = it->second;
  if (run.beginning) {
    run.beginning = false;
    --beginning_adopted_;
    run.slot = cgroups_.adopt(begun.job_pid);
  }
  run.begun = true;
  run.launch.clear();
  run.launch.shrink_to_fit();
  run.supervisor = begun.supervisor_pid;
  run.job = begun.job_pid;
  run.started_at = begun.at;
  news_.push(RunBegan{it->first, begun.at});
  if (run.stop) signal_supervisor(it->first, run);
}

// Its supervisor has gone, or has said nothing for long.
void ProcessDriver::check_silent(Table::iterator it) {
  const wire::Token token = it->first;
  const bool lives = supervisor_lives(it->second.dir);
  check(it);
  const auto still = runs_.find(token);
  if (still == runs_.end() || lives) return;
  if (still->second.begun) return lose(still);
  // Asked for and not begun: the zygote may still be busy. When it is not, nobody is going to begin it any
  // more, and the record sees to that.
  if (rt::monotonic_us() - still->second.since_us < kGiveUpStartUs || !zygote_->running()) return;
  const std::string reason = "CannotStartContainerError: the supervisor of the run did not start";
  if (record_end(still->second.dir, rt::now(), false, true, reason, true))
    finish(still, rt::now(), {false, {}, reason, true}, Cgroups::Left::Unknown);
}

void ProcessDriver::tick() {
  if (!zygote_->running()) restart_zygote();
  const std::uint64_t now = rt::monotonic_us();
  std::vector<wire::Token> silent;
  for (auto it = runs_.begin(); it != runs_.end(); ++it) {
    const Run& run = it->second;
    if (run.process) continue;
    if (run.begun ? now - run.since_us > kWatchAfterUs : (run.adopted || now - run.since_us > kSilentAfterUs))
      silent.push_back(it->first);
  }
  for (const wire::Token& token : silent) {
    const auto it = runs_.find(token);
    if (it->second.begun) watch(it);
    const auto still = runs_.find(token);
    if (still != runs_.end() && !still->second.process) check_silent(still);
  }
}

// From now on the supervisor's end shows in the poll, whatever becomes of its news.
void ProcessDriver::watch(Table::iterator it) {
  Run& run = it->second;
  if (run.process || run.supervisor <= 0) return;
  rt::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, run.supervisor, 0)));
  // The lock says that the process of that number is still the supervisor.
  if (!process || !supervisor_lives(run.dir)) return;
  run.serial = next_serial_++;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = run.serial;
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, process.get(), &event) != 0) return;
  by_serial_.emplace(run.serial, it->first);
  run.process = std::move(process);
}

// ---- ends ----

void ProcessDriver::lose(Table::iterator it) {
  Run& run = it->second;
  const std::string reason = setting_.instance_is_new && run.adopted
                                 ? "The node was restarted while the run was under way"
                                 : "The supervisor of the run was killed";
  if (!record_end(run.dir, rt::now(), run.begun, true, reason, false)) return;
  // A session's number may have been taken over by strangers while no agent was looking.
  const int killed = kill_strays(run.adopted ? -1 : run.job, it->first);
  log::warning("run_lost", {{"token", it->first}, {"strays_killed", killed}});
  finish(it, rt::now(), {run.begun, {}, reason, true}, Cgroups::Left::Unknown);
}

void ProcessDriver::finish(Table::iterator it, Instant at, End end, Cgroups::Left left) {
  const wire::Token token = it->first;
  Run& run = it->second;
  if (run.beginning) --beginning_adopted_;
  if (run.slot >= 0) cgroups_.release(run.slot, left);
  if (run.serial != 0) by_serial_.erase(run.serial);
  RunEnded news{token,
                end.started ? run.started_at : Instant{},
                {at, end.exit_code, std::move(end.reason), end.started, end.node_failure}};
  runs_.erase(it);
  news_.push(std::move(news));
}

void ProcessDriver::stop(const wire::Token& token, Duration grace) {
  const auto it = runs_.find(token);
  if (it == runs_.end()) return;
  it->second.stop = it->second.stop ? std::min(*it->second.stop, grace) : grace;
  if (it->second.begun) signal_supervisor(token, it->second);
}

// It reads the grace from the run's stop file. The lock is looked at after the process is held, so that a
// stranger with the same number is never signalled.
void ProcessDriver::signal_supervisor(const wire::Token& token, Run& run) {
  rt::UniqueFd process;
  int fd = run.process.get();
  if (fd < 0) {
    process.reset(static_cast<int>(::syscall(SYS_pidfd_open, run.supervisor, 0)));
    if (!process || !supervisor_lives(run.dir)) return;  // it has ended; the news are on the way
    fd = process.get();
  }
  if (::syscall(SYS_pidfd_send_signal, fd, SIGUSR1, nullptr, 0) != 0 && errno != ESRCH)
    log::error("supervisor_not_signalled",
               {{"token", token}, {"error", fail_errno("signalling").error().message}});
}

void ProcessDriver::forget(const wire::Token&) {}  // everything is in the run's directory

}  // namespace stoker::agent
