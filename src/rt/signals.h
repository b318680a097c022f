#pragma once
// Signals as something that a loop waits for. Handlers interrupt code at any instruction; this does not.
#include <initializer_list>
#include <memory>
#include <optional>

#include "base/result.h"
#include "base/time.h"

namespace stoker::rt {

// Writing to a closed socket or pipe becomes an error of the write instead of the end of the process. For
// main.
void ignore_broken_pipes();

// Make it in main before any thread starts: threads inherit that the signals are blocked, and children
// started by spawn() do not. While it lives, the signals arrive here only. Destroying it restores the mask of
// its thread.
class Signals {
 public:
  // Usually {SIGTERM, SIGINT}.
  static Result<std::unique_ptr<Signals>> block(std::initializer_list<int> signals);
  virtual ~Signals() = default;
  // The next signal, or nothing when none has come within `most`.
  virtual std::optional<int> wait(Duration most) = 0;
  // Readable while a signal waits: for a loop of its own around poll(2).
  [[nodiscard]] virtual int fd() const = 0;
};

}  // namespace stoker::rt
