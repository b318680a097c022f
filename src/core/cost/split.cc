#include "core/cost/split.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace stoker::cost {
namespace {

// A weight beyond this would overflow when multiplied by a large amount: both are then made smaller alike.
constexpr Wide kWeightsMax = static_cast<Wide>(1) << 84;

}  // namespace

std::vector<Money> split(Money amount, std::span<const Wide> weights) {
  std::vector<Money> parts(weights.size());
  if (weights.empty()) {
    ASSERT(amount == Money{}, "an amount that nobody takes");
    return parts;
  }
  Wide sum = std::accumulate(weights.begin(), weights.end(), Wide{0});
  if (sum == 0) {
    parts[0] = amount;
    return parts;
  }
  ASSERT(sum > 0, "negative weights");
  std::vector<Wide> scaled(weights.begin(), weights.end());
  for (; sum > kWeightsMax; sum = std::accumulate(scaled.begin(), scaled.end(), Wide{0}))
    for (Wide& weight : scaled) weight = (weight + 1) / 2;
  const bool negative = amount < Money{};
  const std::int64_t size = negative ? -amount.micros : amount.micros;
  std::int64_t left = size;
  std::vector<Wide> remainders(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Wide product = scaled[i] * size;
    parts[i].micros = static_cast<std::int64_t>(product / sum);
    remainders[i] = product % sum;
    left -= parts[i].micros;
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return remainders[i]; });
  for (std::size_t i = 0; left > 0; ++i, --left) ++parts[order[i]].micros;
  if (negative)
    for (Money& part : parts) part.micros = -part.micros;
  return parts;
}

}  // namespace stoker::cost
