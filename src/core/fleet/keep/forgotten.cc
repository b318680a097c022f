#include "core/fleet/keep/forgotten.h"

#include <algorithm>

namespace stoker::fleet {

std::string_view name_of(ForgottenKind kind) {
  switch (kind) {
    case ForgottenKind::Unknown:
      return "unknown";
    case ForgottenKind::Vanished:
      return "vanished";
    case ForgottenKind::LongIdle:
      return "long-idle";
  }
  return "";
}

std::vector<Forgotten> find_forgotten(std::span<const FleetNode> nodes, std::span<const Sighting> listed,
                                      const ForgottenRules& rules, Instant now) {
  std::set<std::string_view> known;
  for (const FleetNode& node : nodes) known.insert(node.id);
  std::set<std::string_view> seen;
  for (const Sighting& sighting : listed) seen.insert(sighting.id);

  std::vector<Forgotten> found;
  for (const Sighting& sighting : listed) {
    const Duration age = now - sighting.launched_at;
    if (!known.contains(sighting.id) && age >= rules.unknown_grace)
      found.push_back(
          {sighting.id, ForgottenKind::Unknown, age, true, "runs with our tags and is in no record"});
  }
  for (const FleetNode& node : nodes) {
    const Duration age = now - node.launched_at;
    if (!seen.contains(node.id)) {
      if (age >= rules.vanished_grace)
        found.push_back(
            {node.id, ForgottenKind::Vanished, age, false, "the engine does not list it any more"});
      continue;
    }
    const Duration idle = node.idle_since ? now - node.idle_since : Duration{};
    if (rules.idle_max.ms > 0 && node.idle_since && idle >= rules.idle_max)
      found.push_back({node.id, ForgottenKind::LongIdle, idle, false, "idle, and kept by the settings"});
  }
  std::ranges::stable_sort(found, {}, &Forgotten::node);
  return found;
}

}  // namespace stoker::fleet
