#include "core/schedule/decay.h"

#include "base/assert.h"

namespace stoker::core {
namespace {

__extension__ using Wide = __int128;
constexpr std::uint64_t kOne = std::uint64_t{1} << kDecayBits;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * static_cast<Wide>(b) >> kDecayBits);
}

// e^-x for 0 <= x <= 1: the series, whose 20th term is below the last bit.
constexpr std::uint64_t small_decay(std::uint64_t x) {
  std::uint64_t term = kOne;
  std::uint64_t sum = kOne;
  for (std::uint64_t k = 1; k <= 20; ++k) {
    term = times(term, x) / k;
    sum = k % 2 == 1 ? sum - term : sum + term;
  }
  return sum;
}
constexpr std::uint64_t kOneLess = small_decay(kOne);  // 1/e

constexpr std::int64_t kGone = 42;  // e^-42 < 2^-60

}  // namespace

std::uint64_t decay(Duration passed, Duration window) {
  ASSERT(window.ms > 0, "a window that ends");
  if (passed.ms <= 0) return kOne;
  const std::int64_t whole = passed.ms / window.ms;
  if (whole >= kGone) return 0;
  const auto rest = static_cast<Wide>(passed.ms % window.ms) << kDecayBits;
  std::uint64_t factor = small_decay(static_cast<std::uint64_t>(rest / window.ms));
  for (std::int64_t i = 0; i < whole; ++i) factor = times(factor, kOneLess);
  return factor;
}

std::int64_t drawn_towards(std::int64_t value, std::int64_t target, Duration passed, Duration window) {
  const std::uint64_t factor = decay(passed, window);
  const Wide kept = static_cast<Wide>(value) * factor;
  const Wide drawn = static_cast<Wide>(target) * (kOne - factor);
  return static_cast<std::int64_t>((kept + drawn) >> kDecayBits);
}

}  // namespace stoker::core
