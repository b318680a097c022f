#include "core/job/life.h"

#include <algorithm>

#include "base/assert.h"
#include "core/job/dependencies.h"
#include "core/placement/devices.h"
#include "core/provision/accounts.h"
#include "core/provision/nodes.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/quota/uses.h"
#include "core/schedule/shares.h"

namespace stoker::core {

RunToken current_token(const Job& job) {
  std::uint64_t salt = 0;
  for (std::size_t i = 0; i < 6; ++i) salt = salt << 8 | job.id.bytes[i];
  return RunToken{job.no, job.attempts_used, salt};
}

JobExtra& extra_of(Job& job) {
  if (!job.extra) job.extra = std::make_unique<JobExtra>();
  return *job.extra;
}

const std::string& name_of_job(const World& world, const Job& job) {
  return job.is_child() ? world.state.jobs.parent_of(job).extra->name : job.extra->name;
}

Attempt& current_attempt(Job& job) {
  ASSERT(job.extra && !job.extra->attempts.empty(), "an active job without an attempt");
  return job.extra->attempts.back();
}

bool is_being_stopped(const Job& job) {
  return job.terminated || job.timed_out || job.stopping || is_preempted(job);
}

namespace {

void drop_timeout(World& world, const Job& job) {
  if (job.status == JobStatus::Running && job.spec->timeout)
    world.timeouts.erase({job.started_at + *job.spec->timeout, job.no});
}

}  // namespace

namespace {

// The nodes of a job that waits, or ends without having run again, are as it is. Without a record of their
// own they follow from it.
void carry_to_nodes(World& world, Job& gang) {
  for (Job& node : gang.children()) {
    if (!is_terminal(gang.status) || !is_terminal(node.status)) {
      world.state.jobs.set_status(node, gang.status, gang.runnable_at);
      node.stopped_at = gang.stopped_at;
    }
    node.runnable_at = gang.runnable_at;
    node.stopping = false;
    if (node.recorded || node.changed) world.changes.job(node);
  }
}

// What the job counts for besides the places of its runs. It is one running job, however many nodes it has.
void count_start(World& world, const Job& job, Instant now) {
  JobQueue& queue = world.state.queues.at(job.queue);
  ++queue.active;
  ++world.state.definitions.at(job.spec->definition->name).active;
  queue.used += job.spec->container.resources;
  share_starts_run(world, job, now);
}
void count_end(World& world, const Job& job, Instant now) {
  JobQueue& queue = world.state.queues.at(job.queue);
  --queue.active;
  --world.state.definitions.at(job.spec->definition->name).active;
  queue.used -= job.spec->container.resources;
  share_ends_run(world, job, now);
}

// One run takes its place: of a job, or of a node.
void take_place(World& world, Job& job, RunPlace place, Instant now) {
  Node& node = *place.node;
  take(node, job.no, job.spec->container.resources, place.gpus);
  update_place(world, node);
  node.runs.insert(std::ranges::lower_bound(node.runs, job.no), job.no);
  note_runs_changed(world, node);
  for (const ConsumableNeed& need : job.spec->consumables)
    world.state.consumables[need.resource].in_use += need.quantity;

  ++job.attempts_used;
  job.started_at = {};
  Attempt attempt;
  attempt.node = node.name;
  attempt.gpus = std::move(place.gpus);
  attempt.placed_at = now;
  if (!job.spec->container.gpu.mig.empty()) attempt.mig_memory_milli = mig_memory_milli(node, job.no);
  if (!job.spec->share.empty()) {
    attempt.quota = quota_use(node, job.spec->container.resources, attempt.gpus);
    world.state.quota_books[job.queue].add(*job.spec, attempt.quota);
  }
  extra_of(job).attempts.push_back(std::move(attempt));
  note_served(world, job);
}
void leave_place(World& world, Job& job) {
  Node& node = world.state.nodes.at(current_attempt(job).node);
  give_back(node, job.no, job.spec->container.resources);
  update_place(world, node);
  std::erase(node.runs, job.no);
  note_run_ended(world, job);
  if (!job.spec->share.empty())
    world.state.quota_books.at(job.queue).remove(*job.spec, current_attempt(job).quota);
  note_run_ended(world, node);
  for (const ConsumableNeed& need : job.spec->consumables) {
    const auto found = world.state.consumables.find(need.resource);
    if (found == world.state.consumables.end()) continue;
    found->second.in_use -= need.quantity;
    if (!found->second.replenishable) {  // used up: not given back
      found->second.total = std::max<std::int64_t>(0, found->second.total - need.quantity);
      world.changes.document(DocumentKind::ConsumableResource, need.resource);
    }
  }
  world.pass_due = true;
}

}  // namespace

void become_runnable(World& world, Job& job, Instant now, Noted noted) {
  ASSERT(job.unmet == 0 && !is_terminal(job.status), "not ready to run");
  drop_timeout(world, job);
  world.state.jobs.set_status(job, JobStatus::Runnable, now);
  job.runnable_at = now;
  enter_waiting(world.state, job);
  world.pass_due = true;
  if (noted == Noted::Yes || job.recorded || job.changed) world.changes.job(job);
  if (job.is_gang()) carry_to_nodes(world, job);
}

void become_starting(World& world, Job& job, Node& node, std::vector<std::string> gpus, Instant now) {
  leave_waiting(world.state, job);
  drop_claim(world, job.no);
  take_place(world, job, {&node, std::move(gpus)}, now);
  count_start(world, job, now);
  world.state.jobs.set_status(job, JobStatus::Starting, now);
  world.changes.job(job);
}

void become_starting(World& world, Job& gang, std::vector<RunPlace> places, Instant now) {
  const std::span<Job> nodes = gang.children();
  ASSERT(gang.is_gang() && nodes.size() == places.size(), "a place for each node");
  leave_waiting(world.state, gang);
  drop_claim(world, gang.no);
  count_start(world, gang, now);
  ++gang.attempts_used;
  gang.started_at = {};
  Attempt attempt;
  attempt.node = places[static_cast<std::size_t>(gang.spec->nodes->main_node)].node->name;
  attempt.placed_at = now;
  gang.extra->attempts.push_back(std::move(attempt));
  std::vector<std::string>& addresses = gang.extra->array->addresses;
  addresses.clear();
  for (const RunPlace& place : places)
    addresses.push_back(place.node->address.empty() ? place.node->name : place.node->address);
  world.state.jobs.set_status(gang, JobStatus::Starting, now);
  world.changes.job(gang);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    take_place(world, nodes[i], std::move(places[i]), now);
    nodes[i].stopped_at = {};
    nodes[i].extra->status_reason.clear();
    world.state.jobs.set_status(nodes[i], JobStatus::Starting, now);
    world.changes.job(nodes[i]);
  }
}

void become_running(World& world, Job& job, Instant started_at) {
  job.started_at = started_at;
  current_attempt(job).started_at = started_at;
  current_attempt(job).progress.clear();
  if (job.spec->wishes.has_deadline()) world.provision.look_due = true;  // its slack is looked after
  world.state.jobs.set_status(job, JobStatus::Running, started_at);
  if (job.spec->timeout) world.timeouts.insert({started_at + *job.spec->timeout, job.no});
  world.changes.job(job);
}

void release_resources(World& world, Job& job, Instant now) {
  drop_timeout(world, job);
  if (!job.is_gang()) leave_place(world, job);
  count_end(world, job, now);
  job.stopping = false;
}

void release_place(World& world, Job& node) {
  leave_place(world, node);
}

void end_node(World& world, Job& node, JobStatus status, std::string reason) {
  world.state.jobs.set_status(node, status, current_attempt(node).stopped_at);
  node.stopped_at = current_attempt(node).stopped_at;
  node.stopping = false;
  extra_of(node).status_reason = std::move(reason);
  world.changes.job(node);
}

void become_terminal(World& world, Job& job, JobStatus status, std::string reason, Instant now) {
  ASSERT(is_terminal(status) && !is_terminal(job.status), "a job ends once");
  drop_claim(world, job.no);
  if (job.status == JobStatus::Runnable) {
    leave_waiting(world.state, job);
    world.pass_due = true;  // others may have waited behind it
  }
  world.state.jobs.set_status(job, status, now);
  job.stopped_at = now;
  if (!reason.empty()) extra_of(job).status_reason = std::move(reason);
  if (!job.is_child()) {
    share_loses_job(world, job, now);
    world.retirements.insert({now + world.settings.history, job.no});
  }
  world.changes.job(job);
  if (job.is_gang()) carry_to_nodes(world, job);
  world.ended.push_back(job.no);
}

void settle(World& world, Instant now) {
  for (std::size_t i = 0; i < world.ended.size(); ++i) {  // grows while we walk it
    Job& job = *world.state.jobs.find(world.ended[i]);
    release_dependants(world, job, now);
    if (!job.is_child()) {
      if (world.workflows.jobs.contains(job.id)) world.workflows.ended_jobs.push_back(job.id);
      continue;
    }
    Job& array = world.state.jobs.parent_of(job);
    const auto& counts = array.extra->array->counts;
    const auto count = [&](JobStatus status) { return counts[static_cast<std::size_t>(status)]; };
    const std::size_t size = array.extra->array->children.size();
    if (is_terminal(array.status) || count(JobStatus::Succeeded) + count(JobStatus::Failed) < size) continue;
    if (count(JobStatus::Failed) == 0) {
      become_terminal(world, array, JobStatus::Succeeded, {}, now);
    } else {
      std::string reason =
          array.extra->status_reason.empty() ? "Array Child Job failed" : array.extra->status_reason;
      become_terminal(world, array, JobStatus::Failed, std::move(reason), now);
    }
  }
  world.ended.clear();
}

}  // namespace stoker::core
