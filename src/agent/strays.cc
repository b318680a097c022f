#include "agent/strays.h"

#include <algorithm>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host_job.h"
#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr int kPassesMax = 20;
constexpr std::size_t kEnvironmentBytesMax = 4u << 20;

struct Stat {
  char state = '?';
  std::int64_t session = 0;
};

// "pid (name) state ppid pgrp session ...": the name may hold anything, so from its closing parenthesis on.
Stat read_stat(const std::string& directory) {
  const std::string text = rt::read_file(directory + "/stat", 4096).value_or("");
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos || end + 2 >= text.size()) return {};
  const auto fields = split(std::string_view(text).substr(end + 2), ' ');
  if (fields.size() < 4) return {};
  return {fields[0].empty() ? '?' : fields[0][0], parse_int(fields[3]).value_or(0)};
}

// The variable must be a whole entry of the environment that the process was started with.
bool carries(const std::string& directory, const std::string& entry) {
  std::string text = rt::read_file(directory + "/environ", kEnvironmentBytesMax).value_or("");
  for (std::size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1))
    if ((at == 0 || text[at - 1] == '\0') &&
        (at + entry.size() == text.size() || text[at + entry.size()] == '\0'))
      return true;
  return false;
}

}  // namespace

int kill_strays(pid_t job_session, const std::string& token) {
  const std::string entry = std::string(kRunVariable) + '=' + token;
  int killed = 0;
  for (int pass = 0; pass < kPassesMax; ++pass) {
    int found = 0;
    for (const std::string& name : rt::list_directory("/proc").value_or(std::vector<std::string>{})) {
      const auto pid = parse_int(name);
      if (!pid || *pid <= 1 || *pid == ::getpid()) continue;
      const std::string directory = "/proc/" + name;
      const Stat stat = read_stat(directory);
      if (stat.state == 'Z' || stat.state == '?') continue;
      // A session's number may have been taken over by a stranger since; so it counts only with the marker,
      // except where the environment cannot be read any more.
      const bool marked = carries(directory, entry);
      const bool same_session = job_session > 1 && stat.session == job_session;
      if (!marked && !same_session) continue;
      if (!marked && *pid == job_session) continue;
      ++found;
      if (::kill(static_cast<pid_t>(*pid), SIGKILL) == 0) ++killed;
    }
    if (found == 0) break;
    ::usleep(5'000);
  }
  return killed;
}

}  // namespace stoker::agent
