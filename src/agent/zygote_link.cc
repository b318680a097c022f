#include "agent/zygote_link.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "supervisor/protocol.h"

extern char** environ;

namespace stoker::agent {
namespace {

constexpr int kSendBufferBytes = 1 << 20;
// The number that the zygote's end of the socket has in it.
constexpr int kZygoteSocket = 3;

Result<pid_t> spawn_zygote(const std::string& program, const std::string& state_dir, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A duplicate onto its own number would keep close-on-exec; the library clears it in that case.
  posix_spawn_file_actions_adddup2(&actions, socket, kZygoteSocket);
  std::string number = std::to_string(kZygoteSocket);
  std::string name = program;
  std::string dir = state_dir;
  char* arguments[] = {name.data(), number.data(), dir.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return fail_errno("starting " + program);
  }
  return pid;
}

}  // namespace

ZygoteLink::~ZygoteLink() {
  close();
}

// At the socket's end the zygote goes by itself; waiting shortly for it leaves no zombie behind.
void ZygoteLink::close() {
  socket_.reset();
  if (pid_ <= 0) return;
  for (int i = 0; i < 200 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) ::usleep(1'000);
  pid_ = -1;
}

bool ZygoteLink::is_busy(const std::string& state_dir) {
  auto lock = rt::open_file(state_dir + '/' + supervisor::kZygoteLockFile, O_RDWR | O_CREAT, 0600);
  return lock && supervisor::is_locked(lock->get());
}

Result<void> ZygoteLink::start(int patience_ms) {
  close();
  const std::uint64_t give_up = rt::monotonic_us() + static_cast<std::uint64_t>(patience_ms) * 1000;
  while (is_busy(state_dir_)) {
    if (rt::monotonic_us() > give_up)
      return fail(Code::Unavailable, "an earlier supervisor process does not go away");
    ::usleep(1'000);
  }
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail_errno("making a socket");
  rt::UniqueFd ours(ends[0]);
  const rt::UniqueFd theirs(ends[1]);
  ::setsockopt(ours.get(), SOL_SOCKET, SO_SNDBUF, &kSendBufferBytes, sizeof kSendBufferBytes);
  pid_ = TRY(spawn_zygote(program_, state_dir_, theirs.get()));
  pollfd ready = {ours.get(), POLLIN, 0};
  char word = 0;
  // While `theirs` is open here the socket has no end; so its death shows only in this wait.
  const int wait = ::poll(&ready, 1, 10'000);
  if (wait <= 0 || ::recv(ours.get(), &word, 1, MSG_DONTWAIT) != 1 || word != 'R') {
    ::kill(pid_, SIGKILL);
    return fail(Code::Unavailable, program_ + " did not become ready");
  }
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  socket_ = std::move(ours);
  log::info("zygote_started", {{"pid", static_cast<std::int64_t>(pid_)}});
  flush();
  return {};
}

void ZygoteLink::send(std::string message) {
  backlog_.push_back(std::move(message));
  flush();
}

void ZygoteLink::flush() {
  while (socket_ && !backlog_.empty()) {
    const std::string& message = backlog_.front();
    const ssize_t sent = ::send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;  // full: later; gone: receive() says so
    backlog_.pop_front();
  }
}

bool ZygoteLink::receive(std::vector<std::string>& not_forked) {
  char message[1 + supervisor::kTokenBytes];
  for (;;) {
    const ssize_t bytes = ::recv(socket_.get(), message, sizeof message, 0);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (bytes <= 0) {
      close();
      return false;
    }
    if (bytes == sizeof message && message[0] == 'F')
      not_forked.emplace_back(message + 1, supervisor::kTokenBytes);
  }
}

}  // namespace stoker::agent
