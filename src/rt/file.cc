#include "rt/file.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rt/clock.h"

namespace stoker::rt {
namespace {

constexpr std::int64_t kLockPollMs = 5;

// A missing file is a different answer from a refusing system.
std::unexpected<Error> fail_path(const char* doing, const std::string& path) {
  const bool missing = errno == ENOENT;
  auto error = fail_errno(std::string(doing) + " " + path);
  if (missing) error.error().code = Code::NotFound;
  return error;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void sleep_ms(std::int64_t ms) {
  timespec t{.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1'000'000};
  ::nanosleep(&t, nullptr);
}

std::string temporary_beside(const std::string& path) {
  return path + "." + std::to_string(entropy()) + ".tmp";
}

Result<void> fill_temporary(int fd, const std::string& path, std::string_view content, WriteOptions options) {
  if (auto written = write_all(fd, content); !written)
    return std::unexpected(std::move(written.error()).within("writing " + path));
  if (::fchmod(fd, options.mode) != 0) return fail_path("setting the mode of", path);
  if (options.durable && ::fsync(fd) != 0) return fail_path("syncing", path);
  return {};
}

}  // namespace

Result<UniqueFd> open_file(const std::string& path, int flags, mode_t mode) {
  for (;;) {
    UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, mode));
    if (fd) return fd;
    if (errno != EINTR) return fail_path("opening", path);
  }
}

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  const UniqueFd fd = TRY(open_file(path, O_RDONLY));
  struct stat info{};
  std::string content;
  // The size is a hint only: /proc says 0, and a file may grow while it is read.
  std::size_t room = 4096;
  if (::fstat(fd.get(), &info) == 0 && info.st_size > 0) room = static_cast<std::size_t>(info.st_size) + 1;
  std::size_t have = 0;
  for (;;) {
    if (have > bytes_max) break;
    content.resize(std::min(std::max(room, have + 4096), bytes_max + 1));
    const ssize_t got = ::read(fd.get(), content.data() + have, content.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_path("reading", path);
    if (got == 0) {
      content.resize(have);
      return content;
    }
    have += static_cast<std::size_t>(got);
    room = have * 2;
  }
  return fail(Code::LimitExceeded, "reading " + path + ": more than " + std::to_string(bytes_max) + " bytes");
}

Result<void> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail_errno("write");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> check_can_write(const std::string& path) {
  struct stat there = {};
  if (::stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode))
    return fail(Code::Io, "writing " + path + ": Is a directory");
  const std::string temporary = temporary_beside(path);
  TRY(open_file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0600));
  ::unlink(temporary.c_str());
  return {};
}

Result<void> write_file_atomically(const std::string& path, std::string_view content, WriteOptions options) {
  const std::string temporary = temporary_beside(path);
  {
    const UniqueFd fd = TRY(open_file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0600));
    if (auto filled = fill_temporary(fd.get(), temporary, content, options); !filled) {
      ::unlink(temporary.c_str());
      return filled;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    auto error = fail_path("renaming to", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return options.durable ? sync_directory(directory_of(path)) : Result<void>{};
}

Result<void> sync_directory(const std::string& path) {
  const UniqueFd fd = TRY(open_file(path, O_RDONLY | O_DIRECTORY));
  if (::fsync(fd.get()) != 0) return fail_path("syncing", path);
  return {};
}

Result<std::vector<std::string>> list_directory(const std::string& path, std::size_t entries_max) {
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return fail_path("listing", path);
  const std::unique_ptr<DIR, int (*)(DIR*)> closer(directory, ::closedir);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == entries_max)
      return fail(Code::LimitExceeded,
                  "listing " + path + ": more than " + std::to_string(entries_max) + " entries");
    names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return fail_path("listing", path);
  std::ranges::sort(names);
  return names;
}

bool file_exists(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0;
}

Result<void> make_directories(const std::string& path, mode_t mode) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (part.empty() || ::mkdir(part.c_str(), mode) == 0) continue;
    const int refusal = errno;
    struct stat info{};
    // Parents that exist may also answer EROFS or EACCES to mkdir; only what is no directory in the end is an
    // error.
    if (::stat(part.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) continue;
    errno = refusal;
    return fail_path("making directory", part);
  }
  return {};
}

Result<std::string> make_temporary_directory(const std::string& prefix) {
  std::string path = prefix + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return fail_path("making directory", path);
  return path;
}

Result<FileLock> FileLock::try_lock(const std::string& path) {
  return lock_within(path, Duration{});
}

Result<FileLock> FileLock::lock_within(const std::string& path, Duration most) {
  UniqueFd fd = TRY(open_file(path, O_RDWR | O_CREAT));
  const std::uint64_t start = monotonic_us();
  for (;;) {
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return FileLock(std::move(fd));
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return fail_path("locking", path);
    const auto passed = static_cast<std::int64_t>((monotonic_us() - start) / 1000);
    if (passed >= most.ms) return fail(Code::Conflict, path + " is locked by another process");
    sleep_ms(std::min(kLockPollMs, most.ms - passed));
  }
}

}  // namespace stoker::rt
