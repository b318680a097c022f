#include "supervisor/output.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "joblog/writer.h"
#include "supervisor/protocol.h"

namespace stoker::supervisor {
namespace {
constexpr std::size_t kReadBytes = 64u << 10;  // a pipe holds as much
char g_buffer[kReadBytes];
}  // namespace

struct Output::Log {
  explicit Log(joblog::Writer opened) : writer(std::move(opened)) {}
  joblog::Writer writer;
  joblog::LineSplitter lines{writer};
};

Output::Output(int pipe, const char* run_dir, std::uint64_t log_bytes_max)
    : pipe_(pipe), run_dir_(run_dir), log_bytes_max_(log_bytes_max) {
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Output::~Output() = default;

bool Output::pump(Instant now, std::size_t bytes_max) {
  bool any = false;
  while (pipe_ >= 0 && bytes_max > 0) {
    const ssize_t got = ::read(pipe_, g_buffer, std::min(sizeof g_buffer, bytes_max));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) {
      ::close(pipe_);
      pipe_ = -1;
      break;
    }
    any = true;
    bytes_max -= static_cast<std::size_t>(got);
    take(now, g_buffer, static_cast<std::size_t>(got));
  }
  return any;
}

void Output::take(Instant now, const char* bytes, std::size_t count) {
  if (!log_ && !broken_) {
    auto opened = joblog::Writer::open(std::string(run_dir_) + '/' + kLogDirectory, log_bytes_max_);
    if (opened)
      log_ = std::make_unique<Log>(*std::move(opened));
    else
      broken_ = true;
  }
  if (!log_) return;
  log_->lines.feed(now, {bytes, count});
  if (log_->writer.pending_bytes() == 0) return;
  (void)log_->writer.flush();  // a full disk loses log lines, not the job
  written_ = log_->writer.end();
}

void Output::finish(Instant now) {
  if (!log_) return;
  log_->lines.flush(now, joblog::LineSplitter::Flush::End);
  (void)log_->writer.flush();
  written_ = log_->writer.end();
}

void Output::show_partial_line(Instant now) {
  if (!log_) return;
  log_->lines.flush(now, joblog::LineSplitter::Flush::Quiet);
  (void)log_->writer.flush();
  written_ = log_->writer.end();
}

bool Output::has_partial_line() const {
  return log_ && log_->lines.has_partial_line();
}

}  // namespace stoker::supervisor
