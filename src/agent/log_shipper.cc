#include "agent/log_shipper.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "joblog/reader.h"
#include "rt/fd.h"

namespace stoker::agent {
namespace {

// How many bytes of the buffer's beginning are whole frames.
std::size_t whole_frames_in(std::string_view bytes) {
  std::size_t at = 0;
  while (bytes.size() - at >= joblog::kFrameHeaderBytes) {
    const auto header = joblog::read_frame_header(bytes.data() + at);
    if (!header || bytes.size() - at < header->frame_bytes()) break;
    at += header->frame_bytes();
  }
  return at;
}

Result<std::string> read_at(const std::string& path, std::uint64_t at, std::size_t bytes) {
  const rt::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    if (errno == ENOENT) return std::string();  // dropped meanwhile
    return fail_errno("opening " + path);
  }
  std::string out(bytes, '\0');
  ssize_t got = 0;
  do got = ::pread(file.get(), out.data(), bytes, static_cast<off_t>(at));
  while (got < 0 && errno == EINTR);
  if (got < 0) return fail_errno("reading " + path);
  out.resize(static_cast<std::size_t>(got));
  return out;
}

}  // namespace

void LogShipper::acknowledge(std::uint64_t next) {
  if (!acknowledged_) sent_ = next;
  if (!acknowledged_ || next > *acknowledged_) acknowledged_ = next;
  if (sent_ < next) sent_ = next;
}

void LogShipper::lose_connection() {
  acknowledged_.reset();
  sent_ = 0;
}

Result<std::optional<wire::LogChunk>> LogShipper::next_chunk(const wire::Token& token) {
  std::optional<wire::LogChunk> none;
  if (!acknowledged_) return none;
  for (const joblog::Segment& segment : TRY(joblog::list_segments(dir_))) {
    if (segment.end() <= sent_) continue;
    const std::uint64_t from = std::max(sent_, segment.offset);
    // The window counts bytes under way; a jump over dropped ones takes none of it.
    if (in_flight() >= kRunWindowBytes) return none;
    const std::size_t bytes = static_cast<std::size_t>(std::min(segment.end() - from, kChunkBytesMax));
    std::string data = TRY(read_at(joblog::segment_path(dir_, segment.offset), from - segment.offset, bytes));
    data.resize(whole_frames_in(data));
    if (data.empty())
      continue;  // half a frame: of a crash when another segment follows, else not yet written
    if (from > sent_ && in_flight() == 0) acknowledged_ = from;
    sent_ = from + data.size();
    return wire::LogChunk{token, from, std::move(data)};
  }
  return none;
}

Result<std::uint64_t> LogShipper::stored_bytes() const {
  return joblog::StreamReader(dir_).stored_bytes();
}

Result<void> LogShipper::drop_middle() {
  const std::vector<joblog::Segment> segments = TRY(joblog::list_segments(dir_));
  for (std::size_t i = 1; i + 1 < segments.size(); ++i)
    ::unlink(joblog::segment_path(dir_, segments[i].offset).c_str());
  return {};
}

Result<bool> LogShipper::complete() {
  const std::vector<joblog::Segment> segments = TRY(joblog::list_segments(dir_));
  bool any = false;
  for (const joblog::Segment& segment : segments) any = any || segment.bytes > 0;
  if (!any) return true;
  if (!acknowledged_) return false;
  const joblog::Position end = TRY(joblog::StreamReader(dir_).end());
  return *acknowledged_ >= end.offset;
}

}  // namespace stoker::agent
