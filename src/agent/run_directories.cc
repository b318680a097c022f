#include "agent/run_directories.h"

#include <cerrno>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/file.h"
#include "supervisor/protocol.h"

namespace stoker::agent {
namespace {

// Whether the directory holds only these names (up to two).
bool holds_only(const std::string& dir, const char* one, const char* two) {
  DIR* stream = ::opendir(dir.c_str());
  if (stream == nullptr) return false;
  bool only = true;
  while (const dirent* entry = ::readdir(stream)) {
    const char* name = entry->d_name;
    if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
    const bool known =
        (one != nullptr && std::strcmp(name, one) == 0) || (two != nullptr && std::strcmp(name, two) == 0);
    if (!known) only = false;
  }
  ::closedir(stream);
  return only;
}

// A supervisor tells its end before its process is gone; until then it holds the lock, and the next one,
// finding it held, would leave the run alone.
bool is_free(const std::string& dir) {
  const rt::UniqueFd state(::open((dir + '/' + supervisor::kStateFile).c_str(), O_RDWR | O_CLOEXEC));
  return state && !supervisor::is_locked(state.get());
}

}  // namespace

RunDirectories::RunDirectories(std::string runs_dir, std::string trash_dir, std::string spare_dir)
    : runs_dir_(std::move(runs_dir)), trash_dir_(std::move(trash_dir)), spare_dir_(std::move(spare_dir)) {
  for (const std::string& name : rt::list_directory(spare_dir_).value_or(std::vector<std::string>{}))
    ::rename((spare_dir_ + '/' + name).c_str(),
             (trash_dir_ + "/spare-" + std::to_string(rt::entropy())).c_str());
}

Result<void> RunDirectories::make(const wire::Token& token) {
  const std::string dir = path(token);
  if (!spares_.empty() && is_free(spares_.front())) {
    const std::string spare = std::move(spares_.front());
    spares_.erase(spares_.begin());
    // Onto a name that exists it fails, unless that is an empty directory: then the result is the same.
    if (::rename(spare.c_str(), dir.c_str()) == 0) return {};
  }
  if (::mkdir(dir.c_str(), 0711) != 0 && errno != EEXIST) return fail_errno("making " + dir);
  return {};
}

// Only what a run without output leaves: its record and a working directory as it was made.
bool RunDirectories::is_bare(const std::string& dir) const {
  const std::string work = dir + '/' + supervisor::kWorkDirectory;
  struct stat status{};
  if (::lstat(work.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (status.st_uid != ::geteuid() || status.st_gid != ::getegid() || (status.st_mode & 07777) != 0700)
    return false;
  return holds_only(dir, supervisor::kStateFile, supervisor::kWorkDirectory) &&
         holds_only(work, nullptr, nullptr);
}

// Out of the runs first, emptied then: never is a run's directory seen without its record.
bool RunDirectories::recycle(const std::string& dir) {
  if (spares_.size() >= kSparesMax || !is_bare(dir)) return false;
  std::string spare = spare_dir_ + '/' + std::to_string(next_spare_++);
  if (::rename(dir.c_str(), spare.c_str()) != 0) return false;
  if (::truncate((spare + '/' + supervisor::kStateFile).c_str(), 0) == 0) spares_.push_back(std::move(spare));
  return true;  // without its record emptied it stays behind as trash for the next agent
}

Result<void> RunDirectories::give_up(const wire::Token& token) {
  const std::string dir = path(token);
  if (recycle(dir)) return {};
  if (::rename(dir.c_str(), (trash_dir_ + '/' + token).c_str()) == 0 || errno == ENOENT) return {};
  return rt::remove_tree(dir);
}

}  // namespace stoker::agent
