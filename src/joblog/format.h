#pragma once
// The bytes of a job's log. A log is one stream of events, each a line of the job's output with the time at
// which it was seen; a place in it is an offset from the stream's first byte, the same on the node and on the
// server.
//
//   frame   = word, time, text, word
//   word    = 4 bytes, least first: length of the text in the low 24 bits, flags above
//   time    = 8 bytes, least first: milliseconds since 1970
//
// The word at both ends lets a reader walk backwards and notice a place that is no frame's beginning.
//
// On disk a stream is a directory of segments, files named by the offset of their first byte (16 hex digits
// and
// ".log"); each begins with a frame. Where one segment ends before the next begins, bytes were dropped: a log
// has a size bound, keeps its first segment and its newest ones, and loses the middle.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace stoker::joblog {

inline constexpr std::size_t kEventBytesMax = 64u << 10;  // longer lines are cut into several events
inline constexpr std::size_t kFrameOverheadBytes = 16;
inline constexpr std::size_t kFrameHeaderBytes = 12;
inline constexpr std::size_t kFrameTrailerBytes = 4;
inline constexpr std::size_t kFrameBytesMax = kEventBytesMax + kFrameOverheadBytes;
inline constexpr std::uint64_t kSegmentBytesMax = 4u << 20;
inline constexpr std::uint64_t kSegmentBytesMin = 256u << 10;
// A log may always have this much, whatever is asked for: fewer segments than four would leave no middle to
// drop.
inline constexpr std::uint64_t kStreamBytesMin = 4 * kSegmentBytesMin;

// The line goes on in the next event (it was longer than an event may be, or nothing came for a while).
inline constexpr std::uint32_t kFlagContinues = 1;

struct FrameHeader {
  std::size_t text_bytes = 0;
  std::uint32_t flags = 0;
  Instant time;
  [[nodiscard]] std::size_t frame_bytes() const { return text_bytes + kFrameOverheadBytes; }
};

void append_frame(std::string& out, Instant time, std::string_view text, std::uint32_t flags);
// Needs kFrameHeaderBytes bytes. Nothing when the length is beyond what a frame may have.
std::optional<FrameHeader> read_frame_header(const char* bytes);
// The size of the frame that ends just behind these kFrameTrailerBytes bytes; nothing as above.
std::optional<std::size_t> read_frame_trailer(const char* bytes);

// How large segments of a stream with that bound are.
std::uint64_t segment_bytes_for(std::uint64_t stream_bytes_max);

struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
  bool operator==(const Segment&) const = default;
};
std::string segment_name(std::uint64_t offset);
std::string segment_path(const std::string& dir, std::uint64_t offset);
// The segments of a stream in order; none when the directory does not exist (no output yet). Files that are
// no segment are passed over; a segment that vanishes meanwhile is left out.
Result<std::vector<Segment>> list_segments(const std::string& dir);

}  // namespace stoker::joblog
