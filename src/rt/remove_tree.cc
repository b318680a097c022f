// remove_tree of file.h: descends by open directories, so that no symbolic link can lead it out of the tree.
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/file.h"

namespace stoker::rt {
namespace {

// Deeper directories are moved up to the top and removed from there: neither the stack nor the table of open
// files grows with what a job left behind.
constexpr int kDepthMax = 32;
// Names made on the way up; far beyond what any tree needs, so an endless loop ends.
constexpr int kMovesMax = 10'000'000;

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

class Removal {
 public:
  explicit Removal(int top) : top_(top) {}

  // Everything below `directory`, which is given away. errno tells why not.
  bool empty_directory(UniqueFd directory, int depth);
  [[nodiscard]] bool moved_any() const { return moved_; }
  void start_round() { moved_ = false; }

 private:
  bool remove_entry(int parent, const char* name, int depth);
  bool move_up(int parent, const char* name);

  int top_;
  int moves_ = 0;
  bool moved_ = false;
};

// Opens a directory to list it. One of ours that forbids reading or writing is opened for its owner first.
UniqueFd open_to_empty(int parent, const char* name) {
  const UniqueFd handle(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!handle) return {};
  struct stat info{};
  if (::fstat(handle.get(), &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU) {
    // By /proc since fchmod refuses O_PATH; the handle cannot be a link. A refusal shows itself below.
    (void)::chmod(("/proc/self/fd/" + std::to_string(handle.get())).c_str(),
                  (info.st_mode & 07777) | S_IRWXU);
  }
  return UniqueFd(::openat(handle.get(), ".", kOpenDirectory));
}

bool Removal::move_up(int parent, const char* name) {
  while (moves_ < kMovesMax) {
    const std::string target = ".removing-" + std::to_string(moves_++);
    if (::renameat2(parent, name, top_, target.c_str(), RENAME_NOREPLACE) == 0) return moved_ = true;
    if (errno != EEXIST) return false;
  }
  errno = EMLINK;
  return false;
}

bool Removal::remove_entry(int parent, const char* name, int depth) {
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return true;
  if (errno != ENOTEMPTY && errno != EEXIST && errno != EACCES) return false;
  UniqueFd child = open_to_empty(parent, name);
  if (!child) return false;
  if (depth >= kDepthMax) return move_up(parent, name);
  if (!empty_directory(std::move(child), depth + 1)) return false;
  return ::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

bool Removal::empty_directory(UniqueFd directory, int depth) {
  DIR* stream = ::fdopendir(directory.get());
  if (stream == nullptr) return false;
  (void)directory.release();  // the stream closes it
  bool good = true;
  int refusal = 0;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (remove_entry(::dirfd(stream), entry->d_name, depth)) continue;
    // The rest is removed all the same: less is left for whoever looks into the refusal.
    good = false;
    refusal = errno;
  }
  ::closedir(stream);
  errno = refusal;
  return good;
}

}  // namespace

Result<void> remove_tree(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  if (errno != EISDIR && errno != EPERM) return fail_errno("removing " + path);
  const UniqueFd top = open_to_empty(AT_FDCWD, path.c_str());
  if (!top) return errno == ENOENT ? Result<void>{} : fail_errno("removing " + path);
  Removal removal(top.get());
  do {
    removal.start_round();
    UniqueFd round(::openat(top.get(), ".", kOpenDirectory));
    if (!round || !removal.empty_directory(std::move(round), 0)) return fail_errno("removing " + path);
  } while (removal.moved_any());
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return {};
  return fail_errno("removing " + path);
}

}  // namespace stoker::rt
