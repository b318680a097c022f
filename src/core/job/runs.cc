#include "core/job/runs.h"

#include <algorithm>

#include "base/assert.h"
#include "core/job/environment.h"
#include "core/job/gang.h"
#include "core/job/life.h"
#include "core/job/retry.h"
#include "core/job/stop.h"
#include "core/placement/devices.h"
#include "core/provision/nodes.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"

namespace stoker::core {
namespace {

constexpr std::size_t kReasonMax = 255;  // AWS Batch API, AttemptContainerDetail.reason
constexpr std::size_t kProgressMax = 255;
constexpr std::string_view kTimedOut = "Job attempt duration exceeded timeout";
constexpr std::string_view kStoppedWithJob = "Stopped with its job";

// The job whose current attempt this is; null for everything that is over or never was.
Job* find_current(World& world, const RunToken& token) {
  Job* job = world.state.jobs.find(token.job);
  return job != nullptr && is_active(job->status) && current_token(*job) == token ? job : nullptr;
}

std::string status_reason(const Job& job, const RunEnded& event, const Attempt& attempt) {
  if (job.terminated) return job.extra->status_reason;
  if (job.timed_out) return std::string(kTimedOut);
  if (attempt.preempted.at) return attempt.status_reason;  // said when it was told to end
  if (event.node_failure) return "Host EC2 (instance " + attempt.node + ") terminated.";
  if (!event.started) return "Task failed to start";
  return "Essential container in task exited";
}

// Whether the end of the attempt is the preemption. What ended before it was told to, ended by itself; any
// exit code afterwards, 0 too, is how the program obeyed: it may have saved its work, but has not done it.
bool is_end_of_preemption(const Attempt& attempt, const RunEnded& event) {
  return attempt.preempted.at && (event.node_failure || !event.at || event.at >= attempt.preempted.at);
}

// The job has been preempted as often as it allows.
bool may_not_be_preempted_again(const Job& job) {
  const auto& most = job.spec->wishes.preemptions_most;
  return most && preemptions(job) > *most;
}

// What the attempt of a run looks like at its end.
void close_attempt(Attempt& attempt, const RunEnded& event, Instant now) {
  // Not before it began and not in the future, whatever the node's clock says.
  attempt.stopped_at = event.at ? std::max(std::min(event.at, now), attempt.started_at) : now;
  if (event.started)
    attempt.exit_code = event.exit_code;  // what never ran has none (AWS Batch API, ContainerDetail)
  attempt.reason = event.reason.substr(0, kReasonMax);
  attempt.lost = event.node_failure;
  attempt.progress.clear();
}

bool ended_well(const RunEnded& event) {
  return event.exit_code == 0 && event.started && !event.node_failure;
}

// The attempt is over and its places are given back: SUCCEEDED, another attempt, or FAILED. The job ends with
// its last attempt, not with the news of it.
void go_on(World& world, Job& job, bool succeeded, Instant now) {
  Attempt& attempt = current_attempt(job);
  const Instant ended = attempt.stopped_at;
  if (job.terminated || job.timed_out) {
    become_terminal(world, job, JobStatus::Failed, attempt.status_reason, ended);
  } else if (attempt.preempted.at) {
    if (may_not_be_preempted_again(job))
      become_terminal(world, job, JobStatus::Failed, attempt.status_reason, ended);
    else
      become_runnable(world, job, now);
  } else if (succeeded) {
    become_terminal(world, job, JobStatus::Succeeded, attempt.status_reason, ended);
  } else if (attempt.lost && job.attempts_lost() <= kLostAttemptsMax &&
             may_run_again(job.spec->retry, attempt)) {
    become_runnable(world, job, now);
  } else if (should_retry(job.spec->retry, job.attempts_counted(), attempt)) {
    become_runnable(world, job, now);
  } else {
    become_terminal(world, job, JobStatus::Failed, attempt.status_reason, ended);
  }
}

// All nodes of a multi-node job have ended.
void finish_gang(World& world, Job& gang, Instant now) {
  release_resources(world, gang, now);
  Attempt& attempt = current_attempt(gang);
  ASSERT(bool{attempt.stopped_at}, "the main node ended and decided nothing");
  if (gang.terminated) attempt.status_reason = gang.extra->status_reason;
  if (gang.timed_out) attempt.status_reason = kTimedOut;
  go_on(world, gang, attempt.exit_code == 0, now);
}

void finish_node(World& world, Job& node, const RunEnded& event, Instant now, Actions& out) {
  Attempt& attempt = current_attempt(node);
  close_attempt(attempt, event, now);
  const bool told = node.stopping;
  release_place(world, node);
  if (!is_end_of_preemption(attempt, event)) attempt.preempted = {};
  attempt.status_reason = status_reason(node, event, attempt);
  end_node(world, node, ended_well(event) ? JobStatus::Succeeded : JobStatus::Failed,
           told ? std::string(kStoppedWithJob) : attempt.status_reason);
  Job& gang = world.state.jobs.parent_of(node);
  if (note_node_ended(world, gang, node, {.attempt = attempt, .succeeded = ended_well(event)}, out))
    finish_gang(world, gang, now);
}

void finish_attempt(World& world, Job& job, const RunEnded& event, Instant now, Actions& out) {
  if (job.is_node()) return finish_node(world, job, event, now, out);
  Attempt& attempt = current_attempt(job);
  close_attempt(attempt, event, now);
  release_resources(world, job, now);
  if (!is_end_of_preemption(attempt, event)) attempt.preempted = {};
  attempt.status_reason = status_reason(job, event, attempt);
  go_on(world, job, ended_well(event), now);
}

void lose_run(World& world, Job& job, Instant now, Actions& out) {
  finish_attempt(world, job,
                 RunEnded{.node = {},
                          .token = current_token(job),
                          .started_at = {},
                          .at = now,
                          .exit_code = {},
                          .reason = {},
                          .started = true,
                          .node_failure = true},
                 now, out);
}

// What the active jobs of a node hold, counted anew: its inventory may have changed, or it was unknown until
// now.
void recount(World& world, Node& node) {
  node.used = {};
  for (NodeGpu& gpu : node.gpus) {
    gpu.holder = {};
    gpu.sharers.clear();
    gpu.shared_milli = 0;
    for (MigDevice& device : gpu.devices) device.holder = {};
  }
  for (const JobNo no : node.runs) {
    const Job& job = *world.state.jobs.find(no);
    take(node, no, job.spec->container.resources, job.extra->attempts.back().gpus);
  }
  fill_layouts(node);
}

}  // namespace

StartRun start_run(const World& world, const Job& job) {
  const Attempt& attempt = job.extra->attempts.back();
  return StartRun{
      attempt.node, current_token(job),         job.public_id(), name_of_job(world, job), job.spec,
      attempt.gpus, run_environment(world, job)};
}

void on_node_connected(World& world, const NodeConnected& event, Instant now, Actions& out) {
  Node told = event.node;
  greet_node(world, told, now, out);
  Node& node = world.state.nodes[event.node.name];
  if (node.environment != told.environment) remove_place(world, node);
  std::vector<JobNo> runs = std::move(node.runs);
  const auto slot = node.pool_slot;
  const NodeHold hold = node.hold;
  node = std::move(told);
  node.connected = true;
  node.runs = std::move(runs);
  node.pool_slot = slot;
  node.hold = hold;
  recount(world, node);
  put_place(world, node);
  hold_for_claim(world, node);
  world.pass_due = true;

  for (const JobNo no : std::vector<JobNo>(node.runs)) {
    Job& job = *world.state.jobs.find(no);
    const RunToken token = current_token(job);
    const auto known = std::ranges::find(event.runs, token, &KnownRun::token);
    if (known == event.runs.end()) {
      // Never arrived there, or was lost with the node's memory of it.
      if (job.status == JobStatus::Running || is_being_stopped(job))
        lose_run(world, job, now, out);
      else
        out.push_back(start_run(world, job));
    } else if (!known->ended && is_being_stopped(job)) {
      ask_to_stop(world, job, out);
    }
  }
  for (const KnownRun& run : event.runs) {
    if (find_current(world, run.token) != nullptr) continue;
    // Not ours any more: an attempt that was given up while the node was away.
    if (!run.ended)
      out.push_back(StopRun{node.name, run.token, world.settings.stop_grace});
    else
      out.push_back(ForgetRun{node.name, run.token});
  }
}

void on_node_images_changed(World& world, const NodeImagesChanged& event) {
  const auto found = world.state.nodes.find(event.node);
  if (found == world.state.nodes.end() || are_same(found->second.images, event.images)) return;
  found->second.images = event.images;
  note_images(world, found->second);
}

void on_node_disconnected(World& world, const NodeDisconnected& event, Instant now) {
  note_disconnected(world, event.node, now);
  const auto found = world.state.nodes.find(event.node);
  if (found != world.state.nodes.end()) {
    found->second.connected = false;
    put_place(world, found->second);
  }
  world.pass_due = true;
}

void on_node_lost(World& world, const NodeLost& event, Instant now, Actions& out) {
  const auto found = world.state.nodes.find(event.node);
  if (found == world.state.nodes.end()) {
    drop_claims_on(world, event.node);
    return note_gone(world, event.node, now, event.reclaimed);
  }
  for (const JobNo no : std::vector<JobNo>(found->second.runs))
    lose_run(world, *world.state.jobs.find(no), now, out);
  drop_claims_on(world, event.node);
  note_gone(world, event.node, now, event.reclaimed);
  remove_place(world, found->second);
  world.state.nodes.erase(found);
  world.pass_due = true;
}

void on_run_started(World& world, const RunStarted& event, Actions&) {
  Job* job = find_current(world, event.token);
  if (job == nullptr || job->status != JobStatus::Starting) return;
  become_running(world, *job, std::max(event.at, current_attempt(*job).placed_at));
  if (job->is_node()) note_node_started(world, *job);
}

void on_run_progressed(World& world, const RunProgressed& event) {
  Job* job = find_current(world, event.token);
  // Not noted as a change: progress is news for people, worth no write.
  if (job != nullptr && job->status == JobStatus::Starting)
    current_attempt(*job).progress = event.text.substr(0, kProgressMax);
}

void on_run_ended(World& world, const RunEnded& event, Instant now, Actions& out) {
  Job* job = find_current(world, event.token);
  if (job != nullptr) {
    if (job->status == JobStatus::Starting && event.started_at)
      on_run_started(world, {event.token, event.started_at}, out);
    finish_attempt(world, *job, event, now, out);
  }
  out.push_back(ForgetRun{event.node, event.token});
}

}  // namespace stoker::core
