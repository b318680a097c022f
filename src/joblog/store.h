#pragma once
// The server's logs of all runs: a directory of streams, one folder for each token that ever wrote something,
// in 256 folders by the low byte of the job's number. One thread appends and enforces; readers are free.
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "joblog/reader.h"
#include "joblog/replica.h"

namespace stoker::joblog {

class LogStore {
 public:
  // Takes stock of what is there (one directory listing a stream).
  static Result<LogStore> open(std::string dir);

  // The node's bytes of this run's stream; see StreamReplica::append. `now` is when the stream last grew.
  // InvalidArgument for what is no token (32 lower-case hex digits).
  Result<std::uint64_t> append(Instant now, std::string_view token, std::uint64_t offset,
                               std::string_view bytes, std::uint64_t stream_bytes_max);
  // The offset expected next: 0 for a stream that is not there.
  Result<std::uint64_t> next(std::string_view token);
  // Works for streams that do not exist (yet): they are empty.
  [[nodiscard]] StreamReader reader(std::string_view token) const;
  // The same without the store, for other threads: `dir` is the store's.
  static StreamReader reader(const std::string& dir, std::string_view token);

  Result<void> remove(std::string_view token);

  struct StreamInfo {
    std::string token;
    std::uint64_t bytes = 0;
    Instant grew_at;
  };
  // Every stream that grew at or after `since`, in no particular order.
  [[nodiscard]] std::vector<StreamInfo> list(Instant since = {}) const;

  // Removes streams that have not grown since `now - age_max`, then the longest quiet ones until no more than
  // `bytes_max` are left. Those that `in_use` names (running jobs) stay. Returns the removed tokens.
  std::vector<std::string> enforce(Instant now, Duration age_max, std::uint64_t bytes_max,
                                   const std::function<bool(std::string_view)>& in_use = {});

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }

  static constexpr std::size_t kOpenStreamsMax = 256;

 private:
  struct Stream {
    std::uint64_t bytes = 0;
    Instant grew_at;
  };
  struct OpenStream {
    std::string token;
    StreamReplica replica;
  };

  explicit LogStore(std::string dir) : dir_(std::move(dir)) {}
  Result<StreamReplica*> replica(std::string_view token, std::uint64_t stream_bytes_max);

  std::string dir_;
  std::unordered_map<std::string, Stream> streams_;
  std::uint64_t bytes_ = 0;
  std::list<OpenStream> open_;  // the latest used first
  std::unordered_map<std::string, std::list<OpenStream>::iterator> open_index_;
};

}  // namespace stoker::joblog
