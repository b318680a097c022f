#include "core/schedule/preempt/move.h"

#include <algorithm>

#include "core/fleet/keep/move.h"
#include "core/job/life.h"
#include "core/job/stop.h"
#include "core/job/submit.h"
#include "core/provision/progress.h"
#include "core/schedule/kept.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"

namespace stoker::core {
namespace {

// What a quota share counts may depend on the machine: a job of one stays on machines of the same type.
Shape within_share(const State& state, const Job& job, Shape shape) {
  const auto here = state.nodes.find(job.extra->attempts.back().node);
  if (!job.spec->share.empty() && state.quota_shares.contains(job.queue) && here != state.nodes.end() &&
      !here->second.instance_type.empty())
    shape.instance_types = {here->second.instance_type};
  return shape;
}

Node* find_room(World& world, const Job& job, const Shape& shape) {
  const ShapeNo number = shape_number(world, within_share(world.state, job, shape));
  for (const std::string& name : world.state.queues.at(job.queue).environments_by_order()) {
    const auto environment = world.state.environments.find(name);
    if (environment == world.state.environments.end() || !environment->second.enabled) continue;
    Pool* pool = find_pool(world, name);
    Node* node = pool == nullptr ? nullptr : pool->choose(number, world.state.shape(number));
    if (node != nullptr && node->name != job.extra->attempts.back().node && !node->hold.job &&
        !is_kept_for_another(world, *node, job.no))
      return node;
  }
  return nullptr;
}

bool may_be_moved(const Job& job) {
  return job.status == JobStatus::Running && !is_being_stopped(job) && !job.is_gang() && !job.is_node() &&
         job.spec->wishes.preemptible.value_or(true) && moves(job) < fleet::kMovesMax;
}

bool has_rested(const Job& job, Instant now) {
  return std::ranges::none_of(job.extra->attempts, [&](const Attempt& attempt) {
    return attempt.preempted.by == job.no && now - attempt.preempted.at < fleet::kMoveRest;
  });
}

}  // namespace

bool moves_keeping_work(const Job& job) {
  return may_be_moved(job) && job.spec->wishes.checkpoint != Checkpoint::None;
}

bool moves_to_save(const Job& job, Instant now) {
  const Wishes& wishes = job.spec->wishes;
  return may_be_moved(job) && (wishes.checkpoint != Checkpoint::None || wishes.preemptible == true) &&
         !wishes.has_deadline() && has_rested(job, now);
}

bool move_run(World& world, Job& job, const Shape& shape, const std::string& why, Instant now, Actions& out) {
  if (!may_be_moved(job) || world.state.claims.contains(job.no)) return false;
  Node* node = find_room(world, job, shape);
  if (node == nullptr) return false;
  Attempt& attempt = current_attempt(job);
  attempt.preempted = {.at = now, .by = job.no, .node = node->name};
  attempt.status_reason = "Moved to node " + node->name + ": " + why;
  world.changes.job(job);
  ask_to_stop(world, job, out);
  make_claim(world, job, node->name, {job.no});
  return true;
}

}  // namespace stoker::core
