#pragma once
// How much of everything there may be. Amazon's quotas where they shape what clients send; where they only
// protect Amazon, wide bounds that keep one client from filling the memory.
#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace stoker::core {

inline constexpr std::size_t kDefinitionNamesMax = 100'000;
inline constexpr std::size_t kRevisionsMax = 100'000;  // of one name, active or not
inline constexpr std::size_t kQueuesMax = 1'000;
inline constexpr std::size_t kEnvironmentsMax = 1'000;
inline constexpr std::size_t kPoliciesMax = 1'000;
inline constexpr std::size_t kConsumablesMax = 50'000;  // AWS Batch service quotas
inline constexpr std::size_t kTagsMax = 50;
// A quantity of a consumable resource; sums over all jobs stay inside 64 bits.
inline constexpr std::int64_t kConsumableMax = 1'000'000'000'000;
// An INACTIVE revision is kept that long (AWS Batch API, JobDefinition.status).
inline constexpr Duration kInactiveLife = days(180);
// clientTokens of UpdateConsumableResource (AWS Batch API), and how many of one resource are remembered: SDKs
// send one with every update, and what is retried is recent.
inline constexpr Duration kTokenLife = hours(8);
inline constexpr std::size_t kTokensMax = 1'000;

}  // namespace stoker::core
