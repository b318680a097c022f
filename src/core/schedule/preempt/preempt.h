#pragma once
// Stopping jobs so that others can run. The victims end as terminated ones do, SIGTERM and after the grace
// SIGKILL, and go back to RUNNABLE, without having used an attempt.
#include "core/action.h"
#include "core/schedule/preempt/plan.h"
#include "core/world.h"

namespace stoker::core {

// Stops the victims and keeps what becomes free for the job. At most one preemption for a job at a time:
// those that have a claim get no other.
void preempt_for(World& world, const Job& job, const PreemptionPlan& plan, Instant now, Actions& out);

// "Waits for 2 jobs to end that are being stopped for it: …", "Room is kept for it on node …": why a job with
// a claim waits.
std::string claim_text(const State& state, const Claim& claim);

}  // namespace stoker::core
