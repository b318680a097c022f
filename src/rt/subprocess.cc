#include "rt/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "rt/clock.h"

namespace stoker::rt {
namespace {

// Between looks at a child where the kernel cannot tell us by a pidfd.
constexpr int kPollMs = 5;
// After the program's end its output may still be held open by what it left behind: what is there is taken,
// no more.
constexpr std::size_t kReadBytes = 64u << 10;

std::int64_t now_ms() {
  return static_cast<std::int64_t>(monotonic_us() / 1000);
}

// Owns the two attribute objects of posix_spawn and the copies of descriptors that are in the way.
class Plan {
 public:
  Plan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~Plan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  void prepare(const Spawn& options) {
    const int first_free = 3 + static_cast<int>(options.passed.size());
    if (options.input >= 0) {
      ::posix_spawn_file_actions_adddup2(&actions_, move_away(options.input, first_free), 0);
    } else {
      ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    }
    stream(1, move_away(options.output, first_free));
    stream(2, move_away(options.errors, first_free));
    // Two passes, since a later source may have a number that an earlier target takes.
    std::vector<int> sources;
    for (const int fd : options.passed) sources.push_back(move_away(fd, first_free));
    for (std::size_t i = 0; i < sources.size(); ++i)
      ::posix_spawn_file_actions_adddup2(&actions_, sources[i], 3 + static_cast<int>(i));
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first_free);
    if (!options.directory.empty())
      ::posix_spawn_file_actions_addchdir_np(&actions_, options.directory.c_str());

    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (options.new_session) flags |= POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  // A descriptor below the targets would be overwritten before it is used: a copy above them stands for it.
  int move_away(int fd, int first_free) {
    if (fd < 0 || fd >= first_free) return fd;
    copies_.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, first_free));
    return copies_.back().get();
  }
  void stream(int target, int source) {
    if (source == kNull) ::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_WRONLY, 0);
    if (source >= 0) ::posix_spawn_file_actions_adddup2(&actions_, source, target);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<UniqueFd> copies_;
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  // posix_spawn takes char* for history's sake and does not write.
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// One captured stream.
struct Sink {
  UniqueFd fd;
  std::string* text;
  std::size_t bytes_max;
  bool truncated = false;

  // Takes what is there now. Closes at the end of the stream.
  void drain(std::span<char> buffer) {
    while (fd) {
      const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return fd.reset();
      const auto size = static_cast<std::size_t>(got);
      const std::size_t room = std::min(size, bytes_max - text->size());
      text->append(buffer.data(), room);
      truncated = truncated || room < size;
      // A program that writes without end must not keep us from the deadline.
      if (size < buffer.size()) return;
      if (truncated) return;
    }
  }
};

void poll_sinks(std::array<Sink, 2>& sinks, const Child& child, std::int64_t left_ms) {
  std::array<pollfd, 3> fds{};
  for (std::size_t i = 0; i < 2; ++i) fds[i] = {.fd = sinks[i].fd.get(), .events = POLLIN, .revents = 0};
  fds[2] = {.fd = child.fd(), .events = POLLIN, .revents = 0};
  const std::int64_t step = child.fd() >= 0 ? 60'000 : kPollMs;
  ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp<std::int64_t>(left_ms, 0, step)));
}

}  // namespace

std::string own_program() {
  std::string path(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return path;
}

Result<Child> Child::spawn(const Spawn& options) {
  if (options.argv.empty() || options.argv[0].empty())
    return fail(Code::InvalidArgument, "no program to start");
  Plan plan;
  plan.prepare(options);
  const std::vector<char*> argv = pointers(options.argv);
  std::vector<char*> environment;
  if (options.environment) environment = pointers(*options.environment);
  pid_t pid = 0;
  const int refusal = ::posix_spawnp(&pid, argv[0], plan.actions(), plan.attributes(), argv.data(),
                                     options.environment ? environment.data() : ::environ);
  if (refusal != 0) {
    errno = refusal;
    auto error = fail_errno("starting " + options.argv[0]);
    if (refusal == ENOENT || refusal == ENOTDIR) error.error().code = Code::NotFound;
    return error;
  }
  UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return Child(pid, std::move(fd));
}

bool Child::reap() {
  int status = 0;
  pid_t got = 0;
  do {
    got = ::waitpid(pid_, &status, WNOHANG);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return false;
  ASSERT(got == pid_, "a child was reaped by someone else");
  if (WIFSIGNALED(status)) {
    exit_ = Exit{.status = 0, .signal = WTERMSIG(status)};
  } else {
    exit_ = Exit{.status = WEXITSTATUS(status), .signal = 0};
  }
  return true;
}

std::optional<Exit> Child::wait(Duration most) {
  const std::int64_t end = now_ms() + most.ms;
  while (!exit_ && !reap()) {
    const std::int64_t left = end - now_ms();
    if (left <= 0) return std::nullopt;
    pollfd ended{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    ::poll(&ended, 1, static_cast<int>(std::min<std::int64_t>(left, fd_ ? 60'000 : kPollMs)));
  }
  return exit_;
}

void Child::kill(int signal) {
  if (!exit_) ::kill(pid_, signal);
}

void Child::kill_group(int signal) {
  if (!exit_) ::kill(-pid_, signal);
}

Result<Pipe> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return fail_errno("pipe");
  return Pipe{.read = UniqueFd(fds[0]), .write = UniqueFd(fds[1])};
}

Result<Captured> capture(Spawn options, CaptureLimits limits) {
  Captured captured;
  Pipe output = TRY(make_pipe());
  Pipe errors = TRY(make_pipe());
  for (const int fd : {output.read.get(), errors.read.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  options.output = output.write.get();
  options.errors = errors.write.get();
  options.new_session = true;
  Child child = TRY(Child::spawn(options));
  output.write.reset();
  errors.write.reset();

  std::array<Sink, 2> sinks{Sink{std::move(output.read), &captured.output, limits.bytes_max},
                            Sink{std::move(errors.read), &captured.errors, limits.bytes_max}};
  std::vector<char> buffer(kReadBytes);
  const std::int64_t end = now_ms() + limits.most.ms;
  for (;;) {
    // First the end, then the output: what it wrote before its end is in the pipe by then. What it left
    // behind may hold the pipe open for ever, so the end of the stream is not waited for.
    const std::optional<Exit> exit = child.wait(Duration{});
    for (Sink& sink : sinks) sink.drain(buffer);
    captured.truncated = sinks[0].truncated || sinks[1].truncated;
    if (exit) {
      captured.exit = *exit;
      return captured;
    }
    const std::int64_t left = end - now_ms();
    if (left <= 0) break;
    poll_sinks(sinks, child, left);
  }
  child.kill_group(SIGKILL);
  child.wait(minutes(1));
  return fail(Code::Unavailable,
              options.argv[0] + " took longer than " + std::to_string(limits.most.ms) + " ms and was killed");
}

}  // namespace stoker::rt
