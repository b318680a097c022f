#include "core/fleet/sizing/beyond_limits.h"

#include <algorithm>

#include "core/fleet/demand/room.h"
#include "core/fleet/sizing/mix.h"

namespace stoker::fleet {
namespace {

std::string_view requirement_of(Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return "CPU";
    case Amount::Gpus:
      return "GPU";
    case Amount::Machines:
      return "machine";
  }
  return "";
}

std::string_view limit_name(Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return "the limit of vCPUs (maxvCpus)";
    case Amount::Gpus:
      return "the limit of GPUs";
    case Amount::Machines:
      return "the limit of machines";
  }
  return "";
}

std::string cannot_meet(std::string_view requirement) {
  return "cannot meet the " + std::string(requirement) + " requirement of the job. ";
}

// No machines for so many runs have less.
std::int64_t least_sum(const std::vector<SlotsOfType>& types, std::int64_t runs, Amount amount) {
  std::int64_t sum = 0;
  if (runs >
      kCoverRunsMax) {  // the cover is not the least then, as if machines could be divided it is no more
    sum = INT64_MAX;
    for (const SlotsOfType& one : types) sum = std::min(sum, runs * amount_of(*one.type, amount) / one.slots);
    return sum;
  }
  const std::vector<std::int64_t> counts = least(types, runs, amount);
  for (std::size_t t = 0; t < types.size(); ++t) sum += counts[t] * amount_of(*types[t].type, amount);
  return sum;
}

}  // namespace

std::optional<std::string> beyond_limits(const Catalogue& catalogue, const FleetPolicy& policy,
                                         const Demand& demand) {
  std::vector<SlotsOfType> types;
  bool some_inside = false;
  for (const std::string& name : policy.types) {
    const InstanceType* type = catalogue.find(name);
    const std::int64_t count = type == nullptr ? 0 : slots(room_of(*type), demand.need);
    if (count == 0) continue;
    types.push_back({type, count});
    some_inside = some_inside || is_inside(policy.limits, tally_of(*type));
  }
  const std::int64_t gang = std::max<std::int64_t>(1, demand.gang);
  if (types.empty() || (gang == 1 && some_inside)) return std::nullopt;
  for (const Amount amount : kAmounts) {
    const auto most = most_of(policy.limits, amount);
    const std::int64_t sum = least_sum(types, gang, amount);
    if (most && sum > *most)
      return cannot_meet(requirement_of(amount)) + "Machines for it have " + std::to_string(sum) + " " +
             std::string(unit_of(amount)) + " at least, and " + std::string(limit_name(amount)) + " is " +
             std::to_string(*most);
  }
  if (some_inside) return std::nullopt;
  return cannot_meet("CPU and GPU") + "No machine that could hold it is inside all limits at once";
}

}  // namespace stoker::fleet
