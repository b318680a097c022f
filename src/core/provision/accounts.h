#pragma once
// What jobs and environments cost: the ledger (core/cost, decision 033) over the machines that were launched.
// A machine is accounted for when it is gone, and before that once a day or every kServedMax runs, so that
// neither the list of its runs nor the time without a bill grows without bound. Until then its lines are
// provisional, and made when somebody asks (costs.h).
#include "core/world.h"

namespace stoker::core {

inline constexpr std::size_t kServedMax = 500;
inline constexpr Duration kAccountedEvery = days(1);

// The job's latest attempt was placed.
void note_served(World& world, const Job& job);
// The same for a loaded job, all of its attempts.
void note_served_before(World& world, const Job& job);

// The machine is gone: its lines go to the jobs it served and to its environment.
void account_end(World& world, LaunchedNode& launched, Instant now, bool reclaimed);
// Machines of the environment that go on and are due. Called by looks that come anyway.
void account_long_ones(World& world, const std::string& environment, Instant now);

}  // namespace stoker::core
