#pragma once
// Starting a program without a shell, and waiting for it. posix_spawn, so the cost does not grow with our
// memory.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "base/time.h"
#include "rt/fd.h"

namespace stoker::rt {

// The path of the program that runs; "" when the kernel does not tell.
std::string own_program();

// Values of Spawn::output and Spawn::errors besides a descriptor.
constexpr int kNull = -1;     // /dev/null
constexpr int kInherit = -2;  // where our own goes

struct Spawn {
  std::vector<std::string> argv{};  // argv[0] is searched in our PATH when it has no slash
  std::optional<std::vector<std::string>> environment{};  // "NAME=value"; nothing: ours
  std::string directory{};                                // to start in; "": ours
  bool new_session = false;  // a session and process group of its own: kill_group reaches what it starts
  // A descriptor (which stays the caller's) or kNull; output and errors: or kInherit.
  int input = kNull;
  int output = kNull;
  int errors = kNull;
  // The child sees these as 3, 4, ... and none of our other descriptors.
  std::vector<int> passed{};
};

// How a program ended: exactly one of the two is meant.
struct Exit {
  int status = 0;  // of exit(), when signal is 0
  int signal = 0;  // that killed it, or 0
  [[nodiscard]] bool success() const { return status == 0 && signal == 0; }
  bool operator==(const Exit&) const = default;
};

// A started program. Dropping it neither ends nor reaps the program. One thread at a time.
class Child {
 public:
  // NotFound when there is no such program or directory, Io when the system refuses it. The child starts with
  // every signal at its default and none blocked.
  static Result<Child> spawn(const Spawn& options);

  Child(Child&&) noexcept = default;
  Child& operator=(Child&&) noexcept = default;

  [[nodiscard]] pid_t pid() const { return pid_; }
  // How it ended, or nothing when it still runs after `most`. Reaps; may be called again for the same answer.
  std::optional<Exit> wait(Duration most);
  // Nothing is sent after it was reaped, so a reused process id is never hit.
  void kill(int signal);
  void kill_group(int signal);  // for new_session: the program and all it started in its group
  // Readable once it has ended, for poll(2); -1 where the kernel has no pidfd.
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  Child(pid_t pid, UniqueFd fd) : pid_(pid), fd_(std::move(fd)) {}
  bool reap();

  pid_t pid_;
  UniqueFd fd_;
  std::optional<Exit> exit_;
};

struct Captured {
  Exit exit;
  std::string output;
  std::string errors;
  bool truncated = false;  // more came than bytes_max; the rest was read and dropped
};

struct CaptureLimits {
  Duration most = minutes(1);
  std::size_t bytes_max = 1u << 20;  // of each stream
};

// Runs a program to its end and keeps what it says. Unavailable when it takes longer than `most`: then it and
// its group are killed. Always in a session of its own; output and errors of `options` are not looked at.
Result<Captured> capture(Spawn options, CaptureLimits limits = {});

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
Result<Pipe> make_pipe();  // close-on-exec

}  // namespace stoker::rt
