#include "joblog/replica.h"

#include "rt/file.h"

namespace stoker::joblog {

Result<StreamReplica> StreamReplica::open(std::string dir, std::uint64_t bytes_max) {
  const std::string where = dir;
  StreamReplica it(TRY(SegmentAppender::open(std::move(dir), bytes_max)));
  if (it.segments_.segments().empty()) return it;
  // Where the last segment ends within a frame, the rest of it is what comes next.
  const Segment last = it.segments_.segments().back();
  const std::string path = segment_path(where, last.offset);
  const std::uint64_t whole = TRY(whole_frames(path));
  const std::uint64_t begun = last.bytes - whole;
  if (begun == 0) return it;
  const std::string all = TRY(rt::read_file(path, kSegmentBytesMax + kFrameBytesMax));
  if (begun < kFrameHeaderBytes) {
    it.header_ = all.substr(whole);
  } else if (const auto header = read_frame_header(all.data() + whole);
             header && header->frame_bytes() > begun) {
    it.frame_rest_ = header->frame_bytes() - begun;
  }
  return it;
}

Result<std::uint64_t> StreamReplica::append(std::uint64_t offset, std::string_view bytes) {
  if (offset + bytes.size() <= end()) return end();
  if (offset < end()) {
    bytes.remove_prefix(end() - offset);
    offset = end();
  }
  if (offset > end() || segments_.segments().empty()) {
    TRY(segments_.begin_segment(offset));
    header_.clear();
    frame_rest_ = 0;
  }
  std::size_t written = 0;  // of `bytes`
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (between_frames() && segments_.bytes() > 0 &&
        segments_.segments().back().bytes + (at - written) >= segments_.segment_bytes()) {
      TRY(segments_.append(bytes.substr(written, at - written)));
      TRY(segments_.begin_segment(end()));
      written = at;
    }
    if (frame_rest_ == 0) {
      const std::size_t part = std::min(kFrameHeaderBytes - header_.size(), bytes.size() - at);
      header_.append(bytes.substr(at, part));
      at += part;
      if (header_.size() < kFrameHeaderBytes) break;
      const auto header = read_frame_header(header_.data());
      header_.clear();
      if (!header) {  // damaged: the next chunk begins a frame
        at = bytes.size();
        break;
      }
      frame_rest_ = header->frame_bytes() - kFrameHeaderBytes;
    }
    const std::size_t part = std::min(frame_rest_, bytes.size() - at);
    frame_rest_ -= part;
    at += part;
  }
  TRY(segments_.append(bytes.substr(written)));
  return end();
}

}  // namespace stoker::joblog
