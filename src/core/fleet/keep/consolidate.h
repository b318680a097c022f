#pragma once
// Emptying a machine whose runs fit elsewhere. Only where they can move, or where it empties by itself
// because nothing new is put on it.
#include <optional>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/plan.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

// The machine whose price is saved by it, the dearest; at most one, so that the next look sees what came of
// it. Candidates have been half free or more for policy.consolidate_after. All of a machine's runs must fit,
// as they are, on other machines that are in use: neither on idle ones, which are on their way out, nor on
// machines that would have to be launched. If that pays (move.h) all its runs are moved, else it is only
// drained.
std::optional<Retire> consolidate(const Catalogue& catalogue, const FleetPolicy& policy,
                                  const FleetState& state, Instant now);

}  // namespace stoker::fleet
