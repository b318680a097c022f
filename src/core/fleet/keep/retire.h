#pragma once
// Which machines are let go.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/plan.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

struct Retirements {
  std::vector<Retire> retirements;
  std::optional<Instant> look_again;  // when the passing of time alone lets another go
};

// `wanted[i]`: waiting runs were put on state.nodes[i]. `makes_room`: why state.nodes[i] goes although it has
// runs, or is kept warm or for the minimum: its runs end first. The minimum of vCPUs is kept, but for
// machines that are of no use (never joined, silent, to be left) and for a budget that stops the fleet.
Retirements retire_nodes(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                         const std::vector<bool>& wanted,
                         const std::map<std::size_t, std::string>& makes_room, Instant now);

// Whether it is the minimum of vCPUs that each machine of state.nodes stays for when nothing runs there: so
// many that were the others to go, those that run something last, it would have to stay. Costs nothing where
// there is no minimum.
std::vector<bool> kept_by_minimum(const Catalogue& catalogue, const FleetPolicy& policy,
                                  const FleetState& state);

// A machine that nobody should count on: its agent never said hello, or said nothing for too long.
std::optional<RetireReason> of_no_use(const FleetPolicy& policy, const FleetNode& node, Instant now);

// Those that idle, in the order in which they go: the dearest first, so that the minimum is kept on cheap
// ones; of equal ones the one idle longest. Indices of state.nodes.
std::vector<std::size_t> idle_to_go(const Catalogue& catalogue, const FleetPolicy& policy,
                                    const FleetState& state);

// How long the machine is kept for the next job once it idles.
WindowNow window_of(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                    const FleetNode& node, Instant now);

// What keeping a machine of the pool warm costs and saves.
WarmTerms warm_terms(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                     const Pool& pool);

}  // namespace stoker::fleet
