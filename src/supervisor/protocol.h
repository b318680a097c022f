#pragma once
// What the agent and its supervisors say to each other, and what they leave on disk for whoever comes after a
// crash.
//
// Three processes: the agent; the zygote (`stoker-supervisor`, small, one per agent), which does nothing but
// fork; and one supervisor for each run, a fork of the zygote, which starts the job, keeps its log and
// records its end.
//
//   agent → zygote        a launch request (LaunchSpec as bytes), one SEQPACKET message each
//   zygote → agent        'R' when it is ready; 'F' + token when a supervisor could not be forked
//   supervisor → agent    news: fixed-size lines in the state directory's fifo. Hints only: the run's state
//   file
//                         is the truth, and the agent looks at it anyway from time to time
//   agent → supervisor    the file `stop` in the run's directory, then SIGUSR1
//
// A run's directory: `state` (records below; locked by the supervisor as long as it lives), `stop`, `log/`,
// `work/`, `launch` (a request too large for a message).
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace stoker::supervisor {

inline constexpr std::size_t kTokenBytes = 32;
inline constexpr char kStateFile[] = "state";
inline constexpr char kStopFile[] = "stop";
inline constexpr char kLaunchFile[] = "launch";
inline constexpr char kLogDirectory[] = "log";
inline constexpr char kWorkDirectory[] = "work";
inline constexpr char kNewsFifo[] = "news";  // in the state directory
inline constexpr char kZygoteLockFile[] =
    "zygote.lock";  // held by the zygote and by supervisors without a lock yet
inline constexpr std::size_t kInlineLaunchBytesMax = 48u << 10;  // larger requests go through kLaunchFile
inline constexpr std::size_t kLaunchBytesMax = 16u << 20;
inline constexpr std::int64_t kGraceOfSigtermMs = 30'000;  // when the supervisor itself is asked to end

// ---- a request to start ----

struct Limit {
  std::uint32_t resource = 0;  // RLIMIT_...
  std::uint64_t soft = 0;      // RLIM_INFINITY as the kernel has it
  std::uint64_t hard = 0;
  bool operator==(const Limit&) const = default;
};

struct LaunchSpec {
  std::string token;
  std::string run_dir;  // absolute, exists
  std::string work_dir;
  std::vector<std::string> arguments;    // [0] is looked up in the job's own PATH when it has no slash
  std::vector<std::string> environment;  // "NAME=value", complete
  bool switch_user = false;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<std::uint32_t> groups;
  std::vector<Limit> limits;
  std::vector<std::string> cgroups;  // the job's process is written to <cgroup>/cgroup.procs
  std::string oom_file;              // a file with a line "oom_kill <count>"; "" when the kill cannot be seen
  std::uint64_t log_bytes_max = 0;
};

// InvalidArgument when a text holds a zero byte or the whole is larger than kLaunchBytesMax.
Result<std::string> encode_launch(const LaunchSpec& spec);
// A message that refers to kLaunchFile in this run directory.
std::string encode_launch_file(const LaunchSpec& spec);

// The same seen from the receiving end, without a copy: all pointers lead into the message, which must
// outlive it. Plain arrays instead of containers, because every page a supervisor touches costs as much as a
// file operation.
struct LaunchView {
  bool in_file = false;  // only token and run_dir are there; the rest is in kLaunchFile
  const char* token = nullptr;
  const char* run_dir = nullptr;
  const char* work_dir = nullptr;
  bool switch_user = false;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t group_count = 0;
  const std::uint32_t* groups = nullptr;
  std::uint32_t limit_count = 0;
  const Limit* limits = nullptr;
  std::uint32_t cgroup_count = 0;
  const char* first_cgroup = nullptr;  // the others follow, each behind the zero byte of the one before
  const char* oom_file = nullptr;
  std::uint64_t log_bytes_max = 0;
  std::uint32_t argument_count = 0;
  const char* first_argument = nullptr;
  std::uint32_t variable_count = 0;
  const char* first_variable = nullptr;
};
// `message` must be aligned to 8 bytes. False for what encode_launch did not write.
bool read_launch(const char* message, std::size_t bytes, LaunchView& out);

// ---- the state file: text lines, appended, complete lines only ----
//   begun <supervisor pid> <job pid> <ms>                       written by the job's process just before its
//   exec ended <ms> <started> <exit code or -1> <node failure> <reason to the end of the line>

struct StateRecords {
  struct Begun {
    int supervisor_pid = 0;
    int job_pid = 0;
    Instant at;
  };
  struct Ended {
    Instant at;
    bool started = false;
    std::optional<int> exit_code;
    bool node_failure = false;
    std::string reason;
  };
  std::optional<Begun> begun;
  std::optional<Ended> ended;
};
// Lines that are not understood are passed over; the first of each kind counts.
StateRecords parse_state(std::string_view text);

inline constexpr std::size_t kRecordBytesMax = 1024;
// Both write into a buffer of kRecordBytesMax and return the length; a longer reason is cut. No memory is
// taken.
std::size_t format_begun(char* buffer, int supervisor_pid, int job_pid, std::int64_t ms);
std::size_t format_ended(char* buffer, std::int64_t ms, bool started, int exit_code, bool node_failure,
                         const char* reason);

// ---- news ----

enum class NewsKind : char { Began = 'B', LogGrew = 'L', Ended = 'E' };
// "<kind> <token>\n": less than PIPE_BUF, so lines of several supervisors never mix.
inline constexpr std::size_t kNewsBytes = 2 + kTokenBytes + 1;

// ---- locks: OFD locks, which a fork shares and which can be asked about without taking them ----

// True when `fd`'s whole file is now locked by this open file (and whoever inherits it).
bool take_lock(int fd);
// Whether another open file holds the lock.
bool is_locked(int fd);

}  // namespace stoker::supervisor
