#pragma once
// Runs with a deadline that are to go to the other market: off spot while there is time, and back to it when
// that is cheap and safe. They ask for room before those that wait; docs/decisions/076 and 113.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/sizing/state.h"
#include "core/provision/fleet_policy.h"
#include "core/world.h"

namespace stoker::core {

struct DueAsk {
  JobNo job;
  fleet::Demand demand;  // of the one market that it is to go to
};
struct DuesSeen {
  std::vector<DueAsk> asks;
  std::map<fleet::Due, std::string> texts;  // what the deadline rule says of them
  std::optional<Instant> look_again;
};

// Of the environment's machines. Nothing where spot does not come first.
DuesSeen look_at_dues(World& world, const std::string& environment, const fleet::FleetPolicy& policy,
                      const fleet::FleetState& state, Instant now);

// The shape with which a run that has to leave its machine goes on: on-demand when its deadline says so.
Shape shape_for_deadline(const State& state, const Job& job, const fleet::FleetPolicy& policy, Instant now);

}  // namespace stoker::core
