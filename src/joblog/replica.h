#pragma once
// The server's copy of one log, built from the chunks that the node ships.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "joblog/segments.h"

namespace stoker::joblog {

class StreamReplica {
 public:
  // Goes on with what is there. Makes nothing before the first byte.
  static Result<StreamReplica> open(std::string dir, std::uint64_t bytes_max);

  // Bytes of the stream from `offset` on. Repeated bytes are passed over. An offset beyond the end leaves a
  // gap (the node has dropped what was there) and begins a frame. Returns the offset expected next, which is
  // what to acknowledge. Damaged bytes are kept but do not spoil what comes after the chunk.
  Result<std::uint64_t> append(std::uint64_t offset, std::string_view bytes);

  [[nodiscard]] std::uint64_t end() const { return segments_.end(); }
  [[nodiscard]] std::uint64_t bytes() const { return segments_.bytes(); }
  void close_file() { segments_.close_file(); }

 private:
  explicit StreamReplica(SegmentAppender segments) : segments_(std::move(segments)) {}

  SegmentAppender segments_;
  // The header bytes of a frame that has begun, while they are not complete, and how much of the frame is to
  // come.
  std::string header_;
  std::size_t frame_rest_ = 0;
  [[nodiscard]] bool between_frames() const { return frame_rest_ == 0 && header_.empty(); }
};

}  // namespace stoker::joblog
