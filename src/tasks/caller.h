#pragma once
// HTTP calls of one worker: connections that stay open, tries, interruption from another thread.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "tasks/task.h"

namespace stoker::tasks {

class Caller {
 public:
  explicit Caller(const Options& options) : options_(options) {}

  struct Call {
    std::string base;  // "https://host:port"
    Duration timeout;  // of one try
    std::size_t bytes_max = kAnswerBytesMax;
    bool repeatable = false;  // doing it twice is doing it once
    bool retry_busy = true;   // 429 and 503 are tried again
    // The request of one try; called anew for each, since signatures have the time in them.
    std::function<net::Request()> request;
  };
  // Unavailable when there was no answer, LimitExceeded when it was larger than bytes_max.
  Result<net::Response> send(const Call& call);

  // The calls of one task. While `cancelled`, send() fails at once.
  void begin_task();
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  // From another thread.
  void cancel();

 private:
  Result<net::Response> send_once(const Call& call);
  bool worth_repeating(const Call& call, const Result<net::Response>& response);
  net::Client& client(const Call& call);
  // False when cancelled meanwhile.
  bool wait(Duration delay);

  const Options& options_;
  std::map<std::string, std::unique_ptr<net::Client>> clients_;
  std::mutex mutex_;
  std::condition_variable wake_;
  net::Client* calling_ = nullptr;
  std::atomic<bool> cancelled_{false};
};

}  // namespace stoker::tasks
