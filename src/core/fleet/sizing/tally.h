#pragma once
// What an environment's limits count of its machines, and whether more stay inside them.
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/policy.h"

namespace stoker::fleet {

enum class Amount : std::uint8_t { Vcpus, Gpus, Machines };
inline constexpr Amount kAmounts[] = {Amount::Vcpus, Amount::Gpus, Amount::Machines};
std::string_view unit_of(Amount amount);  // "vCPU"
std::int64_t amount_of(const InstanceType& type, Amount amount);
// Nothing where there is no limit.
std::optional<std::int64_t> most_of(const FleetLimits& limits, Amount amount);

// Machines that exist or are under way.
struct Tally {
  std::int64_t vcpus = 0;
  std::int64_t gpus = 0;
  std::int64_t nodes = 0;
  std::int64_t launches = 0;  // of one plan
  [[nodiscard]] std::int64_t of(Amount amount) const;
  void add(const InstanceType& type);
  Tally& operator+=(const Tally& other);
  Tally& operator-=(const Tally& other);
};
Tally tally_of(const InstanceType& type);  // one machine
// Whether they are all inside the limits, the one of launches in a pass aside.
bool is_inside(const FleetLimits& limits, const Tally& tally);
// Whether another machine of the type may be launched. What it has none of cannot forbid it.
bool within(const FleetLimits& limits, const Tally& tally, const InstanceType& type);

}  // namespace stoker::fleet
