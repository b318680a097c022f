#include "core/provision/fleet_policy.h"

#include <algorithm>

#include "core/resources/fleet_tags.h"

namespace stoker::core {
namespace {

const json::Value& resources_of(const ComputeEnvironment& environment) {
  static const json::Value kNone = json::Object{};
  const json::Value* resources = json::find(*environment.document, "computeResources");
  return resources == nullptr ? kNone : *resources;
}

// AWS Batch's bundles (aws-batch.md 7.2).
std::vector<std::string> bundle(std::string_view name) {
  if (name == "optimal" || name == "default_x86_64") return {"m6i", "c6i", "r6i", "c7i"};
  if (name == "default_arm64") return {"m6g", "c6g", "r6g", "c7g"};
  return {std::string(name)};
}

// What the catalogue does not know is left out as long as something is left.
Result<std::vector<std::string>> read_types(const json::Value& resources, const fleet::Catalogue& catalogue,
                                            const std::string& region) {
  std::vector<std::string> known;
  std::string unknown;
  for (const json::Value& entry : json::get_array(resources, "instanceTypes"))
    for (std::string& name : bundle(json::text(entry))) {
      if (fleet::expand_types(catalogue, {name}, region))
        known.push_back(std::move(name));
      else
        unknown += (unknown.empty() ? "" : ", ") + name;
    }
  if (known.empty())
    return fail(Code::InvalidArgument,
                "CLIENT_ERROR - This server knows none of the instance types: " + unknown);
  return fleet::expand_types(catalogue, known, region);
}

fleet::Strategy read_strategy(const json::Value& resources) {
  const std::string_view text = json::get_string(resources, "allocationStrategy", "BEST_FIT");
  for (const auto one : {fleet::Strategy::BestFitProgressive, fleet::Strategy::BestFitProgressiveOrdered,
                         fleet::Strategy::SpotCapacityOptimized, fleet::Strategy::SpotPriceCapacityOptimized,
                         fleet::Strategy::SpotCapacityOptimizedPrioritized})
    if (text == fleet::name_of(one)) return one;
  return fleet::Strategy::BestFit;
}

}  // namespace

bool is_launching(const Settings& settings, const ComputeEnvironment& environment) {
  if (!settings.launching) return false;
  if (settings.launching->policies.contains(environment.name)) return true;
  if (!environment.managed) return false;
  const std::string_view type = json::get_string(resources_of(environment), "type");
  return (type == "EC2" || type == "SPOT") &&
         json::find(*environment.document, "eksConfiguration") == nullptr;
}

std::string name_prefix(const ComputeEnvironment& environment) {
  constexpr std::size_t kPartMax = 32;  // EC2's tokens have at most 64 characters
  return environment.name.substr(0, kPartMax) + "-" + environment.uuid.substr(0, 8) + "-";
}

std::vector<std::string> unknown_subnets(const ComputeEnvironment& environment, const Fleet& fleet) {
  std::vector<std::string> unknown;
  for (const json::Value& subnet : json::get_array(resources_of(environment), "subnets"))
    if (!fleet.zones.contains(std::string(json::text(subnet)))) unknown.emplace_back(json::text(subnet));
  return unknown;
}

Result<fleet::FleetPolicy> fleet_policy(const Settings& settings, const ComputeEnvironment& environment,
                                        const Fleet& fleet) {
  const Launching& launching = *settings.launching;
  const auto given = launching.policies.find(environment.name);
  if (given != launching.policies.end()) return given->second;

  const json::Value& resources = resources_of(environment);
  fleet::FleetPolicy policy;
  policy.region = settings.place.region;
  policy.types = TRY(read_types(resources, launching.catalogue, policy.region));
  for (const json::Value& subnet : json::get_array(resources, "subnets")) {
    const auto zone = fleet.zones.find(std::string(json::text(subnet)));
    if (zone != fleet.zones.end() && std::ranges::find(policy.zones, zone->second) == policy.zones.end())
      policy.zones.push_back(zone->second);
  }
  policy.strategy = read_strategy(resources);
  policy.market.use =
      json::get_string(resources, "type") == "SPOT" ? fleet::SpotUse::Only : fleet::SpotUse::Never;
  policy.market.price_percent_max = static_cast<int>(json::get_int(resources, "bidPercentage", 100));
  policy.limits.vcpus_min = json::get_int(resources, "minvCpus");
  policy.limits.vcpus_max = json::get_int(resources, "maxvCpus");
  if (const json::Value* scaling = json::find(resources, "scalingPolicy"))
    policy.window.fixed = minutes(json::get_int(*scaling, "minScaleDownDelayMinutes"));
  apply_fleet_tags(environment.tags, policy);
  return policy;
}

}  // namespace stoker::core
