#include "rt/clock.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include <sys/random.h>
#include <time.h>

#include "base/assert.h"

namespace stoker::rt {
namespace {

// Random words of one thread. One system call fills it; a used word is wiped, so that a later look at our
// memory tells nothing about ids and tokens already given out.
struct EntropyPool {
  std::array<std::uint64_t, 32> words{};
  std::size_t left = 0;

  void fill() {
    auto* bytes = reinterpret_cast<char*>(words.data());
    std::size_t have = 0;
    while (have < sizeof words) {
      const ssize_t got = ::getrandom(bytes + have, sizeof words - have, 0);
      if (got < 0 && errno == EINTR) continue;
      ASSERT(got > 0, "the kernel gives no random bytes");
      have += static_cast<std::size_t>(got);
    }
    left = words.size();
  }
};

std::int64_t read_clock(clockid_t id, std::int64_t units_per_second) {
  timespec t{};
  ::clock_gettime(id, &t);
  return t.tv_sec * units_per_second + t.tv_nsec / (1'000'000'000 / units_per_second);
}

}  // namespace

Instant now() {
  return {read_clock(CLOCK_REALTIME, 1000)};
}

std::uint64_t monotonic_us() {
  return static_cast<std::uint64_t>(read_clock(CLOCK_MONOTONIC, 1'000'000));
}

std::uint64_t entropy() {
  thread_local EntropyPool pool;
  if (pool.left == 0) pool.fill();
  return std::exchange(pool.words[--pool.left], 0);
}

Uuid new_uuid() {
  const std::uint64_t high = entropy();
  return Uuid::from_random(high, entropy());
}

}  // namespace stoker::rt
