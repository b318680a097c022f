#pragma once
// The writing end that the node's writer and the server's replica share: segments in a directory, appended
// to, opened late, cut into the next one, and dropped from the middle when the stream passes its bound.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "joblog/format.h"
#include "rt/fd.h"

namespace stoker::joblog {

class SegmentAppender {
 public:
  // Looks at what is there; makes nothing. `bytes_max` bounds the sum of all segments (at least
  // kStreamBytesMin).
  static Result<SegmentAppender> open(std::string dir, std::uint64_t bytes_max);

  [[nodiscard]] std::uint64_t end() const { return segments_.empty() ? 0 : segments_.back().end(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::uint64_t segment_bytes() const { return segment_bytes_; }
  // How many bytes the last segment has room for before the next one should begin.
  [[nodiscard]] std::uint64_t room() const;

  // A new segment from `offset` >= end() on; the directory is made with the first.
  Result<void> begin_segment(std::uint64_t offset);
  // All bytes, into the last segment. After Io the last segment is as long as it was before.
  Result<void> append(std::string_view bytes);
  // Cuts the last segment to `bytes`.
  Result<void> truncate_last(std::uint64_t bytes);
  void close_file() { file_.reset(); }

 private:
  SegmentAppender() = default;
  Result<void> open_last();
  void drop_middle();

  std::string dir_;
  std::uint64_t bytes_max_ = 0;
  std::uint64_t segment_bytes_ = 0;
  std::vector<Segment> segments_;
  std::uint64_t bytes_ = 0;
  rt::UniqueFd file_;  // the last segment, once written to
};

// How many bytes from the beginning of the segment file are whole frames.
Result<std::uint64_t> whole_frames(const std::string& path);

}  // namespace stoker::joblog
