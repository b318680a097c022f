#include <algorithm>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "tasks/object_store.h"

namespace stoker::tasks {
namespace {

constexpr std::size_t kKeyBytesMax = 1024;
constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kDepthMax = 100;          // of directories below the bucket
constexpr std::size_t kEntriesMax = 1'000'000;  // looked at by one listing
// What is being written; never an object.
constexpr std::string_view kUnfinished = ".stoker-put-";

std::unexpected<StoreError> no_such_key() {
  return std::unexpected(
      StoreError{.code = "NoSuchKey", .message = "The specified key does not exist.", .status = 404});
}
std::unexpected<StoreError> no_such_bucket() {
  return std::unexpected(
      StoreError{.code = "NoSuchBucket", .message = "The specified bucket does not exist", .status = 404});
}
std::unexpected<StoreError> invalid_key() {
  return std::unexpected(
      StoreError{.code = "InvalidRequest", .message = "The key is no path below a directory"});
}
std::unexpected<StoreError> io_error(const std::string& doing) {
  return std::unexpected(
      StoreError{.code = "InternalError", .message = fail_errno(doing).error().message, .status = 500});
}

// The parts of a key, or nothing when it is none that a directory can hold.
std::optional<std::vector<std::string>> parts_of(std::string_view key) {
  if (key.empty() || key.size() > kKeyBytesMax || key.find('\0') != std::string_view::npos)
    return std::nullopt;
  std::vector<std::string> out;
  for (const std::string_view part : split(key, '/')) {
    if (part.empty() || part == "." || part == ".." || part.size() > kNameBytesMax ||
        part.starts_with(kUnfinished))
      return std::nullopt;
    out.emplace_back(part);
  }
  if (out.size() > kDepthMax) return std::nullopt;
  return out;
}

rt::UniqueFd open_below(const rt::UniqueFd& parent, const std::string& name, int flags, mode_t mode = 0) {
  return rt::UniqueFd(openat(parent.get(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode));
}

ObjectInfo info_of(std::string key, const struct stat& about) {
  std::string changed = std::to_string(about.st_mtim.tv_sec) + "." + std::to_string(about.st_mtim.tv_nsec);
  return {.key = std::move(key),
          .etag = "\"" + changed + "-" + std::to_string(about.st_size) + "\"",
          .last_modified = iso_time(about.st_mtim.tv_sec * 1000 + about.st_mtim.tv_nsec / 1'000'000, true),
          .size = about.st_size};
}

// Collects what is below one directory.
class Walk {
 public:
  explicit Walk(std::string_view prefix) : prefix_(prefix) {}

  // False when there is too much of it.
  bool visit(rt::UniqueFd directory, const std::string& path, std::size_t depth) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(fdopendir(directory.get()), closedir);
    if (open == nullptr) return true;  // it went away
    (void)directory.release();         // closed by closedir
    if (depth > kDepthMax) return false;
    std::vector<std::string> below;
    while (const dirent* entry = readdir(open.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name.starts_with(kUnfinished)) continue;
      if (++entries_ > kEntriesMax) return false;
      below.emplace_back(name);
    }
    for (const std::string& name : below)
      if (!look_at(dirfd(open.get()), name, path + name, depth)) return false;
    return true;
  }

  std::vector<ObjectInfo> found;

 private:
  bool look_at(int directory, const std::string& name, const std::string& path, std::size_t depth) {
    struct stat about{};
    if (fstatat(directory, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) return true;
    if (S_ISREG(about.st_mode) && path.starts_with(prefix_)) found.push_back(info_of(path, about));
    const std::string inside = path + "/";
    if (!S_ISDIR(about.st_mode) || !(inside.starts_with(prefix_) || prefix_.starts_with(inside))) return true;
    rt::UniqueFd next(openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return !next || visit(std::move(next), inside, depth + 1);
  }

  std::string_view prefix_;
  std::size_t entries_ = 0;
};

// One page of sorted objects.
Listing page_of(std::vector<ObjectInfo> objects, const ListQuery& query) {
  Listing out;
  const auto is_past = [&](const std::string& key) {
    if (key <= query.start_after) return false;
    // A continuation is the last key or the last common prefix of the page before.
    const bool of_group = !query.delimiter.empty() && query.continuation.ends_with(query.delimiter) &&
                          key.starts_with(query.continuation);
    return key > query.continuation && !of_group;
  };
  std::string last;
  std::int64_t count = 0;
  for (ObjectInfo& object : objects) {
    if (!is_past(object.key)) continue;
    const std::size_t cut =
        query.delimiter.empty() ? std::string::npos : object.key.find(query.delimiter, query.prefix.size());
    std::string group = cut == std::string::npos ? "" : object.key.substr(0, cut + query.delimiter.size());
    if (!group.empty() && !out.prefixes.empty() && out.prefixes.back() == group) continue;
    if (count++ == query.keys_max) {
      out.next = last;
      break;
    }
    last = group.empty() ? object.key : group;
    if (group.empty())
      out.objects.push_back(std::move(object));
    else
      out.prefixes.push_back(std::move(group));
  }
  return out;
}

class DirectoryStore final : public ObjectStore {
 public:
  explicit DirectoryStore(const Options& options)
      : directories_(options.directories), account_(options.account) {}

  Stored<Object> get(std::string_view bucket, std::string_view key, std::size_t bytes_max) override {
    auto file = open_object(bucket, key);
    if (!file) return std::unexpected(std::move(file).error());
    if (static_cast<std::size_t>(file->info.size) > bytes_max) return too_large();
    Object out{.info = std::move(file->info),
               .content_type = "binary/octet-stream",
               .metadata = {},
               .version = {},
               .encryption = {},
               .body = {}};
    // One more than allowed tells that it grew.
    auto body = read_at(file->fd, 0, bytes_max + 1, key);
    if (!body) return std::unexpected(std::move(body).error());
    if (body->size() > bytes_max) return too_large();
    out.body = *std::move(body);
    out.info.size = static_cast<std::int64_t>(out.body.size());
    return out;
  }

  Stored<Piece> read(std::string_view bucket, std::string_view key, const ReadOptions& options,
                     std::int64_t offset, std::int64_t bytes_max) override {
    if (auto owned = check_owner(options.owner); !owned) return std::unexpected(std::move(owned).error());
    // "null" is the version of what has none.
    if (!options.version.empty() && options.version != "null")
      return std::unexpected(StoreError{
          .code = "NoSuchVersion", .message = "The specified version does not exist.", .status = 404});
    auto file = open_object(bucket, key);
    if (!file) return std::unexpected(std::move(file).error());
    if (!options.etag.empty() && options.etag != file->info.etag)
      return std::unexpected(
          StoreError{.code = "PreconditionFailed",
                     .message = "At least one of the pre-conditions you specified did not hold",
                     .status = 412});
    auto body = read_at(file->fd, offset, static_cast<std::size_t>(bytes_max), key);
    if (!body) return std::unexpected(std::move(body).error());
    return Piece{.info = std::move(file->info), .body = *std::move(body)};
  }

  Stored<Object> put(std::string_view bucket, std::string_view key, std::string body,
                     const PutOptions& options) override {
    if (auto owned = check_owner(options.owner); !owned) return std::unexpected(std::move(owned).error());
    const auto parts = parts_of(key);
    if (!parts) return invalid_key();
    rt::UniqueFd at = open_bucket(bucket);
    if (!at) return no_such_bucket();
    for (std::size_t i = 0; i + 1 < parts->size(); ++i) {
      if (mkdirat(at.get(), (*parts)[i].c_str(), 0755) != 0 && errno != EEXIST)
        return io_error("making a directory for " + std::string(key));
      at = open_below(at, (*parts)[i], O_RDONLY | O_DIRECTORY);
      if (!at) return invalid_key();  // a file or a link
    }
    const std::string unfinished = std::string(kUnfinished) + rt::new_uuid().str();
    const rt::UniqueFd file = open_below(at, unfinished, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (!file) return io_error("writing " + std::string(key));
    struct stat about{};
    const bool written = rt::write_all(file.get(), body).has_value() && fsync(file.get()) == 0 &&
                         fstat(file.get(), &about) == 0 &&
                         renameat(at.get(), unfinished.c_str(), at.get(), parts->back().c_str()) == 0;
    if (!written) {
      auto error = io_error("writing " + std::string(key));
      unlinkat(at.get(), unfinished.c_str(), 0);
      return error;
    }
    fsync(at.get());
    return Object{.info = info_of(std::string(key), about),
                  .content_type = {},
                  .metadata = {},
                  .version = {},
                  .encryption = {},
                  .body = {}};
  }

  Stored<Listing> list(std::string_view bucket, const ListQuery& query) override {
    if (auto owned = check_owner(query.owner); !owned) return std::unexpected(std::move(owned).error());
    rt::UniqueFd at = open_bucket(bucket);
    if (!at) return no_such_bucket();
    Walk walk(query.prefix);
    if (!walk.visit(std::move(at), "", 0))
      return std::unexpected(StoreError{.code = "InternalError",
                                        .message = "The directory has too many files for one listing",
                                        .status = 500});
    std::ranges::sort(walk.found, {}, &ObjectInfo::key);
    return page_of(std::move(walk.found), query);
  }

 private:
  struct OpenObject {
    rt::UniqueFd fd;
    ObjectInfo info;
  };
  Stored<OpenObject> open_object(std::string_view bucket, std::string_view key) const {
    const auto parts = parts_of(key);
    if (!parts) return no_such_key();
    rt::UniqueFd at = open_bucket(bucket);
    if (!at) return no_such_bucket();
    for (std::size_t i = 0; i + 1 < parts->size(); ++i) {
      at = open_below(at, (*parts)[i], O_RDONLY | O_DIRECTORY);
      if (!at) return no_such_key();
    }
    // Not to wait for the writer of a pipe.
    rt::UniqueFd file = open_below(at, parts->back(), O_RDONLY | O_NONBLOCK);
    struct stat about{};
    if (!file || fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return no_such_key();
    return OpenObject{.fd = std::move(file), .info = info_of(std::string(key), about)};
  }
  // All bytes from there on, at most so many.
  static Stored<std::string> read_at(const rt::UniqueFd& file, std::int64_t offset, std::size_t bytes_max,
                                     std::string_view key) {
    std::string out;
    char bytes[65536];
    while (out.size() < bytes_max) {
      const ssize_t got = pread(file.get(), bytes, std::min(sizeof bytes, bytes_max - out.size()),
                                offset + static_cast<std::int64_t>(out.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return io_error("reading " + std::string(key));
      if (got == 0) break;
      out.append(bytes, static_cast<std::size_t>(got));
    }
    return out;
  }
  // Our directories belong to the account that this server claims to be.
  [[nodiscard]] Stored<void> check_owner(const std::string& owner) const {
    if (owner.empty() || owner == account_) return {};
    return std::unexpected(StoreError{.code = "AccessDenied", .message = "Access Denied", .status = 403});
  }

  static std::unexpected<StoreError> too_large() {
    return std::unexpected(StoreError{.code = {}, .message = "the object is too large", .too_large = true});
  }
  [[nodiscard]] rt::UniqueFd open_bucket(std::string_view bucket) const {
    const auto found = directories_.find(bucket);
    if (found == directories_.end()) return rt::UniqueFd();
    return rt::UniqueFd(open(found->second.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  const std::map<std::string, std::string, std::less<>>& directories_;
  const std::string& account_;
};

}  // namespace

std::unique_ptr<ObjectStore> directory_store(const Options& options) {
  return std::make_unique<DirectoryStore>(options);
}

}  // namespace stoker::tasks
