#include "core/job/gang.h"

#include <algorithm>

#include "base/assert.h"
#include "core/job/life.h"
#include "core/job/stop.h"
#include "core/job/submit.h"

namespace stoker::core {
namespace {

bool is_main(const Job& gang, const Job& node) {
  return node.index == gang.spec->nodes->main_node;
}

// Which node failed first; the main node is what everybody expects.
std::string reason_at(const Job& gang, const Job& node, const std::string& reason) {
  return is_main(gang, node) || reason.ends_with('.')
             ? reason
             : reason + " (node " + std::to_string(node.index) + " of the job)";
}

// The attempt of the job ends as that of the node did.
void decide(Job& gang, const Job& node, const NodeEnd& end) {
  Attempt& whole = current_attempt(gang);
  whole.stopped_at = std::max(end.attempt.stopped_at, whole.started_at);
  whole.reason = end.attempt.reason;
  whole.status_reason = reason_at(gang, node, end.attempt.status_reason);
  whole.lost = end.attempt.lost;
  if (!end.attempt.lost) whole.exit_code = end.attempt.exit_code;
}

}  // namespace

std::unique_ptr<ArrayState> make_nodes(World& world, const Job& gang) {
  const NodePlan& plan = *gang.spec->nodes;
  const std::vector<JobSpec*> specs = specs_of_nodes(world, *gang.spec);
  auto state = std::make_unique<ArrayState>();
  state->gang = true;
  state->children.resize(plan.class_of.size());
  for (std::size_t i = 0; i < plan.class_of.size(); ++i) {
    Job& node = state->children[i];
    node.no = JobNo{gang.no.value + 1 + i};
    node.parent = gang.no;
    node.id = gang.id;
    node.index = static_cast<std::int32_t>(i);
    node.node = true;
    node.status = gang.status;
    node.queue = gang.queue;
    node.created_at = gang.created_at;
    node.runnable_at = gang.runnable_at;
    node.stopped_at = gang.stopped_at;
    node.spec = specs[plan.class_of[i]];
    ++node.spec->jobs;
  }
  return state;
}

void update_nodes(World& world, Job& gang) {
  const NodePlan& plan = *gang.spec->nodes;
  const std::vector<JobSpec*> specs = specs_of_nodes(world, *gang.spec);
  for (JobSpec* spec : specs) ++spec->jobs;  // held until all nodes have theirs
  for (Job& node : gang.children()) {
    JobSpec* before = std::exchange(node.spec, specs[plan.class_of[static_cast<std::size_t>(node.index)]]);
    ++node.spec->jobs;
    release_spec(world, before, 1);
    node.queue = gang.queue;
    if (node.recorded || node.changed) world.changes.job(node);
  }
  for (JobSpec* spec : specs) release_spec(world, spec, 1);
}

void stop_nodes(World& world, Job& gang, Actions& out) {
  gang.stopping = true;
  world.changes.job(gang);
  for (Job& node : gang.children()) {
    if (!is_active(node.status) || node.stopping) continue;
    node.stopping = true;
    world.changes.job(node);
    ask_to_stop(world, node, out);
  }
}

void note_node_started(World& world, const Job& node) {
  Job& gang = world.state.jobs.parent_of(node);
  if (is_main(gang, node) && gang.status == JobStatus::Starting && !gang.stopping)
    become_running(world, gang, node.started_at);
}

bool note_node_ended(World& world, Job& gang, const Job& node, const NodeEnd& end, Actions& out) {
  Attempt& whole = current_attempt(gang);
  const bool main = is_main(gang, node);
  // What ended before it was told to, ended by itself: then the preemption came too late.
  const bool preempted =
      whole.preempted.at && (end.attempt.lost || end.attempt.stopped_at >= whole.preempted.at);
  const bool by_itself = !gang.stopping || (whole.preempted.at && !preempted);
  if (!is_decided(gang) && (main || (by_itself && !end.succeeded))) {
    // The main node of a job that is told to end says how it ended, but not why.
    const std::string reason = whole.status_reason;
    const Preemption preemption = whole.preempted;
    decide(gang, node, end);
    if (!by_itself) {
      whole.status_reason = reason;
      whole.preempted = preemption;
    } else {
      whole.preempted = {};
    }
    world.changes.job(gang);
  }
  const bool some_run =
      std::ranges::any_of(gang.children(), [](const Job& other) { return is_active(other.status); });
  if (!some_run) return true;
  if (is_decided(gang) && !gang.stopping) stop_nodes(world, gang, out);
  return false;
}

bool is_decided(const Job& gang) {
  return is_active(gang.status) && bool{gang.extra->attempts.back().stopped_at};
}

}  // namespace stoker::core
