#pragma once
// Takes the bytes of a run's log to the server: in order, whole frames only, within a window of what has not
// been acknowledged, from where the server says that it has nothing.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "joblog/format.h"
#include "wire/messages.h"

namespace stoker::agent {

inline constexpr std::uint64_t kChunkBytesMax = 256u << 10;
inline constexpr std::uint64_t kRunWindowBytes = 1u << 20;
inline constexpr std::uint64_t kNodeWindowBytes = 16u << 20;  // of all runs together
// What logs may take on the node's disk together. A run's own bound is kept by its supervisor; this one
// guards against many ended runs that cannot be delivered.
inline constexpr std::uint64_t kNodeLogBytesMax = 8ULL << 30;

class LogShipper {
 public:
  explicit LogShipper(std::string dir) : dir_(std::move(dir)) {}

  // A fresh run: the server has nothing of it. Others wait for acknowledge() first.
  void begin_fresh() { acknowledged_ = 0; }
  // The server has all below `next`. Repeated and late ones are harmless.
  void acknowledge(std::uint64_t next);
  // The connection was lost: what was sent may not have arrived; wait for what the server says.
  void lose_connection();

  // The next chunk, when there are whole frames to send and window for them. Bytes that the log has dropped
  // meanwhile are jumped over.
  Result<std::optional<wire::LogChunk>> next_chunk(const wire::Token& token);

  // Whether the server has acknowledged everything; the run must have ended, so that nothing is added any
  // more. A log without a byte is complete without any acknowledgement.
  Result<bool> complete();

  // What the log takes on this node's disk. Once the run has ended, its middle may be given up to save the
  // disk.
  Result<std::uint64_t> stored_bytes() const;
  Result<void> drop_middle();

  [[nodiscard]] std::uint64_t in_flight() const {
    return acknowledged_ && sent_ > *acknowledged_ ? sent_ - *acknowledged_ : 0;
  }

 private:
  std::string dir_;
  std::optional<std::uint64_t> acknowledged_;
  std::uint64_t sent_ = 0;
};

}  // namespace stoker::agent
