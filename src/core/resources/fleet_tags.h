#pragma once
// What AWS has no member for is said by tags of a compute environment that begin with "stoker:". One table
// has their names, legal values and defaults; docs/environment-tags.md says the same for people.
#include <span>
#include <string_view>

#include "core/fleet/sizing/policy.h"
#include "core/model/types.h"

namespace stoker::core {

struct FleetTagRule {
  std::string_view key;                                            // "stoker:warm-window"
  std::string_view rule;                                           // what a value must be, for the error text
  bool (*read)(std::string_view value, fleet::FleetPolicy& into);  // false: no legal value
};
std::span<const FleetTagRule> fleet_tag_rules();

// stoker:idle-cost: whether those who run on a machine pay for what is idle beside them; else their
// environment does.
bool spreads_idle_cost(const Tags& tags);

// Cannot fail: what is odd is passed over.
void apply_fleet_tags(const Tags& tags, fleet::FleetPolicy& policy);

}  // namespace stoker::core
