#include "rt/signals.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/fd.h"

namespace stoker::rt {
namespace {

class BlockedSignals final : public Signals {
 public:
  BlockedSignals(UniqueFd fd, sigset_t before) : fd_(std::move(fd)), before_(before) {}
  ~BlockedSignals() override { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  std::optional<int> wait(Duration most) override {
    const std::int64_t end = static_cast<std::int64_t>(monotonic_us() / 1000) + most.ms;
    for (;;) {
      signalfd_siginfo info{};
      if (::read(fd_.get(), &info, sizeof info) == sizeof info) return static_cast<int>(info.ssi_signo);
      const std::int64_t left = end - static_cast<std::int64_t>(monotonic_us() / 1000);
      if (left < 0) return std::nullopt;
      pollfd ready{.fd = fd_.get(), .events = POLLIN, .revents = 0};
      ::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
      if (left == 0 && ready.revents == 0) return std::nullopt;
    }
  }

  [[nodiscard]] int fd() const override { return fd_.get(); }

 private:
  UniqueFd fd_;
  sigset_t before_;
};

}  // namespace

void ignore_broken_pipes() {
  ::signal(SIGPIPE, SIG_IGN);
}

Result<std::unique_ptr<Signals>> Signals::block(std::initializer_list<int> signals) {
  sigset_t set;
  sigset_t before;
  ::sigemptyset(&set);
  for (const int signal : signals) ::sigaddset(&set, signal);
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return fail_errno("signalfd");
  if (const int refusal = ::pthread_sigmask(SIG_BLOCK, &set, &before); refusal != 0) {
    errno = refusal;
    return fail_errno("blocking signals");
  }
  return std::make_unique<BlockedSignals>(std::move(fd), before);
}

}  // namespace stoker::rt
