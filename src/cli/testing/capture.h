#pragma once
// A context for tests: what is written is kept, time and signals come from the test.
#include <string>
#include <utility>
#include <vector>

#include "cli/context.h"
#include "rt/clock.h"

namespace stoker::cli::testing {

// Signals that arrive when the test says so: `waits` waits bring nothing, then comes the signal.
struct PlannedSignal {
  int waits = 0;
  int signal = 0;
};

class FakeSignals : public rt::Signals {
 public:
  explicit FakeSignals(std::vector<PlannedSignal>& plan) : plan_(plan) {}
  std::optional<int> wait(Duration) override {
    if (plan_.empty()) return std::nullopt;
    if (plan_.front().waits-- > 0) return std::nullopt;
    const int signal = plan_.front().signal;
    plan_.erase(plan_.begin());
    return signal;
  }
  [[nodiscard]] int fd() const override { return -1; }

 private:
  std::vector<PlannedSignal>& plan_;
};

struct Captured {
  std::string out;
  std::string err;
  std::vector<PlannedSignal> plan;
  Instant now{1'000'000'000};
  Duration step = seconds(1);  // that passes between two looks at the clock: whoever waits gets on
  Context context;

  Captured() {
    context.directory = "/home/ada/project";
    context.out.write = [this](std::string_view text) { out += text; };
    context.err.write = [this](std::string_view text) { err += text; };
    context.now = [this] { return now = now + step; };
    context.signals = [this](std::initializer_list<int>) -> Result<std::unique_ptr<rt::Signals>> {
      return std::make_unique<FakeSignals>(plan);
    };
    context.keyboard = []() -> std::unique_ptr<Keyboard> { return nullptr; };
    context.size = [] { return Size{}; };
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
};

}  // namespace stoker::cli::testing
