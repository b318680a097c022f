#include "supervisor/zygote.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supervisor/supervise.h"

namespace stoker::supervisor {
namespace {

constexpr int kForksMax = 3;  // tries for one supervisor
alignas(8) char g_message[kInlineLaunchBytesMax + 4096];

void prepare_signals() {
  // By the bare system call: the library keeps its hands off two signals that a parent may have ignored, too.
  // All zeros is the default action in the kernel's structure.
  const std::uint64_t plain[4] = {};
  for (int signal = 1; signal < NSIG; ++signal) ::syscall(SYS_rt_sigaction, signal, plain, nullptr, 8);
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  ::sigaction(SIGCHLD, &ignore, nullptr);  // supervisors are reaped by the kernel
  sigset_t blocked;
  ::sigemptyset(&blocked);
  for (const int signal : {SIGCHLD, SIGUSR1, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&blocked, signal);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

int open_in(const std::string& dir, const char* name, int flags) {
  return ::open((dir + '/' + name).c_str(), flags | O_CLOEXEC, 0600);
}

void launch_one(int socket, std::size_t bytes, const Inherited& inherited) {
  LaunchView launch;
  if (!read_launch(g_message, bytes, launch)) return;
  for (int attempt = 0; attempt < kForksMax; ++attempt) {
    const pid_t pid = ::fork();
    if (pid > 0) return;
    if (pid == 0) {
      ::close(socket);
      supervise(launch, inherited);
      ::_exit(0);
    }
    ::usleep(2'000);
  }
  char report[1 + kTokenBytes];
  report[0] = 'F';
  std::memcpy(report + 1, launch.token, kTokenBytes);
  ::send(socket, report, sizeof report, MSG_NOSIGNAL);
}

}  // namespace

int zygote(int socket, const char* state_dir) {
  ::setsid();
  (void)!::chdir("/");
  prepare_signals();
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  Inherited inherited;
  {
    const std::string dir = state_dir;
    inherited.zygote_lock = open_in(dir, kZygoteLockFile, O_RDWR | O_CREAT);
    // Both ends, so that opening never waits and writing never fails for want of an agent.
    inherited.news = open_in(dir, kNewsFifo, O_RDWR | O_NONBLOCK);
    inherited.null_input = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  }
  if (inherited.zygote_lock < 0 || inherited.news < 0 || inherited.null_input < 0) return 1;
  if (!take_lock(inherited.zygote_lock)) return 2;
  ::dup2(inherited.null_input, 0);
  ::dup2(inherited.null_input, 1);
  ::dup2(inherited.null_input, 2);
  if (::send(socket, "R", 1, MSG_NOSIGNAL) != 1) return 3;
  for (;;) {
    const ssize_t bytes = ::recv(socket, g_message, sizeof g_message, 0);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return 0;
    launch_one(socket, static_cast<std::size_t>(bytes), inherited);
  }
}

}  // namespace stoker::supervisor
