#pragma once
// A thread with a name that top, gdb and the crash report show.
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace stoker::rt {

// At most 15 characters are kept: the kernel's bound.
void name_this_thread(std::string_view name);

// Joins when destroyed or replaced. What it runs must know by itself when to end, and lets no exception out.
class Thread {
 public:
  Thread() = default;
  Thread(std::string name, std::move_only_function<void()> body);
  Thread(Thread&&) noexcept = default;
  Thread& operator=(Thread&& other) noexcept {
    join();
    thread_ = std::move(other.thread_);
    return *this;
  }
  ~Thread() { join(); }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] bool running() const { return thread_.joinable(); }

 private:
  std::thread thread_;
};

}  // namespace stoker::rt
