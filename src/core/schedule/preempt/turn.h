#pragma once
// Preemption in a placement pass: what has become free goes to those it was made free for, and for jobs that
// have a right to what others hold those are stopped.
#include <functional>

#include "core/action.h"
#include "core/schedule/gate.h"
#include "core/schedule/place.h"
#include "core/world.h"

namespace stoker::core {

// How jobs with claims start; each says whether it did.
struct ClaimerStarts {
  std::function<bool(const Contender&, const PlaceSearch&)> job;  // the room that was made is there
  std::function<bool(const Contender&)> gang;                     // to be asked in every pass
};
// Asks for each claim. Claims whose victims are all gone end here in any case: what they waited for has come
// or will not come.
void start_claimers(World& world, Instant now, const ClaimerStarts& starts);

// The job has a node, or is a multi-node job with machines, being made free for it: it takes part in no walk,
// and keeps nothing else from others.
bool has_room_coming(const State& state, JobNo job);

// After the walks of a queue with quota shares: stops jobs for those that still wait, in their order.
// Bounded; the rest follows in the next pass.
void preempt_in(World& world, const QueueTurn& turn, Instant now, Actions& out);

// Aborts when a plan that is remembered as impossible (WaitingGroup::no_preemption) is possible. For tests:
// costs by waiting groups and running jobs.
void check_failed_plans(const World& world);

}  // namespace stoker::core
