#pragma once
// The node's end of a log: lines in, frames out.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "joblog/segments.h"

namespace stoker::joblog {

// Collects events and writes them in one go. Times never go backwards within a stream, whatever the clock
// does. When the disk refuses, what was collected is lost and counted, and the job goes on; once the disk
// takes more, an event says how much is missing there.
class Writer {
 public:
  // Goes on where an earlier writer stopped; half a frame at the end, left by a crash, is cut off. Makes no
  // file before there is something to write.
  static Result<Writer> open(std::string dir, std::uint64_t bytes_max);

  // The text is cut to kEventBytesMax.
  void add(Instant time, std::string_view text, std::uint32_t flags = 0);
  // What was added, onto disk (into the system's cache: it survives any process, not the machine's power).
  Result<void> flush();

  [[nodiscard]] std::size_t pending_bytes() const { return pending_.size(); }
  [[nodiscard]] std::uint64_t end() const { return segments_.end(); }  // of what was flushed
  [[nodiscard]] std::uint64_t lost_bytes() const { return lost_bytes_; }
  // Of the newest event, 0 when there is none.
  [[nodiscard]] Instant last_time() const { return last_time_; }

 private:
  explicit Writer(SegmentAppender segments) : segments_(std::move(segments)) {}
  Result<void> write_frames(std::string_view frames);
  void count_loss(std::size_t bytes);
  Result<void> tell_of_loss();

  SegmentAppender segments_;
  std::string pending_;
  std::uint64_t lost_bytes_ = 0;
  std::uint64_t untold_bytes_ = 0;  // of them, those that no event tells of yet
  Instant lost_at_;
  Instant last_time_;
};

// Cuts a stream of bytes into lines for a Writer. The line end itself is not kept; a carriage return before
// it neither. Lines longer than an event are cut, with kFlagContinues on all pieces but the last.
class LineSplitter {
 public:
  explicit LineSplitter(Writer& out) : out_(out) {}
  // Adds every complete line; keeps the beginning of an incomplete one.
  void feed(Instant now, std::string_view bytes);
  // Adds the incomplete line: at the end of the stream, or (goes_on) because nothing came for a while.
  enum class Flush { End, Quiet };
  void flush(Instant now, Flush why);
  [[nodiscard]] bool has_partial_line() const { return !line_.empty(); }

 private:
  Writer& out_;
  std::string line_;
  bool flushed_ = false;  // the beginning of this line is out, because nothing came for a while
};

}  // namespace stoker::joblog
