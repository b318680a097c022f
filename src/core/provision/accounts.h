#pragma once
// What jobs and environments cost: the ledger (core/cost, decision 033) over the machines that were launched.
// A machine is accounted for when it is gone, and before that each day (UTC) or every kServedMax runs, so
// that neither the list of its runs nor the time without a bill grows without bound. Sums by day:
// cost_days.h. Until then its lines are provisional, and made when somebody asks (costs.h).
#include "core/world.h"

namespace stoker::core {

inline constexpr std::size_t kServedMax = 500;

// The queue of a job, and in it its share.
CostPayer payer_of(const State& state, const Job& job);

// The job's latest attempt was placed.
void note_served(World& world, const Job& job);
// The same for a loaded job, all of its attempts.
void note_served_before(World& world, const Job& job);

// The machine is gone: its lines go to the jobs it served and to its environment.
void account_end(World& world, LaunchedNode& launched, Instant now, bool reclaimed);
// Machines of the environment that go on and are due. Called by looks that come anyway.
void account_long_ones(World& world, const std::string& environment, Instant now);
// Machines that are somebody's own, when they are due.
void account_owned(World& world, Instant now);
// One of them: until now; what goes on begins anew.
void account_until(World& world, LaunchedNode& launched, Instant now);

}  // namespace stoker::core
