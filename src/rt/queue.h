#pragma once
// The one way data goes between threads: many producers, one consumer that takes all that waits at once.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "base/time.h"

namespace stoker::rt {

template <class T>
class Queue {
 public:
  void push(T item) {
    bool wake = false;
    {
      const std::lock_guard lock(mutex_);
      wake = items_.empty();
      items_.push_back(std::move(item));
    }
    if (wake) ready_.notify_one();
  }

  // Waits until something is there or `most` has passed, then swaps everything into `out` (which is cleared
  // first).
  void take_all(std::vector<T>& out, Duration most) {
    out.clear();
    std::unique_lock lock(mutex_);
    if (items_.empty() && most.ms > 0)
      ready_.wait_for(lock, std::chrono::milliseconds(most.ms), [&] { return !items_.empty(); });
    out.swap(items_);
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<T> items_;
};

}  // namespace stoker::rt
