#include "core/schedule/preempt/preempt.h"

#include "base/assert.h"
#include "core/job/gang.h"
#include "core/job/life.h"
#include "core/job/stop.h"
#include "core/schedule/kept.h"
#include "core/schedule/preempt/claims.h"

namespace stoker::core {

namespace {

// With a node of a multi-node job its whole attempt ends, for the same reason.
void stop_victim(World& world, Job& victim, Actions& out) {
  if (!victim.is_node()) return ask_to_stop(world, victim, out);
  Job& gang = world.state.jobs.parent_of(victim);
  if (gang.stopping) return;  // another node of it is a victim, too
  const Attempt& attempt = current_attempt(victim);
  current_attempt(gang).preempted = attempt.preempted;
  current_attempt(gang).status_reason = attempt.status_reason;
  stop_nodes(world, gang, out);
}

}  // namespace

void preempt_for(World& world, const Job& job, const PreemptionPlan& plan, Instant now, Actions& out) {
  ASSERT(!world.state.claims.contains(job.no), "two preemptions for one job");
  for (const JobNo no : plan.victims) {
    Job& victim = *world.state.jobs.find(no);
    ASSERT(is_active(victim.status) && !is_being_stopped(victim), "stopped twice");
    Attempt& attempt = current_attempt(victim);
    attempt.preempted = {.at = now, .by = job.no, .node = plan.node};
    attempt.status_reason = "Preempted by job " + job.public_id();
    attempt.status_reason += victim.spec->share == job.spec->share
                                 ? " of higher priority in quota share " + job.spec->share
                                 : ": quota share " + job.spec->share + " takes back what quota share " +
                                       victim.spec->share + " holds beyond its limits";
    world.changes.job(victim);
  }
  for (const JobNo no : plan.victims) stop_victim(world, *world.state.jobs.find(no), out);
  keep_no_more(world, job.no);
  if (!plan.environment.empty()) world.kept_nodes[plan.environment][job.no] = plan.keep;
  make_claim(world, job, plan.node, plan.victims);
}

std::string claim_text(const State& state, const Claim& claim) {
  constexpr std::size_t kNamed = 3;
  const std::size_t count = claim.victims.size();
  if (count == 0) {  // it was moved
    const auto node = state.nodes.find(claim.node);
    const bool there = node != state.nodes.end() && node->second.connected;
    return "Room is kept for it on node " + claim.node + (there ? "" : ", which is not connected now");
  }
  std::string text = "Waits for " + std::to_string(count) + (count == 1 ? " job" : " jobs") +
                     " to end that " + (count == 1 ? "is" : "are") + " being stopped for it";
  if (!claim.node.empty()) text += " on node " + claim.node;
  std::size_t named = 0;
  for (const JobNo victim : claim.victims) {
    if (named == kNamed) return text + ", ...";
    text += (named++ == 0 ? ": " : ", ") + state.jobs.find(victim)->public_id();
  }
  return text;
}

}  // namespace stoker::core
