#include "core/schedule/preempt/claims.h"

#include <algorithm>

#include "core/job/life.h"
#include "core/schedule/places.h"

namespace stoker::core {
namespace {

void hold(World& world, Node& node, const NodeHold& hold) {
  node.hold = hold;
  update_place(world, node);
  world.pass_due = true;
}

NodeHold hold_of(const Job& job) {
  const ContainerSpec& container = job.spec->container;
  return {.job = job.no, .needs = container.resources, .mig = container.gpu.mig_devices > 0};
}

// Its last attempt was stopped so that it goes on elsewhere, or is being stopped.
bool was_moved(const Job& job) {
  if (!job.extra || job.extra->attempts.empty()) return false;
  const Preemption& preempted = job.extra->attempts.back().preempted;
  return preempted.at && preempted.by == job.no;
}

void release(World& world, JobNo job, const std::string& name) {
  const auto node = world.state.nodes.find(name);
  if (node != world.state.nodes.end() && node->second.hold.job == job) hold(world, node->second, {});
}

}  // namespace

void make_claim(World& world, const Job& job, const std::string& node, const std::set<JobNo>& victims) {
  ++world.room_version;
  Claim& claim = world.state.claims[job.no];
  claim.victims = victims;
  const auto found = world.state.nodes.find(node);
  const bool known = found != world.state.nodes.end();
  if (!known && !was_moved(job)) return;  // its victims were on others: it will run anywhere
  claim.node = node;
  if (known) hold(world, found->second, hold_of(job));
}

void hold_for_claim(World& world, Node& node) {
  if (node.hold.job) return;
  for (const auto& [no, claim] : world.state.claims)
    if (claim.node == node.name) return hold(world, node, hold_of(*world.state.jobs.find(no)));
}

bool is_awaited(const State& state, JobNo no, const Claim& claim) {
  const Job& job = *state.jobs.find(no);
  if (claim.node.empty() || job.status != JobStatus::Runnable || !was_moved(job)) return false;
  const auto node = state.nodes.find(claim.node);
  return node == state.nodes.end() || (!node->second.connected && !node->second.draining);
}

void drop_claim(World& world, JobNo job) {
  const auto found = world.state.claims.find(job);
  if (found == world.state.claims.end()) return;
  const std::string node = found->second.node;
  for (const JobNo no : found->second.victims) {
    Job& victim = *world.state.jobs.find(no);
    if (no == job || !is_preempted(victim) || victim.extra->attempts.back().preempted.by != job) continue;
    victim.extra->attempts.back().preempted.by = {};
    world.changes.job(victim);
  }
  world.state.claims.erase(found);
  ++world.room_version;
  release(world, job, node);
}

void drop_claims_on(World& world, const std::string& node) {
  std::erase_if(world.state.claims, [&](const auto& entry) { return entry.second.node == node; });
}

void note_run_ended(World& world, const Job& run) {
  if (!is_being_stopped(run)) return;
  for (auto& [no, claim] : world.state.claims) claim.victims.erase(run.no);
}

namespace {

// Who was moved, has ended where it was, and waits. A node that is another's by now is not kept for it.
void restore_claims_of_moved(World& world) {
  std::map<std::string, const Job*> first;  // by node
  for (const auto& [queue, waiting] : world.state.waiting)
    for (const auto& [key, group] : waiting)
      for (auto no = group.jobs.first(); no; no = group.jobs.next_from(JobNo{no->value + 1})) {
        const Job& job = *world.state.jobs.find(*no);
        if (!was_moved(job)) continue;
        const Job*& kept_for = first[job.extra->attempts.back().preempted.node];
        if (kept_for == nullptr || job.no < kept_for->no) kept_for = &job;
      }
  for (const auto& [no, claim] : world.state.claims) first.erase(claim.node);
  for (const auto& [node, job] : first) make_claim(world, *job, node, {});
}

}  // namespace

void restore_claims(World& world) {
  std::map<JobNo, std::pair<std::string, std::set<JobNo>>> found;
  for (const auto& [name, node] : world.state.nodes)
    for (const JobNo no : node.runs) {
      const Job& victim = *world.state.jobs.find(no);
      if (!is_preempted(victim)) continue;
      const Preemption& preempted = victim.extra->attempts.back().preempted;
      found[preempted.by].first = preempted.node;
      found[preempted.by].second.insert(no);
    }
  for (const auto& [by, claim] : found)
    if (const Job* job = world.state.jobs.find(by);
        job != nullptr && (job->status == JobStatus::Runnable || is_moving(*job)))
      make_claim(world, *job, claim.first, claim.second);
  restore_claims_of_moved(world);
}

bool is_preempted(const Job& job) {
  return is_active(job.status) && job.extra->attempts.back().preempted.at;
}

bool makes_room_for_another(const State& state, const Job& run, JobNo job) {
  if (!is_preempted(run)) return false;
  const JobNo by = run.extra->attempts.back().preempted.by;
  return by != job && state.claims.contains(by);
}

bool is_moving(const Job& job) {
  return is_preempted(job) && job.extra->attempts.back().preempted.by == job.no;
}

int preemptions(const Job& job) {
  if (!job.extra) return 0;
  return static_cast<int>(std::ranges::count_if(job.extra->attempts, [&](const Attempt& attempt) {
    return attempt.preempted.at && attempt.preempted.by != job.no;
  }));
}

}  // namespace stoker::core
