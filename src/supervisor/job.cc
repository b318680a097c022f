#include "supervisor/job.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace stoker::supervisor {
namespace {

constexpr std::size_t kPathBytesMax = 4096;
constexpr std::size_t kInlinePointers = 2048;
char g_path[kPathBytesMax];         // of the child, which shares this memory until its exec
char* g_pointers[kInlinePointers];  // argv and envp of ordinary jobs

const char* next_text(const char* text) {
  return text + std::strlen(text) + 1;
}

std::int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

// Joins directory and name in g_path; false when that is too long.
bool join_path(const char* directory, std::size_t directory_bytes, const char* name) {
  const std::size_t name_bytes = std::strlen(name);
  if (directory_bytes + 1 + name_bytes + 1 > kPathBytesMax) return false;
  std::memcpy(g_path, directory, directory_bytes);
  g_path[directory_bytes] = '/';
  std::memcpy(g_path + directory_bytes + 1, name, name_bytes + 1);
  return true;
}

struct Child {
  const LaunchView& launch;
  const JobFiles& files;
  char** arguments;
  char** environment;
  pid_t supervisor;
  std::int64_t& begun_ms;
  StartFailure& failure;

  bool failed(Step step) const {
    failure.step = step;
    failure.error = errno;
    return false;
  }

  // Groups of version 1 by their `tasks`: a thread that moves itself is moved at once, while a write to
  // `cgroup.procs` waits for a moment of rest of every processor, some 10 ms on an idle machine. Version 2
  // has no `tasks`. To this child it is the same, since it has one thread.
  bool enter_cgroups() const {
    const char* cgroup = launch.first_cgroup;
    for (std::uint32_t i = 0; i < launch.cgroup_count; ++i, cgroup = next_text(cgroup)) {
      if (!join_path(cgroup, std::strlen(cgroup), "tasks")) return failed(Step::Cgroup);
      int fd = ::open(g_path, O_WRONLY | O_CLOEXEC);
      if (fd < 0 && errno == ENOENT) {
        if (!join_path(cgroup, std::strlen(cgroup), "cgroup.procs")) return failed(Step::Cgroup);
        fd = ::open(g_path, O_WRONLY | O_CLOEXEC);
      }
      if (fd < 0) return failed(Step::Cgroup);
      const bool entered = ::write(fd, "0", 1) == 1;
      const int error = errno;
      ::close(fd);
      errno = error;
      if (!entered) return failed(Step::Cgroup);
    }
    return true;
  }

  bool set_limits() const {
    for (std::uint32_t i = 0; i < launch.limit_count; ++i) {
      const Limit& limit = launch.limits[i];
      const rlimit64 value{limit.soft, limit.hard};
      if (::prlimit64(0, static_cast<__rlimit_resource>(limit.resource), &value, nullptr) != 0)
        return failed(Step::Limits);
    }
    return true;
  }

  // By bare system calls: the library's versions tell other threads, and this child borrows its parent's
  // memory.
  bool switch_user() const {
    if (!launch.switch_user) return true;
    if (::syscall(SYS_setgroups, launch.group_count, launch.groups) != 0) return failed(Step::User);
    if (::syscall(SYS_setresgid, launch.gid, launch.gid, launch.gid) != 0) return failed(Step::User);
    if (::syscall(SYS_setresuid, launch.uid, launch.uid, launch.uid) != 0) return failed(Step::User);
    return true;
  }

  bool record() const {
    char line[kRecordBytesMax];
    begun_ms = now_ms();
    const std::size_t bytes = format_begun(line, supervisor, ::getpid(), begun_ms);
    if (::write(files.state_file, line, bytes) != static_cast<ssize_t>(bytes)) return failed(Step::Record);
    return true;
  }

  // As execvp does, but with the PATH of the job, and never with a shell for a file that is no program.
  bool execute() const {
    const char* name = arguments[0];
    if (std::strchr(name, '/') != nullptr) {
      ::execve(name, arguments, environment);
      return failed(Step::Exec);
    }
    const char* path = "/usr/local/bin:/usr/bin:/bin";
    for (char** variable = environment; *variable != nullptr; ++variable)
      if (std::strncmp(*variable, "PATH=", 5) == 0) path = *variable + 5;
    bool forbidden = false;
    errno = ENOENT;
    for (const char* part = path; *name != 0; ++part) {
      const char* end = std::strchr(part, ':');
      const std::size_t bytes = end == nullptr ? std::strlen(part) : static_cast<std::size_t>(end - part);
      if (join_path(bytes == 0 ? "." : part, bytes == 0 ? 1 : bytes, name)) {
        ::execve(g_path, arguments, environment);
        if (errno == EACCES) forbidden = true;
        if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) return failed(Step::Exec);
      }
      if (end == nullptr) break;
      part = end;
    }
    errno = forbidden ? EACCES : ENOENT;
    return failed(Step::Exec);
  }

  bool become_job() const {
    if (::setsid() < 0) return failed(Step::Session);
    if (!enter_cgroups() || !set_limits()) return false;
    if (::dup2(files.null_input, 0) < 0 || ::dup2(files.output, 1) < 0 || ::dup2(files.output, 2) < 0)
      return failed(Step::Pipe);
    if (!switch_user()) return false;
    if (::chdir(launch.work_dir) != 0) return failed(Step::WorkDirectory);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor) ::_exit(127);  // it died before the line above
    ::umask(022);
    struct sigaction plain{};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGPIPE, &plain, nullptr);
    ::sigaction(SIGCHLD, &plain, nullptr);
    if (!record()) return false;
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    return execute();
  }
};

char** fill_pointers(char** out, const char* first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i, first = next_text(first)) *out++ = const_cast<char*>(first);
  *out++ = nullptr;
  return out;
}

class Text {
 public:
  Text(char* out, std::size_t bytes) : out_(out), left_(bytes) { *out_ = 0; }
  Text& operator<<(const char* text) {
    while (*text != 0 && left_ > 1) {
      *out_++ = *text++;
      --left_;
    }
    *out_ = 0;
    return *this;
  }

 private:
  char* out_;
  std::size_t left_;
};

// The ppid of /proc/<name>/stat, or -1. The program's name, in parentheses, may hold anything.
pid_t parent_of(int proc, const char* name) {
  char path[64];
  Text(path, sizeof path) << name << "/stat";
  const int fd = ::openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  char text[512];
  const ssize_t bytes = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (bytes <= 0) return -1;
  text[bytes] = 0;
  const char* behind = std::strrchr(text, ')');
  if (behind == nullptr || std::strlen(behind) < 4) return -1;
  return static_cast<pid_t>(std::strtol(behind + 4, nullptr, 10));
}

void signal_children_by_scan(int signal) {
  DIR* proc = ::opendir("/proc");
  if (proc == nullptr) return;
  const pid_t self = ::getpid();
  while (const dirent* entry = ::readdir(proc)) {
    const char* name = entry->d_name;
    if (*name < '1' || *name > '9') continue;
    if (parent_of(::dirfd(proc), name) == self)
      ::kill(static_cast<pid_t>(std::strtol(name, nullptr, 10)), signal);
  }
  ::closedir(proc);
}

}  // namespace

pid_t start_job(const LaunchView& launch, const JobFiles& files, std::int64_t& begun_ms,
                StartFailure& failure) {
  const std::size_t needed = std::size_t{launch.argument_count} + launch.variable_count + 2;
  char** pointers = g_pointers;
  if (needed > kInlinePointers) {
    pointers = static_cast<char**>(std::calloc(needed, sizeof(char*)));
    if (pointers == nullptr) {
      failure = {Step::Fork, ENOMEM};
      return -1;
    }
  }
  char** environment = fill_pointers(pointers, launch.first_argument, launch.argument_count);
  fill_pointers(environment, launch.first_variable, launch.variable_count);
  const Child child{launch, files, pointers, environment, ::getpid(), begun_ms, failure};
  // The child borrows this memory until it executes the job: no page is copied, and its failure is seen here.
  const pid_t pid = ::vfork();
  if (pid == 0) {
    child.become_job();
    ::_exit(127);
  }
  if (pid < 0) failure = {Step::Fork, errno};
  return pid;
}

int describe_failure(const StartFailure& failure, const LaunchView& launch, char* reason,
                     std::size_t reason_bytes) {
  Text out(reason, reason_bytes);
  out << "CannotStartContainerError: ";
  const char* words = ::strerror(failure.error);
  switch (failure.step) {
    case Step::Exec:
      if (failure.error == ENOENT || failure.error == ENOTDIR) {
        out << "command not found: " << launch.first_argument;
        return 127;
      }
      out << "cannot execute " << launch.first_argument << ": " << words;
      return 126;
    case Step::WorkDirectory:
      out << "working directory " << launch.work_dir << ": " << words;
      return -1;
    case Step::User:
      out << "cannot become the user of the job: " << words;
      return -1;
    case Step::Limits:
      out << "cannot set a ulimit: " << words;
      return -1;
    case Step::Cgroup:
      out << "cannot enter the cgroup " << launch.first_cgroup << ": " << words;
      return -1;
    case Step::Fork:
      out << "cannot make a process: " << words;
      return -1;
    case Step::Pipe:
      out << "cannot make a pipe: " << words;
      return -1;
    case Step::Session:
      out << "cannot make a session: " << words;
      return -1;
    case Step::Record:
      out << "cannot write the run's record: " << words;
      return -1;
    case Step::None:
      break;
  }
  out << "unknown cause";
  return -1;
}

void signal_job(pid_t job, int signal) {
  ::kill(-job, signal);
  signal_children(signal);
}

void signal_children(int signal) {
  char path[64];
  char digits[16];
  pid_t pid = ::getpid();
  char* end = digits + sizeof digits - 1;
  *end = 0;
  do *--end = static_cast<char>('0' + pid % 10);
  while ((pid /= 10) > 0);
  Text(path, sizeof path) << "/proc/self/task/" << end << "/children";
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return signal_children_by_scan(signal);
  // A list of numbers; those cut at the end of the buffer are found by the caller's next round.
  static char text[16384];
  const ssize_t bytes = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (bytes <= 0) return;
  text[bytes] = 0;
  for (char* at = text; *at != 0;) {
    char* next = nullptr;
    const long child = std::strtol(at, &next, 10);
    if (next == at || *next == 0) break;
    if (child > 1) ::kill(static_cast<pid_t>(child), signal);
    at = next;
  }
}

}  // namespace stoker::supervisor
