#pragma once
// What a machine's time costs: who sells it how.
#include <cstdint>
#include <span>

#include "base/money.h"

namespace stoker::cost {

// AWS bills Linux by the second with a minute at every start, and nothing for a spot machine that it takes
// back within the first hour. The hourly rule is for comparison with older or other sellers.
struct BillingRule {
  Duration unit = seconds(1);  // begun units are paid
  Duration minimum = minutes(1);
  Duration free_if_reclaimed_within = hours(1);
  bool operator==(const BillingRule&) const = default;
};
inline constexpr BillingRule kPerSecond{};
inline constexpr BillingRule kPerHour{.unit = hours(1), .minimum = hours(1), .free_if_reclaimed_within = {}};

// A price that holds from `from` until the next entry.
struct PriceStep {
  Instant from;
  Money per_hour;
  bool operator==(const PriceStep&) const = default;
};

// How long a machine that ran from `start` to `end` is paid for: from the start, so the end may lie in the
// future.
Instant paid_until(const BillingRule& rule, Instant start, Instant end);

// The unit of exact sums: millionths of a dollar per hour times milliseconds.
inline constexpr Wide kUnitsPerMicro = 3'600'000;
// Sum of price times time over [from, to), in that unit. The first price holds before its `from`, too.
Wide exact_cost(std::span<const PriceStep> prices, Instant from, Instant to);
// To the nearest millionth.
Money rounded(Wide units);

}  // namespace stoker::cost
