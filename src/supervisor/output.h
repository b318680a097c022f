#pragma once
// The job's output: from its pipe into its log.
#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"

namespace stoker::joblog {
class Writer;
class LineSplitter;
}  // namespace stoker::joblog

namespace stoker::supervisor {

// Takes memory only once there is output: most supervisors of short jobs see none.
class Output {
 public:
  Output(int pipe, const char* run_dir, std::uint64_t log_bytes_max);
  ~Output();

  [[nodiscard]] int pipe() const { return pipe_; }  // -1 after its end
  // Reads what is there, at most `bytes_max` (a writer may be faster than any reader). Returns false when
  // nothing was there.
  bool pump(Instant now, std::size_t bytes_max);
  // Writes an incomplete line: at the end, or because nothing came for a while.
  void finish(Instant now);
  void show_partial_line(Instant now);
  [[nodiscard]] bool has_partial_line() const;
  [[nodiscard]] std::uint64_t written() const { return written_; }  // grows with every byte in the log

 private:
  struct Log;
  void take(Instant now, const char* bytes, std::size_t count);

  int pipe_;
  const char* run_dir_;
  std::uint64_t log_bytes_max_;
  std::unique_ptr<Log> log_;
  bool broken_ =
      false;  // the log could not be opened: the output is read and dropped, so that the job goes on
  std::uint64_t written_ = 0;
};

}  // namespace stoker::supervisor
