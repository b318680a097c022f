#include "core/schedule/preempt/preempt.h"

#include <algorithm>

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

// The victims, and who is ending anyway where the job will run: plans count on their ends, too.
std::set<JobNo> awaited(const State& state, const PreemptionPlan& plan, JobNo job) {
  std::set<JobNo> awaited(plan.victims.begin(), plan.victims.end());
  const auto add = [&](const std::string& name) {
    const auto node = state.nodes.find(name);
    if (node == state.nodes.end()) return;
    for (const JobNo no : node->second.runs)
      if (const Job& run = *state.jobs.find(no);
          is_being_stopped(run) && !makes_room_for_another(state, run, job))
        awaited.insert(no);
  };
  add(plan.node);
  for (const std::string& name : plan.keep.nodes) add(name);
  return awaited;
}

bool is_stopped_for(const State& state, const Job& run, const Claim& claim) {
  if (!is_preempted(run)) return false;
  const auto by = state.claims.find(run.extra->attempts.back().preempted.by);
  return by != state.claims.end() && &by->second == &claim;
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
  make_claim(world, job, plan.node, awaited(world.state, plan, job.no));
}

std::string claim_text(const State& state, const Claim& claim) {
  constexpr std::size_t kNamed = 3;
  if (claim.victims.empty()) {  // it was moved
    const auto node = state.nodes.find(claim.node);
    const bool there = node != state.nodes.end() && node->second.connected;
    return "Room is kept for it on node " + claim.node + (there ? "" : ", which is not connected now");
  }
  // Those that are stopped for it, as long as there are some: others may not have to end first.
  std::set<JobNo> awaited;
  for (const JobNo no : claim.victims)
    if (is_stopped_for(state, *state.jobs.find(no), claim)) awaited.insert(no);
  const bool for_it = !awaited.empty();
  if (!for_it) awaited = claim.victims;
  const std::size_t count = awaited.size();
  std::string text = "Waits for " + std::to_string(count) + (count == 1 ? " job" : " jobs") +
                     " to end that " + (count == 1 ? "is" : "are") + " being stopped" +
                     (for_it ? " for it" : "");
  if (!claim.node.empty()) text += " on node " + claim.node;
  std::size_t named = 0;
  for (const JobNo victim : awaited) {
    if (named == kNamed) return text + ", ...";
    text += (named++ == 0 ? ": " : ", ") + state.jobs.find(victim)->public_id();
  }
  return text;
}

}  // namespace stoker::core
