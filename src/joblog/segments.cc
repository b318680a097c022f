#include "joblog/segments.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"

namespace stoker::joblog {

Result<SegmentAppender> SegmentAppender::open(std::string dir, std::uint64_t bytes_max) {
  SegmentAppender it;
  it.dir_ = std::move(dir);
  it.bytes_max_ = std::max(bytes_max, kStreamBytesMin);
  it.segment_bytes_ = segment_bytes_for(it.bytes_max_);
  it.segments_ = TRY(list_segments(it.dir_));
  for (const Segment& segment : it.segments_) it.bytes_ += segment.bytes;
  return it;
}

std::uint64_t SegmentAppender::room() const {
  if (segments_.empty() || segments_.back().bytes >= segment_bytes_) return 0;
  return segment_bytes_ - segments_.back().bytes;
}

Result<void> SegmentAppender::begin_segment(std::uint64_t offset) {
  ASSERT(offset >= end());
  if (!segments_.empty() && segments_.back().offset == offset) return {};  // an empty one is there already
  const std::string path = segment_path(dir_, offset);
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0 && errno == ENOENT) {
    if (::mkdir(dir_.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno("making the log " + dir_);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  }
  if (fd < 0) return fail_errno("making " + path);
  file_.reset(fd);
  segments_.push_back({offset, 0});
  drop_middle();
  return {};
}

Result<void> SegmentAppender::open_last() {
  if (file_) return {};
  const std::string path = segment_path(dir_, segments_.back().offset);
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return fail_errno("opening " + path);
  file_.reset(fd);
  return {};
}

Result<void> SegmentAppender::append(std::string_view bytes) {
  ASSERT(!segments_.empty());
  TRY(open_last());
  const std::uint64_t before = segments_.back().bytes;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      auto failure = fail_errno("writing " + segment_path(dir_, segments_.back().offset));
      (void)truncate_last(before);  // half a frame would hide what is appended after it
      return failure;
    }
    segments_.back().bytes += static_cast<std::uint64_t>(written);
    bytes_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> SegmentAppender::truncate_last(std::uint64_t bytes) {
  ASSERT(!segments_.empty() && bytes <= segments_.back().bytes);
  TRY(open_last());
  if (::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) return fail_errno("cutting a log segment");
  bytes_ -= segments_.back().bytes - bytes;
  segments_.back().bytes = bytes;
  return {};
}

// Called when a segment begins: room for the whole of it is made now, so that the sum stays below the bound
// while it grows.
void SegmentAppender::drop_middle() {
  while (segments_.size() > 2 && bytes_ + segment_bytes_ > bytes_max_) {
    ::unlink(segment_path(dir_, segments_[1].offset).c_str());
    bytes_ -= segments_[1].bytes;
    segments_.erase(segments_.begin() + 1);
  }
}

Result<std::uint64_t> whole_frames(const std::string& path) {
  rt::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail_errno("opening " + path);
  std::string buffer(256u << 10, '\0');
  std::uint64_t good = 0;
  for (;;) {
    const ssize_t got = ::pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(good));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("reading " + path);
    const auto have = static_cast<std::size_t>(got);
    std::size_t at = 0;
    while (have - at >= kFrameHeaderBytes) {
      const auto header = read_frame_header(buffer.data() + at);
      if (!header) return good + at;
      if (have - at < header->frame_bytes()) break;
      at += header->frame_bytes();
    }
    if (at == 0) return good;  // the buffer holds more than a frame: what is left is half of one
    good += at;
  }
}

}  // namespace stoker::joblog
