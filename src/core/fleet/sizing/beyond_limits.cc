#include "core/fleet/sizing/beyond_limits.h"

#include <algorithm>

#include "core/fleet/demand/room.h"

namespace stoker::fleet {
namespace {

struct Limit {
  std::string_view requirement;
  std::string_view unit;
  std::string_view name;
  std::optional<std::int64_t> most;
};

Limit limit_on(const FleetLimits& limits, Amount amount) {
  switch (amount) {
    case Amount::Vcpus:
      return {"CPU", "vCPU", "the limit of vCPUs (maxvCpus)", limits.vcpus_max};
    case Amount::Gpus:
      return {"GPU", "GPU", "the limit of GPUs",
              limits.gpus_max == 0 ? std::nullopt : std::optional(limits.gpus_max)};
    case Amount::Machines:
      return {"machine", "machines", "the limit of machines", limits.nodes_max};
  }
  return {};
}

std::string cannot_meet(std::string_view requirement) {
  return "cannot meet the " + std::string(requirement) + " requirement of the job. ";
}

bool is_inside(const FleetLimits& limits, const InstanceType& type) {
  return std::ranges::all_of(kAmounts, [&](Amount amount) {
    const auto most = limit_on(limits, amount).most;
    return !most || amount_of(type, amount) <= *most;
  });
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

std::vector<std::int64_t> least(const std::vector<SlotsOfType>& types, std::int64_t runs, Amount amount) {
  // The amount is the price of an hour.
  std::vector<CoverType> priced;
  for (const SlotsOfType& one : types) priced.push_back({one.slots, Money{amount_of(*one.type, amount)}});
  return cover(priced, runs, {.time = hours(1), .launch_fee = {}});
}

std::optional<std::string> beyond_limits(const Catalogue& catalogue, const FleetPolicy& policy,
                                         const Demand& demand) {
  std::vector<SlotsOfType> types;
  bool some_inside = false;
  for (const std::string& name : policy.types) {
    const InstanceType* type = catalogue.find(name);
    const std::int64_t count = type == nullptr ? 0 : slots(room_of(*type), demand.need);
    if (count == 0) continue;
    types.push_back({type, count});
    some_inside = some_inside || is_inside(policy.limits, *type);
  }
  const std::int64_t gang = std::max<std::int64_t>(1, demand.gang);
  if (types.empty() || (gang == 1 && some_inside)) return std::nullopt;
  for (const Amount amount : kAmounts) {
    const Limit limit = limit_on(policy.limits, amount);
    const std::int64_t sum = least_sum(types, gang, amount);
    if (limit.most && sum > *limit.most)
      return cannot_meet(limit.requirement) + "Machines for it have " + std::to_string(sum) + " " +
             std::string(limit.unit) + " at least, and " + std::string(limit.name) + " is " +
             std::to_string(*limit.most);
  }
  if (some_inside) return std::nullopt;
  return cannot_meet("CPU and GPU") + "No machine that could hold it is inside all limits at once";
}

}  // namespace stoker::fleet
