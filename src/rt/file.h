#pragma once
// Files and directories with our manners: reads are bounded, writes are whole or not at all, removal never
// leaves the tree. All paths are plain strings; refusals of the operating system are Io with the path and its
// words, a missing file is NotFound.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "base/time.h"
#include "rt/fd.h"

namespace stoker::rt {

// open(2) with O_CLOEXEC added, repeated after EINTR.
Result<UniqueFd> open_file(const std::string& path, int flags, mode_t mode = 0644);

// The whole content. LimitExceeded when there are more than `bytes_max`; also works for /proc and pipes.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max = 64u << 20);

// All bytes, however many calls it takes.
Result<void> write_all(int fd, std::string_view bytes);

struct WriteOptions {
  mode_t mode = 0644;   // as it is, whatever the umask says
  bool durable = true;  // on disk, file and name, before it returns
};
// Readers see the old content or the new, never a part. Written beside the file under a name of its own, then
// renamed.
Result<void> write_file_atomically(const std::string& path, std::string_view content,
                                   WriteOptions options = {});

// Whether write_file_atomically() could write there now, found out without changing what is there: for work
// of minutes whose result would be lost.
Result<void> check_can_write(const std::string& path);

// Makes a rename, a new file or a removal in this directory durable.
Result<void> sync_directory(const std::string& path);

// Names without "." and "..", sorted. LimitExceeded when there are more than `entries_max`.
Result<std::vector<std::string>> list_directory(const std::string& path,
                                                std::size_t entries_max = 10'000'000);

bool file_exists(const std::string& path);  // follows symbolic links

// With all parents; no error when it is already a directory.
Result<void> make_directories(const std::string& path, mode_t mode = 0755);

// A new empty directory `prefix` + six random letters, mode 0700. Returns its path.
Result<std::string> make_temporary_directory(const std::string& prefix);

// Removes a file, a symbolic link (not what it points to) or a whole directory tree of any depth, also one
// whose directories forbid writing as long as they are ours. No error when nothing is there. Whoever swaps a
// directory for a link meanwhile gains nothing: every step holds the directory open and refuses links.
Result<void> remove_tree(const std::string& path);

// An exclusive lock on a file by flock(2): held by the open file, so it ends with the process, however that
// ends.
class FileLock {
 public:
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) noexcept = default;

  // Makes the file where needed. Conflict when someone else holds the lock.
  static Result<FileLock> try_lock(const std::string& path);
  // Tries again until `most` has passed.
  static Result<FileLock> lock_within(const std::string& path, Duration most);

 private:
  explicit FileLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace stoker::rt
