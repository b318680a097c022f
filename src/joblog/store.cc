#include "joblog/store.h"

#include <sys/stat.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::joblog {
namespace {

constexpr std::size_t kTokenBytes = 32;

bool is_token(std::string_view text) {
  if (text.size() != kTokenBytes) return false;
  for (const char c : text)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  return true;
}

// The low byte of the job's number: tokens begin with zeros for the first 2^56 jobs, and children of one
// array end alike.
std::string_view shard_of(std::string_view token) {
  return token.substr(14, 2);
}

std::string stream_dir(const std::string& dir, std::string_view token) {
  std::string path = dir;
  path += '/';
  path += shard_of(token);
  path += '/';
  path += token;
  return path;
}

Instant changed_at(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};
  return Instant{status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000};
}

}  // namespace

Result<LogStore> LogStore::open(std::string dir) {
  LogStore store(std::move(dir));
  TRY(rt::make_directories(store.dir_, 0755));
  for (const std::string& shard : TRY(rt::list_directory(store.dir_))) {
    if (shard.size() != 2) continue;
    const std::string shard_dir = store.dir_ + '/' + shard;
    auto tokens = rt::list_directory(shard_dir);
    if (!tokens) continue;
    for (const std::string& token : *tokens) {
      if (!is_token(token)) continue;
      const std::string path = shard_dir + '/' + token;
      Stream stream;
      stream.grew_at = changed_at(path);
      const std::vector<Segment> segments = TRY(list_segments(path));
      for (const Segment& segment : segments) stream.bytes += segment.bytes;
      if (!segments.empty())
        stream.grew_at = std::max(stream.grew_at, changed_at(segment_path(path, segments.back().offset)));
      store.bytes_ += stream.bytes;
      store.streams_.emplace(token, stream);
    }
  }
  return store;
}

Result<StreamReplica*> LogStore::replica(std::string_view token, std::uint64_t stream_bytes_max) {
  std::string key(token);
  if (const auto found = open_index_.find(key); found != open_index_.end()) {
    open_.splice(open_.begin(), open_, found->second);
    return &open_.front().replica;
  }
  StreamReplica opened = TRY(StreamReplica::open(stream_dir(dir_, token), stream_bytes_max));
  if (open_.size() >= kOpenStreamsMax) {
    open_index_.erase(open_.back().token);
    open_.pop_back();
  }
  open_.push_front({key, std::move(opened)});
  open_index_.emplace(std::move(key), open_.begin());
  return &open_.front().replica;
}

Result<std::uint64_t> LogStore::append(Instant now, std::string_view token, std::uint64_t offset,
                                       std::string_view bytes, std::uint64_t stream_bytes_max) {
  if (!is_token(token)) return fail(Code::InvalidArgument, "no run token");
  if (bytes.empty()) return next(token);
  StreamReplica* stream = TRY(replica(token, stream_bytes_max));
  auto [it, is_new] = streams_.try_emplace(std::string(token));
  if (is_new) {
    auto made = rt::make_directories(dir_ + '/' + std::string(shard_of(token)), 0755);
    if (!made) {
      streams_.erase(it);
      return std::unexpected(std::move(made).error());
    }
  }
  auto result = stream->append(offset, bytes);
  bytes_ += stream->bytes() - it->second.bytes;
  it->second = {stream->bytes(), now};
  return result;
}

Result<std::uint64_t> LogStore::next(std::string_view token) {
  if (!is_token(token)) return fail(Code::InvalidArgument, "no run token");
  if (const auto found = open_index_.find(std::string(token)); found != open_index_.end())
    return found->second->replica.end();
  const std::vector<Segment> segments = TRY(list_segments(stream_dir(dir_, token)));
  return segments.empty() ? 0 : segments.back().end();
}

StreamReader LogStore::reader(std::string_view token) const {
  return reader(dir_, token);
}

StreamReader LogStore::reader(const std::string& dir, std::string_view token) {
  if (!is_token(token)) return StreamReader(dir + "/none");
  return StreamReader(stream_dir(dir, token));
}

Result<void> LogStore::remove(std::string_view token) {
  if (!is_token(token)) return fail(Code::InvalidArgument, "no run token");
  const std::string key(token);
  if (const auto found = open_index_.find(key); found != open_index_.end()) {
    open_.erase(found->second);
    open_index_.erase(found);
  }
  if (const auto found = streams_.find(key); found != streams_.end()) {
    bytes_ -= found->second.bytes;
    streams_.erase(found);
  }
  return rt::remove_tree(stream_dir(dir_, token));
}

std::vector<LogStore::StreamInfo> LogStore::list(Instant since) const {
  std::vector<StreamInfo> out;
  for (const auto& [token, stream] : streams_)
    if (stream.grew_at >= since) out.push_back({token, stream.bytes, stream.grew_at});
  return out;
}

std::vector<std::string> LogStore::enforce(Instant now, Duration age_max, std::uint64_t bytes_max,
                                           const std::function<bool(std::string_view)>& in_use) {
  std::vector<std::string> removed;
  std::vector<std::pair<Instant, std::string>> quiet;
  for (const auto& [token, stream] : streams_)
    if (bytes_ > bytes_max || stream.grew_at + age_max < now) quiet.emplace_back(stream.grew_at, token);
  std::sort(quiet.begin(), quiet.end());
  for (const auto& [grew_at, token] : quiet) {
    if (grew_at + age_max >= now && bytes_ <= bytes_max) break;
    if (in_use && in_use(token)) continue;
    if (remove(token)) removed.push_back(token);
  }
  return removed;
}

}  // namespace stoker::joblog
