#include "joblog/reader.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/text.h"
#include "joblog/segments.h"
#include "rt/fd.h"

namespace stoker::joblog {
namespace {

// One segment file through a window of bytes.
class SegmentFile {
 public:
  // Nothing when it was dropped meanwhile.
  static Result<std::optional<SegmentFile>> open(const std::string& dir, const Segment& segment) {
    const int fd = ::open(segment_path(dir, segment.offset).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return std::optional<SegmentFile>{};
    if (fd < 0) return fail_errno("opening a log segment");
    SegmentFile file;
    file.fd_.reset(fd);
    file.bytes_ = segment.bytes;
    return std::optional<SegmentFile>(std::move(file));
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  // `count` bytes at `at`, valid until the next call; nothing when the file does not have them. Reads a block
  // of bytes around them: what follows when going forwards, what precedes when going backwards.
  enum class Direction { Forward, Backward };
  Result<const char*> view(std::uint64_t at, std::size_t count, Direction direction) {
    if (at + count > bytes_) return nullptr;
    if (at < from_ || at + count > from_ + window_.size()) {
      std::uint64_t from = at;
      if (direction == Direction::Backward) from = at + count > kWindowBytes ? at + count - kWindowBytes : 0;
      TRY(load(from, std::max<std::uint64_t>(kWindowBytes, count)));
      if (at + count > from_ + window_.size()) return nullptr;
    }
    return window_.data() + (at - from_);
  }

  // The whole frame at `at`; nothing when there is none (half written, or no frame's beginning).
  Result<std::optional<FrameHeader>> frame_at(std::uint64_t at, const char** text, Direction direction) {
    const char* bytes = TRY(view(at, kFrameHeaderBytes, direction));
    if (bytes == nullptr) return std::optional<FrameHeader>{};
    const auto header = read_frame_header(bytes);
    if (!header) return std::optional<FrameHeader>{};
    bytes = TRY(view(at, header->frame_bytes(), direction));
    if (bytes == nullptr) return std::optional<FrameHeader>{};
    if (std::memcmp(bytes, bytes + header->frame_bytes() - kFrameTrailerBytes, kFrameTrailerBytes) != 0)
      return std::optional<FrameHeader>{};
    if (text != nullptr) *text = bytes + kFrameHeaderBytes;
    return header;
  }

  // Where the frame begins that ends at `end`; nothing when none does.
  Result<std::optional<std::uint64_t>> frame_before(std::uint64_t end) {
    if (end < kFrameOverheadBytes) return std::optional<std::uint64_t>{};
    const char* trailer = TRY(view(end - kFrameTrailerBytes, kFrameTrailerBytes, Direction::Backward));
    if (trailer == nullptr) return std::optional<std::uint64_t>{};
    const auto size = read_frame_trailer(trailer);
    if (!size || *size > end) return std::optional<std::uint64_t>{};
    if (!TRY(frame_at(end - *size, nullptr, Direction::Backward))) return std::optional<std::uint64_t>{};
    return std::optional<std::uint64_t>(end - *size);
  }

 private:
  static constexpr std::size_t kWindowBytes = 128u << 10;  // more than a frame

  Result<void> load(std::uint64_t from, std::uint64_t count) {
    count = std::min(count, bytes_ - from);
    window_.resize(count);
    std::size_t have = 0;
    while (have < count) {
      const ssize_t got =
          ::pread(fd_.get(), window_.data() + have, count - have, static_cast<off_t>(from + have));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail_errno("reading a log segment");
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    window_.resize(have);
    from_ = from;
    return {};
  }

  rt::UniqueFd fd_;
  std::uint64_t bytes_ = 0;
  std::string window_;
  std::uint64_t from_ = 0;
};
using Direction = SegmentFile::Direction;

Event dropped_event(std::uint64_t from, std::uint64_t to, Instant time) {
  Event event;
  event.time = time;
  event.text = "[stoker: " + std::to_string(to - from) + " bytes of the log are not kept]";
  event.dropped = true;
  event.at = Position{from};
  return event;
}

Instant first_time_of(const std::string& dir, const Segment& segment) {
  auto file = SegmentFile::open(dir, segment);
  if (!file || !*file) return {};
  const auto header = (**file).frame_at(0, nullptr, Direction::Forward);
  return header && *header ? (*header)->time : Instant{};
}

class PageBuilder {
 public:
  explicit PageBuilder(ReadLimits limits) : limits_(limits) {}
  [[nodiscard]] bool has_room(std::size_t text_bytes) const {
    if (page.events.empty()) return true;
    return page.events.size() < limits_.events_max && bytes_ + text_bytes <= limits_.bytes_max;
  }
  void add(Event event) {
    bytes_ += event.text.size();
    page.events.push_back(std::move(event));
  }
  Page page;

 private:
  ReadLimits limits_;
  std::size_t bytes_ = 0;
};

// The end of the whole frames of a segment. Only the last may grow; half a frame elsewhere was left by a
// crash.
Result<std::uint64_t> frames_end(const std::string& dir, const Segment& segment) {
  auto file = TRY(SegmentFile::open(dir, segment));
  if (!file) return segment.offset;
  if (segment.bytes == 0) return segment.offset;
  if (TRY(file->frame_before(segment.bytes))) return segment.end();
  return segment.offset + TRY(whole_frames(segment_path(dir, segment.offset)));
}

}  // namespace

std::string Position::str() const {
  std::string text = segment_name(offset);
  return text.substr(0, 16);
}

std::optional<Position> Position::parse(std::string_view text) {
  if (text.size() != 16) return {};
  Position position;
  for (const char c : text) {
    const int digit = hex_digit(c);
    if (digit < 0) return {};
    position.offset = position.offset << 4 | static_cast<std::uint64_t>(digit);
  }
  if (position.offset > static_cast<std::uint64_t>(INT64_MAX)) return {};
  return position;
}

Result<Page> StreamReader::forward(Position from, ReadLimits limits) const {
  const std::vector<Segment> segments = TRY(list_segments(dir_));
  PageBuilder builder(limits);
  std::uint64_t at = from.offset;
  builder.page.first = from;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (segment.end() <= at) continue;
    auto file = TRY(SegmentFile::open(dir_, segment));
    if (!file) continue;
    if (at < segment.offset) {  // dropped, or the unreadable end of the segment before
      Event gap = dropped_event(at, segment.offset, first_time_of(dir_, segment));
      if (!builder.has_room(gap.text.size())) break;
      builder.add(std::move(gap));
      at = segment.offset;
    }
    bool full = false;
    while (at < segment.end()) {
      const char* text = nullptr;
      const auto header = TRY(file->frame_at(at - segment.offset, &text, Direction::Forward));
      if (!header) break;  // half written, damaged or no frame's beginning: go on with the next segment
      if (!builder.has_room(header->text_bytes)) {
        full = true;
        break;
      }
      Event event;
      event.time = header->time;
      event.text.assign(text, header->text_bytes);
      event.continues = (header->flags & kFlagContinues) != 0;
      event.at = Position{at};
      builder.add(std::move(event));
      at += header->frame_bytes();
    }
    if (full) {
      builder.page.next = Position{at};
      return std::move(builder.page);
    }
  }
  builder.page.next = Position{at};
  builder.page.at_end = segments.empty() || at >= TRY(end()).offset;
  // A place inside the last segment that is no event's beginning: nothing more will ever be found from there.
  if (builder.page.events.empty() && !builder.page.at_end) {
    builder.page.next = TRY(end());
    builder.page.at_end = true;
  }
  return std::move(builder.page);
}

Result<Page> StreamReader::backward(Position until, ReadLimits limits) const {
  std::vector<Segment> segments = TRY(list_segments(dir_));
  PageBuilder builder(limits);
  std::uint64_t at = until.offset;
  bool full = false;
  for (std::size_t i = segments.size(); i-- > 0 && !full;) {
    const Segment& segment = segments[i];
    if (segment.offset >= at) continue;
    auto file = TRY(SegmentFile::open(dir_, segment));
    if (!file) continue;
    const std::uint64_t whole = TRY(frames_end(dir_, segment));
    if (at > whole) {
      // Another segment follows, but not at once: bytes are missing. Behind the last there is nothing to
      // miss.
      if (i + 1 < segments.size()) {
        const std::uint64_t gap_end = std::min(at, segments[i + 1].offset);
        Event gap = dropped_event(whole, gap_end, first_time_of(dir_, segments[i + 1]));
        if (!builder.has_room(gap.text.size())) break;
        builder.add(std::move(gap));
      }
      at = whole;
    }
    while (at > segment.offset) {
      const auto begin = TRY(file->frame_before(at - segment.offset));
      if (!begin) {
        // No frame ends here (a forged place): the frames before it are found from the segment's beginning.
        at = segment.offset;
        break;
      }
      const char* text = nullptr;
      const auto header = TRY(file->frame_at(*begin, &text, Direction::Backward));
      ASSERT(header.has_value());
      if (!builder.has_room(header->text_bytes)) {
        full = true;
        break;
      }
      Event event;
      event.time = header->time;
      event.text.assign(text, header->text_bytes);
      event.continues = (header->flags & kFlagContinues) != 0;
      event.at = Position{segment.offset + *begin};
      builder.add(std::move(event));
      at = segment.offset + *begin;
    }
  }
  Page page = std::move(builder.page);
  page.at_end = !full && at <= (segments.empty() ? at : segments.front().offset);
  std::reverse(page.events.begin(), page.events.end());
  page.first = Position{at};
  page.next = until;
  if (const Position last = TRY(end()); page.next > last) page.next = last;
  return page;
}

Result<Position> StreamReader::at_time(Instant time) const {
  const std::vector<Segment> segments = TRY(list_segments(dir_));
  // The last segment that begins before `time` holds the place, or the place is its end.
  std::size_t low = 0;
  std::size_t high = segments.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (first_time_of(dir_, segments[middle]) < time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return Position{segments.empty() ? 0 : segments.front().offset};
  const Segment& segment = segments[low - 1];
  auto file = TRY(SegmentFile::open(dir_, segment));
  std::uint64_t at = 0;
  while (file && at < segment.bytes) {
    const auto header = TRY(file->frame_at(at, nullptr, Direction::Forward));
    if (!header || header->time >= time) break;
    at += header->frame_bytes();
  }
  return Position{segment.offset + at};
}

Result<Position> StreamReader::end() const {
  const std::vector<Segment> segments = TRY(list_segments(dir_));
  if (segments.empty()) return Position{};
  return Position{TRY(frames_end(dir_, segments.back()))};
}

Result<Instant> StreamReader::first_time() const {
  const std::vector<Segment> segments = TRY(list_segments(dir_));
  return segments.empty() ? Instant{} : first_time_of(dir_, segments.front());
}

Result<Instant> StreamReader::last_time() const {
  const Position last = TRY(end());
  const Page page = TRY(backward(last, {.events_max = 1}));
  return page.events.empty() ? Instant{} : page.events.back().time;
}

Result<std::uint64_t> StreamReader::stored_bytes() const {
  std::uint64_t bytes = 0;
  for (const Segment& segment : TRY(list_segments(dir_))) bytes += segment.bytes;
  return bytes;
}

}  // namespace stoker::joblog
