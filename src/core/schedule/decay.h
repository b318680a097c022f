#pragma once
// e^(-t) in whole numbers, the same on every machine.
#include <cstdint>

#include "base/time.h"

namespace stoker::core {

inline constexpr int kDecayBits = 60;

// 2^60 e^(-passed / window), within 2^-50 of it. 2^60 when no time has passed or the clock went back.
std::uint64_t decay(Duration passed, Duration window);

// `value` after that time, when it is drawn towards `target`: value e^-t + target (1 - e^-t), rounded down.
std::int64_t drawn_towards(std::int64_t value, std::int64_t target, Duration passed, Duration window);

}  // namespace stoker::core
