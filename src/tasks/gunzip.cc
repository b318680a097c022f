#include "tasks/gunzip.h"

#include <zlib.h>

namespace stoker::tasks {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstandard = "\x28\xb5\x2f\xfd";
constexpr int kGzipOnly = 16 + MAX_WBITS;
constexpr std::size_t kOutBytes = 256 * 1024;

}  // namespace

struct Gunzip::Stream {
  Stream() { ok = inflateInit2(&z, kGzipOnly) == Z_OK; }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  z_stream z{};
  bool ok = false;
  bool between = false;  // a member is over
  std::string out = std::string(kOutBytes, '\0');
};

Gunzip::Gunzip(OnBytes on_bytes) : on_bytes_(std::move(on_bytes)) {}
Gunzip::~Gunzip() = default;

Result<void> Gunzip::decide() {
  decided_ = true;
  if (head_.starts_with(kZstandard))
    return fail(Code::NotSupported, "The object is compressed with Zstandard; this server reads gzip");
  if (head_.starts_with(kGzip)) {
    stream_ = std::make_unique<Stream>();
    if (!stream_->ok) return fail(Code::LimitExceeded, "There is no memory for decompression");
  }
  const std::string head = std::exchange(head_, {});
  return feed(head);
}

Result<void> Gunzip::feed(std::string_view bytes) {
  if (!decided_) {
    head_ += bytes;
    return head_.size() < kZstandard.size() ? Result<void>() : decide();
  }
  if (bytes.empty()) return {};
  return stream_ ? inflate(bytes) : on_bytes_(bytes);
}

Result<void> Gunzip::inflate(std::string_view bytes) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  bool more = true;
  while (z.avail_in > 0 || more) {
    if (std::exchange(stream_->between, false)) inflateReset(&z);
    z.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
    z.avail_out = kOutBytes;
    const int status = ::inflate(&z, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return fail(Code::InvalidArgument, "The object is no valid gzip");
    const std::size_t got = kOutBytes - z.avail_out;
    if (got > 0)
      if (auto taken = on_bytes_(std::string_view(stream_->out).substr(0, got)); !taken) return taken;
    more = z.avail_out == 0;
    if (status == Z_STREAM_END) {
      stream_->between = true;
      more = false;
    } else if (status == Z_BUF_ERROR) {
      more = false;
    }
  }
  return {};
}

Result<void> Gunzip::finish() {
  if (!decided_)
    if (auto done = decide(); !done) return done;
  if (stream_ && !stream_->between)
    return fail(Code::InvalidArgument, "The object ends in the middle of its gzip");
  return {};
}

}  // namespace stoker::tasks
