#pragma once
// The thread that owns the streams of job output: appends what nodes ship, serves readers, keeps to the
// bounds.
#include <atomic>
#include <functional>
#include <string>

#include "joblog/store.h"
#include "rt/queue.h"
#include "rt/thread.h"

namespace stoker::server {

struct LogBounds {
  Duration age_max = days(30);                  // streams that have not grown for so long go
  std::uint64_t bytes_max = 20ull << 30;        // of all streams together; the longest quiet go first
  std::uint64_t stream_bytes_max = 256u << 20;  // of one; its middle goes
};

class LogThread {
 public:
  LogThread(joblog::LogStore store, LogBounds bounds);
  ~LogThread();  // finishes what was pushed

  // `work` runs on the thread; it may read and write files.
  void push(std::move_only_function<void(joblog::LogStore&)> work) { queue_.push(std::move(work)); }
  [[nodiscard]] const LogBounds& bounds() const { return bounds_; }

 private:
  void run();

  joblog::LogStore store_;
  LogBounds bounds_;
  rt::Queue<std::move_only_function<void(joblog::LogStore&)>> queue_;
  std::atomic<bool> stopping_ = false;
  rt::Thread thread_;
};

}  // namespace stoker::server
