#pragma once
// A value that several threads use, only ever under its lock. Keep what is done with it short.
#include <mutex>
#include <utility>

namespace stoker::rt {

template <class T>
class Guarded {
 public:
  template <class F>
  auto with(F&& use) {
    const std::lock_guard lock(mutex_);
    return std::forward<F>(use)(value_);
  }

 private:
  std::mutex mutex_;
  T value_;
};

}  // namespace stoker::rt
