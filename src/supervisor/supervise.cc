#include "supervisor/supervise.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/job.h"
#include "supervisor/output.h"

namespace stoker::supervisor {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
constexpr std::int64_t kQuietMs = 2'000;  // after which an incomplete line is shown
constexpr std::int64_t kLogNewsEveryMs = 200;
constexpr std::int64_t kKillMs = 10'000;         // for all of the job to vanish after SIGKILL
constexpr std::int64_t kPipeEndMs = 1'000;       // for the pipe's end after that: a stranger may hold it open
constexpr std::size_t kPumpBytesMax = 1u << 20;  // in one turn, so that signals are seen in time
constexpr char kOutOfMemory[] = "OutOfMemoryError: Container killed due to memory usage";
constexpr char kStoppedBeforeStart[] = "stopped before it started";

std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}
std::int64_t steady_ms() {
  return read_clock(CLOCK_MONOTONIC);
}
Instant wall_time() {
  return Instant{read_clock(CLOCK_REALTIME)};
}

// The number behind "oom_kill " in the file, 0 when it cannot be read.
std::int64_t oom_kills(const char* file) {
  if (*file == 0) return 0;
  const int fd = ::open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t bytes = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (bytes <= 0) return 0;
  text[bytes] = 0;
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::strtoll(found + 9, nullptr, 10);
}

class Supervisor {
 public:
  Supervisor(const LaunchView& launch, const Inherited& inherited) : launch_(launch), inherited_(inherited) {}

  void run() {
    ::setsid();
    if (!claim()) return;
    if (launch_.in_file && !load_launch())
      return end(false, -1, "CannotStartContainerError: the launch request cannot be read");
    if (read_stop()) return end(false, -1, kStoppedBeforeStart);
    if (!begin()) return;
    while (!job_ended_) wait_and_work();
    clean_up();
    end_of_job();
  }

 private:
  // Takes the run: true for exactly one process, ever. The state file's lock says that a supervisor lives; a
  // state file with content says that one has lived.
  bool claim() {
    run_fd_ = ::open(launch_.run_dir, O_DIRECTORY | O_PATH | O_CLOEXEC);
    if (run_fd_ < 0) return false;
    state_fd_ = ::openat(run_fd_, kStateFile, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat status{};
    if (state_fd_ < 0) {
      tell(NewsKind::Ended);  // the agent sees that nothing was begun
      return false;
    }
    if (!take_lock(state_fd_) || ::fstat(state_fd_, &status) != 0 || status.st_size != 0) return false;
    ::close(inherited_.zygote_lock);
    return true;
  }

  bool load_launch() {
    const int fd = ::openat(run_fd_, kLaunchFile, O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (fd < 0 || ::fstat(fd, &status) != 0) return false;
    const auto bytes = static_cast<std::size_t>(status.st_size);
    if (bytes > kLaunchBytesMax) return false;
    auto* message = static_cast<char*>(std::malloc(bytes + 1));  // lives as long as this process
    if (message == nullptr) return false;
    std::size_t have = 0;
    while (have < bytes) {
      const ssize_t got = ::read(fd, message + have, bytes - have);
      if (got <= 0) break;
      have += static_cast<std::size_t>(got);
    }
    ::close(fd);
    return have == bytes && read_launch(message, bytes, launch_) && !launch_.in_file;
  }

  // The grace of a stop that was asked for.
  bool read_stop() {
    const int fd = ::openat(run_fd_, kStopFile, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    char text[32];
    const ssize_t bytes = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    text[bytes > 0 ? bytes : 0] = 0;
    grace_ms_ = std::strtoll(text, nullptr, 10);
    if (grace_ms_ < 0) grace_ms_ = 0;
    return true;
  }

  bool begin() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction plain{};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &plain, nullptr);  // the zygote ignores it, which would reap the job unseen
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGUSR1, SIGTERM}) ::sigaddset(&signals, signal);
    signal_fd_ = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    int ends[2] = {-1, -1};
    StartFailure failure;
    if (signal_fd_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
      failure = {Step::Pipe, errno};
    } else {
      oom_kills_before_ = oom_kills(launch_.oom_file);
      job_ = start_job(launch_, {inherited_.null_input, ends[1], state_fd_}, begun_ms_, failure);
      ::close(ends[1]);
    }
    if (failure.step != Step::None) {
      if (job_ > 0) ::waitpid(job_, nullptr, 0);
      char reason[kRecordBytesMax];
      const int code = describe_failure(failure, launch_, reason, sizeof reason);
      end(false, code, reason);
      return false;
    }
    output_.emplace(ends[0], launch_.run_dir, launch_.log_bytes_max);
    tell(NewsKind::Began);
    return true;
  }

  void wait_and_work() {
    pollfd waiting[2] = {{signal_fd_, POLLIN, 0}, {output_->pipe(), POLLIN, 0}};
    const std::int64_t now = steady_ms();
    std::int64_t until = std::min(kill_at_, log_news_at_);
    if (output_->has_partial_line()) until = std::min(until, last_output_at_ + kQuietMs);
    const std::int64_t wait = until == kNever ? -1 : std::clamp<std::int64_t>(until - now, 0, 60'000);
    ::poll(waiting, 2, static_cast<int>(wait));
    if (waiting[0].revents != 0) take_signals();
    if (waiting[1].revents != 0 && output_->pump(wall_time(), kPumpBytesMax)) last_output_at_ = steady_ms();
    work_by_time();
  }

  void work_by_time() {
    const std::int64_t now = steady_ms();
    if (output_->has_partial_line() && now >= last_output_at_ + kQuietMs)
      output_->show_partial_line(wall_time());
    if (output_->written() != told_written_ && log_news_at_ == kNever)
      log_news_at_ = last_log_news_ + kLogNewsEveryMs;
    if (now >= log_news_at_) {
      told_written_ = output_->written();
      last_log_news_ = now;
      log_news_at_ = kNever;
      tell(NewsKind::LogGrew);
    }
    if (now >= kill_at_ && !job_ended_) {
      signal_job(job_, SIGKILL);
      kill_at_ = now + 1'000;  // again, until it is gone
    }
  }

  void take_signals() {
    signalfd_siginfo info[8];
    ssize_t bytes = 0;
    bool asked = false;
    while ((bytes = ::read(signal_fd_, info, sizeof info)) > 0)
      for (std::size_t i = 0; i < static_cast<std::size_t>(bytes) / sizeof info[0]; ++i) {
        if (info[i].ssi_signo == SIGUSR1 && read_stop()) asked = true;
        if (info[i].ssi_signo == SIGTERM && !asked) {  // the machine goes down, or somebody means the run
          grace_ms_ = kGraceOfSigtermMs;
          asked = true;
        }
      }
    reap();
    if (asked && !job_ended_) stop();
  }

  void stop() {
    if (!stopping_) signal_job(job_, grace_ms_ == 0 ? SIGKILL : SIGTERM);
    stopping_ = true;
    kill_at_ = std::min(kill_at_, steady_ms() + grace_ms_);
  }

  // Waits for everything that has ended, except the job itself: its pid must stay taken while its group is
  // needed.
  void reap() {
    for (;;) {
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
      if (info.si_pid == job_) {
        job_ended_ = true;
        return;
      }
      ::waitpid(info.si_pid, nullptr, WNOHANG);
    }
  }

  // After the job's own process: what it has written is kept, what it has left behind is killed.
  void clean_up() {
    const Instant now = wall_time();
    output_->pump(now, kPumpBytesMax);
    ::kill(-job_, SIGKILL);
    while (::waitpid(job_, &job_status_, 0) < 0 && errno == EINTR) {
    }
    const std::int64_t give_up = steady_ms() + kKillMs;
    bool left_something = false;
    for (;;) {
      const pid_t reaped = ::waitpid(-1, nullptr, WNOHANG);
      if (reaped > 0) continue;
      if (reaped < 0 && errno == ECHILD) break;
      left_something = true;
      signal_children(SIGKILL);
      pollfd waiting = {signal_fd_, POLLIN, 0};
      ::poll(&waiting, 1, 10);
      drain_signals();
      if (steady_ms() > give_up) break;
    }
    const std::int64_t pipe_end = steady_ms() + kPipeEndMs;
    while (output_->pipe() >= 0) {
      if (output_->pump(now, kPumpBytesMax)) {
        if (steady_ms() > pipe_end) break;
        continue;
      }
      if (output_->pipe() < 0 || !left_something || steady_ms() > pipe_end) break;
      pollfd waiting = {output_->pipe(), POLLIN, 0};
      ::poll(&waiting, 1, 50);
    }
    output_->finish(now);
  }

  void drain_signals() {
    signalfd_siginfo info[8];
    while (::read(signal_fd_, info, sizeof info) > 0) {
    }
  }

  void end_of_job() {
    const int code = WIFSIGNALED(job_status_) ? 128 + WTERMSIG(job_status_) : WEXITSTATUS(job_status_);
    const bool out_of_memory = code != 0 && oom_kills(launch_.oom_file) > oom_kills_before_;
    end(true, code, out_of_memory ? kOutOfMemory : "");
  }

  void end(bool started, int code, const char* reason) {
    char line[kRecordBytesMax];
    const std::size_t bytes = format_ended(line, wall_time().ms, started, code, false, reason);
    (void)!::write(state_fd_, line, bytes);
    tell(NewsKind::Ended);
  }

  void tell(NewsKind kind) const {
    char line[kNewsBytes];
    line[0] = static_cast<char>(kind);
    line[1] = ' ';
    std::memcpy(line + 2, launch_.token, kTokenBytes);
    line[kNewsBytes - 1] = '\n';
    (void)!::write(inherited_.news, line,
                   sizeof line);  // when the fifo is full the agent finds out by itself
  }

  LaunchView launch_;
  Inherited inherited_;
  int run_fd_ = -1;
  int state_fd_ = -1;
  int signal_fd_ = -1;
  pid_t job_ = -1;
  int job_status_ = 0;
  bool job_ended_ = false;
  bool stopping_ = false;
  std::int64_t begun_ms_ = 0;
  std::int64_t grace_ms_ = 0;
  std::int64_t kill_at_ = kNever;
  std::int64_t oom_kills_before_ = 0;
  std::optional<Output> output_;
  std::int64_t last_output_at_ = 0;
  std::uint64_t told_written_ = 0;
  std::int64_t last_log_news_ = 0;
  std::int64_t log_news_at_ = kNever;
};

}  // namespace

void supervise(LaunchView launch, const Inherited& inherited) {
  Supervisor supervisor(launch, inherited);
  supervisor.run();
}

}  // namespace stoker::supervisor
