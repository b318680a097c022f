#include "core/fleet/sizing/tally.h"

#include <algorithm>

namespace stoker::fleet {

std::string_view unit_of(Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return "vCPU";
    case Amount::Gpus:
      return "GPU";
    case Amount::Machines:
      return "machines";
  }
  return "";
}

std::int64_t amount_of(const InstanceType& type, Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return type.vcpus;
    case Amount::Gpus:
      return type.gpus;
    case Amount::Machines:
      return 1;
  }
  return 0;
}

std::optional<std::int64_t> most_of(const FleetLimits& limits, Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return limits.vcpus_max;
    case Amount::Gpus:
      return limits.gpus_max == 0 ? std::nullopt : std::optional(limits.gpus_max);
    case Amount::Machines:
      return limits.nodes_max;
  }
  return std::nullopt;
}

std::int64_t Tally::of(Amount amount) const {
  switch (amount) {
    case Amount::Vcpus:
      return vcpus;
    case Amount::Gpus:
      return gpus;
    case Amount::Machines:
      return nodes;
  }
  return 0;
}

void Tally::add(const InstanceType& type) {
  vcpus += type.vcpus;
  gpus += type.gpus;
  ++nodes;
}

Tally& Tally::operator+=(const Tally& other) {
  vcpus += other.vcpus;
  gpus += other.gpus;
  nodes += other.nodes;
  launches += other.launches;
  return *this;
}

Tally& Tally::operator-=(const Tally& other) {
  vcpus -= other.vcpus;
  gpus -= other.gpus;
  nodes -= other.nodes;
  launches -= other.launches;
  return *this;
}

Tally tally_of(const InstanceType& type) {
  Tally tally;
  tally.add(type);
  return tally;
}

bool is_inside(const FleetLimits& limits, const Tally& tally) {
  return std::ranges::all_of(kAmounts, [&](Amount amount) {
    const auto most = most_of(limits, amount);
    return !most || tally.of(amount) <= *most;
  });
}

bool within(const FleetLimits& limits, const Tally& tally, const InstanceType& type) {
  const bool inside = std::ranges::all_of(kAmounts, [&](Amount amount) {
    const auto most = most_of(limits, amount);
    const std::int64_t more = amount_of(type, amount);
    return !most || more == 0 || tally.of(amount) + more <= *most;
  });
  return inside && tally.launches < limits.launches_max;
}

}  // namespace stoker::fleet
