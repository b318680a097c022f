#include "core/model/fair_share.h"

namespace stoker::core {

std::int64_t FairShare::weight_of(std::string_view share) const {
  if (const auto named = weights.find(share); named != weights.end()) return named->second;
  // No prefix begins with another, so only the last one before the name can fit.
  const auto after = prefixes.upper_bound(share);
  if (after == prefixes.begin()) return kWeightOne;
  const auto& [prefix, weight] = *std::prev(after);
  return share.starts_with(prefix) ? weight : kWeightOne;
}

}  // namespace stoker::core
