#include "joblog/format.h"

#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace stoker::joblog {
namespace {

constexpr std::string_view kSuffix = ".log";
constexpr std::size_t kOffsetDigits = 16;

void put_little(char* out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out[i] = static_cast<char>((value >> (8 * i)) & 0xff);
}

std::uint64_t get_little(const char* in, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(in[i])) << (8 * i);
  return value;
}

std::optional<std::uint64_t> parse_segment_name(std::string_view name) {
  if (name.size() != kOffsetDigits + kSuffix.size() || !name.ends_with(kSuffix)) return {};
  std::uint64_t offset = 0;
  for (const char c : name.substr(0, kOffsetDigits)) {
    const int digit = hex_digit(c);
    if (digit < 0) return {};
    offset = offset << 4 | static_cast<std::uint64_t>(digit);
  }
  if (offset > static_cast<std::uint64_t>(INT64_MAX) / 2) return {};
  return offset;
}

}  // namespace

void append_frame(std::string& out, Instant time, std::string_view text, std::uint32_t flags) {
  const std::uint64_t word = static_cast<std::uint64_t>(text.size()) | static_cast<std::uint64_t>(flags)
                                                                           << 24;
  char header[kFrameHeaderBytes];
  put_little(header, word, 4);
  put_little(header + 4, static_cast<std::uint64_t>(time.ms), 8);
  out.append(header, kFrameHeaderBytes);
  out.append(text);
  out.append(header, kFrameTrailerBytes);
}

std::optional<FrameHeader> read_frame_header(const char* bytes) {
  const auto word = static_cast<std::uint32_t>(get_little(bytes, 4));
  FrameHeader header;
  header.text_bytes = word & 0xffffff;
  header.flags = word >> 24;
  header.time = Instant{static_cast<std::int64_t>(get_little(bytes + 4, 8))};
  if (header.text_bytes > kEventBytesMax) return {};
  return header;
}

std::optional<std::size_t> read_frame_trailer(const char* bytes) {
  const std::size_t text_bytes = get_little(bytes, 4) & 0xffffff;
  if (text_bytes > kEventBytesMax) return {};
  return text_bytes + kFrameOverheadBytes;
}

std::uint64_t segment_bytes_for(std::uint64_t stream_bytes_max) {
  return std::min(std::max(stream_bytes_max / 8, kSegmentBytesMin), kSegmentBytesMax);
}

std::string segment_name(std::uint64_t offset) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string name(kOffsetDigits, '0');
  for (std::size_t i = 0; i < kOffsetDigits; ++i)
    name[kOffsetDigits - 1 - i] = kHex[(offset >> (4 * i)) & 15];
  name += kSuffix;
  return name;
}

std::string segment_path(const std::string& dir, std::uint64_t offset) {
  return dir + '/' + segment_name(offset);
}

Result<std::vector<Segment>> list_segments(const std::string& dir) {
  std::vector<Segment> segments;
  DIR* stream = ::opendir(dir.c_str());
  if (stream == nullptr) {
    if (errno == ENOENT) return segments;
    return fail_errno("opening the log " + dir);
  }
  while (const dirent* entry = ::readdir(stream)) {
    const auto offset = parse_segment_name(entry->d_name);
    if (!offset) continue;
    struct stat status{};
    if (::fstatat(::dirfd(stream), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    segments.push_back({*offset, static_cast<std::uint64_t>(status.st_size)});
  }
  ::closedir(stream);
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.offset < b.offset; });
  return segments;
}

}  // namespace stoker::joblog
