#include "server/log_thread.h"

#include "log/log.h"
#include "rt/clock.h"

namespace stoker::server {
namespace {
constexpr Duration kEnforceEvery = minutes(5);
}

LogThread::LogThread(joblog::LogStore store, LogBounds bounds)
    : store_(std::move(store)), bounds_(bounds), thread_("logs", [this] { run(); }) {}

LogThread::~LogThread() {
  stopping_ = true;
  queue_.push([](joblog::LogStore&) {});  // wakes it up
  thread_.join();
}

void LogThread::run() {
  std::vector<std::move_only_function<void(joblog::LogStore&)>> batch;
  Instant enforce_at = rt::now();
  while (true) {
    const bool last = stopping_;
    queue_.take_all(batch, last ? Duration{} : kEnforceEvery);
    for (auto& work : batch) work(store_);
    if (last) return;
    if (const Instant now = rt::now(); now >= enforce_at) {
      enforce_at = now + kEnforceEvery;
      for (const std::string& token : store_.enforce(now, bounds_.age_max, bounds_.bytes_max))
        log::info("log_stream_removed", {{"token", token}});
    }
  }
}

}  // namespace stoker::server
