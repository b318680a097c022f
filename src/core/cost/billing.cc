#include "core/cost/billing.h"

#include <algorithm>

namespace stoker::cost {

Instant paid_until(const BillingRule& rule, Instant start, Instant end) {
  const Duration ran = std::max(Duration{}, end - start);
  const Duration least = std::max(ran, rule.minimum);
  const std::int64_t unit = std::max<std::int64_t>(1, rule.unit.ms);
  return start + Duration{(least.ms + unit - 1) / unit * unit};
}

Wide exact_cost(std::span<const PriceStep> prices, Instant from, Instant to) {
  Wide sum = 0;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const Instant begins = i == 0 ? from : std::max(from, prices[i].from);
    const Instant ends = i + 1 == prices.size() ? to : std::min(to, prices[i + 1].from);
    if (begins < ends) sum += static_cast<Wide>(prices[i].per_hour.micros) * (ends - begins).ms;
  }
  return sum;
}

Money rounded(Wide units) {
  const Wide half = units < 0 ? -kUnitsPerMicro / 2 : kUnitsPerMicro / 2;
  return {static_cast<std::int64_t>((units + half) / kUnitsPerMicro)};
}

}  // namespace stoker::cost
