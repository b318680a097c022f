#include "joblog/writer.h"

#include <cstring>

#include "joblog/reader.h"

namespace stoker::joblog {

Result<Writer> Writer::open(std::string dir, std::uint64_t bytes_max) {
  const std::string where = dir;
  Writer writer(TRY(SegmentAppender::open(std::move(dir), bytes_max)));
  if (!writer.segments_.segments().empty()) {
    const Segment last = writer.segments_.segments().back();
    const std::uint64_t good = TRY(whole_frames(segment_path(where, last.offset)));
    if (good < last.bytes) TRY(writer.segments_.truncate_last(good));
    writer.last_time_ = TRY(StreamReader(where).last_time());
  }
  return writer;
}

void Writer::add(Instant time, std::string_view text, std::uint32_t flags) {
  if (time < last_time_) time = last_time_;
  last_time_ = time;
  append_frame(pending_, time, text.substr(0, kEventBytesMax), flags);
}

Result<void> Writer::flush() {
  if (pending_.empty()) return {};
  auto result = tell_of_loss();
  if (result)
    result = write_frames(pending_);
  else
    count_loss(pending_.size());
  pending_.clear();
  return result;
}

void Writer::count_loss(std::size_t bytes) {
  lost_bytes_ += bytes;
  if (untold_bytes_ == 0) lost_at_ = last_time_;
  untold_bytes_ += bytes;
}

Result<void> Writer::tell_of_loss() {
  if (untold_bytes_ == 0) return {};
  std::string frame;
  append_frame(frame, lost_at_,
               "stoker: about " + std::to_string(untold_bytes_) +
                   " bytes of output are missing here: the disk of the node did not take them",
               0);
  if (segments_.room() < frame.size()) TRY(segments_.begin_segment(segments_.end()));
  TRY(segments_.append(frame));
  untold_bytes_ = 0;
  return {};
}

// In pieces that end with a frame and fit into the current segment.
Result<void> Writer::write_frames(std::string_view frames) {
  while (!frames.empty()) {
    std::uint64_t room = segments_.room();
    std::size_t piece = 0;
    while (piece < frames.size()) {
      const std::size_t frame = read_frame_header(frames.data() + piece)->frame_bytes();
      if (piece + frame > room) break;
      piece += frame;
    }
    auto done =
        piece == 0 ? segments_.begin_segment(segments_.end()) : segments_.append(frames.substr(0, piece));
    if (!done) {
      count_loss(frames.size());
      return done;
    }
    frames.remove_prefix(piece);
  }
  return {};
}

void LineSplitter::feed(Instant now, std::string_view bytes) {
  while (!bytes.empty()) {
    const void* found = std::memchr(bytes.data(), '\n', bytes.size());
    const std::size_t length = found == nullptr
                                   ? bytes.size()
                                   : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    std::string_view piece = bytes.substr(0, length);
    bytes.remove_prefix(found == nullptr ? length : length + 1);
    // A long line leaves in full events; at least one byte stays behind, so that the last piece is known as
    // such.
    while (line_.size() + piece.size() > kEventBytesMax) {
      const std::size_t part = kEventBytesMax - line_.size();
      if (line_.empty()) {
        out_.add(now, piece.substr(0, part), kFlagContinues);
      } else {
        line_.append(piece.substr(0, part));
        out_.add(now, line_, kFlagContinues);
        line_.clear();
      }
      piece.remove_prefix(part);
    }
    if (found == nullptr) {
      line_.append(piece);
      return;
    }
    std::string_view line = piece;
    if (!line_.empty()) {
      line_.append(piece);
      line = line_;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    // The end of a line that is out already would only make an empty event.
    if (!(flushed_ && line.empty())) out_.add(now, line);
    flushed_ = false;
    line_.clear();
  }
}

void LineSplitter::flush(Instant now, Flush why) {
  if (line_.empty()) return;
  out_.add(now, line_, why == Flush::Quiet ? kFlagContinues : 0);
  line_.clear();
  flushed_ = why == Flush::Quiet;
}

}  // namespace stoker::joblog
