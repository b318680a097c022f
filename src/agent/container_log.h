#pragma once
// A container's log, from the engine's framed stream into the run's log, over interruptions of any kind
// without loss and without duplicates.
//
// The engine's stream is frames: 1 byte stream (1 standard output, 2 standard error), 3 zero bytes, 4 bytes
// length (most first), then "<timestamp> <text>", with a line end unless the line goes on in the stream's
// next frame. Some engines give whole seconds only, and two streams may be stamped out of order by a little,
// so a timestamp is not a place. The place is: all bytes of text since the beginning of a second (`anchor`)
// that were taken. Asking again for the log since then and skipping so many bytes continues exactly where we
// were, since an engine always gives the same frames in the same order.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "joblog/writer.h"

namespace stoker::agent {

// Cuts the stream into frames. Feed any pieces.
class FrameDecoder {
 public:
  struct Frame {
    int stream = 1;
    std::string_view payload;  // until the next call
  };
  // Takes bytes; then call next() until it gives nothing.
  void feed(std::string_view bytes);
  // InvalidArgument once the bytes are no frames; nothing more comes after that.
  Result<std::optional<Frame>> next();

  static constexpr std::size_t kFrameBytesMax = 4u << 20;  // engines cut at 16 KiB

 private:
  std::string buffer_;
  std::size_t at_ = 0;
};

class ContainerLog {
 public:
  // `dir` is the run's directory: the log in dir/log, the place in dir/container-log.json. Goes on where an
  // earlier agent stopped, even when it was killed between writing the one and the other.
  static Result<std::unique_ptr<ContainerLog>> open(std::string dir, std::uint64_t log_bytes_max);

  // Since when to ask the engine, for begin(). 0: from the beginning.
  [[nodiscard]] std::int64_t since() const;
  // A new answer of the engine to since() begins.
  void begin();
  // Bytes of the answer. True when the run's log grew. InvalidArgument for bytes that are no log.
  Result<bool> feed(Instant now, std::string_view bytes);
  // A line of ours in the job's log, for what the job's owner should know.
  void note(Instant now, std::string_view text);
  // Also on disk: the place. Without it the next open() finds the place by reading the log's end.
  void save();

 private:
  // How much of the engine's log was taken, in terms that the engine can be asked in.
  struct Place {
    std::int64_t anchor = 0;         // a second; 0: counted from the very beginning
    std::uint64_t taken = 0;         // bytes of text since then
    std::int64_t newest = 0;         // the newest second seen, mostly anchor + 1
    std::uint64_t taken_newest = 0;  // bytes of text since that one
    std::uint64_t total = 0;         // bytes of text in all
    bool everything = false;         // the engine's clock went back: count from the beginning, for good
    void count(std::int64_t second, std::uint64_t bytes);
  };

  ContainerLog(std::string dir, joblog::Writer writer) : dir_(std::move(dir)), writer_(std::move(writer)) {}
  Result<void> find_place();
  void take(Instant now, std::string_view payload);
  void add(Instant time, std::string_view text);
  void flush();

  std::string dir_;
  joblog::Writer writer_;
  FrameDecoder decoder_;
  Place place_;
  Place scan_;                   // the same, counted anew while this answer's known bytes are skipped
  std::uint64_t skip_ = 0;       // bytes of this answer that the log has already
  std::uint64_t saved_end_ = 0;  // of the log when the place was last saved
  bool io_failed_ = false;       // and said so
};

}  // namespace stoker::agent
