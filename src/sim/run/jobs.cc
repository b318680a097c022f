#include "sim/run/jobs.h"

#include <algorithm>
#include <ranges>

#include "base/image_reference.h"
#include "base/text.h"
#include "sim/run/machines.h"
#include "sim/run/tenants.h"

namespace stoker::sim {
namespace {

constexpr std::string_view kHostImage = "host";
constexpr int kAttempts = 10;  // AWS Batch's most

// As given, and what the scenario knows besides.
core::Tags tags_of(const SimJob& job) {
  core::Tags tags = job.tags;
  if (!job.gpu_models.empty()) tags.try_emplace("stoker:gpu-models", join(job.gpu_models, "/"));
  if (job.checkpoint > Duration{})
    tags.try_emplace("stoker:checkpoint",
                     std::to_string(std::max<std::int64_t>(1, job.checkpoint.ms / 1000)) + "s");
  return tags;
}

// What it asks for as the API writes it; empty: no GPU.
std::string gpu_value(const SimJob& job) {
  if (job.mig_devices > 0) return std::to_string(job.mig_devices) + "x" + job.mig;
  if (job.gpu_milli > 0) return "0." + std::to_string(1000 + job.gpu_milli).substr(1);
  return job.gpus > 0 ? std::to_string(job.gpus) : "";
}

// Where it can matter which machines hold it; other jobs are plain processes. Who names none has its
// tenant's.
std::string image_of(World& world, const SimJob& job) {
  const auto queue = world.queues.find(job.queue);
  if (queue == world.queues.end()) return std::string(kHostImage);
  const auto pulls_once = [&](const std::string& name) {
    return std::ranges::find(world.scenario.environments, name, &SimEnvironment::name)->pulls_once();
  };
  if (std::ranges::none_of(queue->second->environments, pulls_once)) return std::string(kHostImage);
  const bool named = !job.image.empty();
  const auto [known, is_new] = world.images.try_emplace({named, named ? job.image : job.tenant}, "");
  if (is_new) known->second = full_image_name("image-" + std::to_string(world.images.size()));
  return known->second;
}

// One definition for all jobs that ask for the same thing.
const std::string& definition_of(World& world, const SimJob& job) {
  std::string needs = R"([{"type":"VCPU","value":")" + std::to_string(whole_vcpus(job)) +
                      R"("},{"type":"MEMORY","value":")" +
                      std::to_string(std::max<std::int64_t>(4, job.memory_mib)) + "\"}";
  if (const std::string gpus = gpu_value(job); !gpus.empty())
    needs += R"(,{"type":"GPU","value":")" + gpus + "\"}";
  needs += "]";
  const core::Tags wishes = tags_of(job);
  std::string timeout;
  if (job.time_limit > Duration{})
    timeout.append(R"("timeout":{"attemptDurationSeconds":)")
        .append(std::to_string(job.time_limit.ms / 1000))
        .append("},");
  const std::string image = image_of(world, job);
  std::string key = std::to_string(job.nodes) + needs + timeout + image;
  for (const auto& [tag, value] : wishes) key.append("\n").append(tag).append("=").append(value);
  const auto [found, is_new] =
      world.definitions.try_emplace(std::move(key), "shape-" + std::to_string(world.definitions.size()));
  if (!is_new) return found->second;
  const std::string container =
      R"({"image":")" + image + R"(","command":["work"],"resourceRequirements":)" + needs + "}";
  const std::string kind =
      job.nodes == 1
          ? R"("type":"container","containerProperties":)" + container
          : R"("type":"multinode","nodeProperties":{"mainNode":0,"numNodes":)" + std::to_string(job.nodes) +
                R"(,"nodeRangeProperties":[{"targetNodes":"0:","container":)" + container + "}]}";
  const std::string text =
      "{" + timeout + R"("retryStrategy":{"attempts":)" + std::to_string(kAttempts) + "}," + kind + "}";
  ask(world, core::RegisterJobDefinition{
                 found->second, std::make_shared<const json::Value>(json::parse(text).value()), wishes});
  return found->second;
}

json::Shared overrides_of(World& world, const SimJob& job) {
  const auto queue = world.queues.find(job.queue);
  if (queue == world.queues.end()) return nullptr;
  const std::string share = share_of_tenant(*queue->second, job.tenant);
  if (share.empty()) return nullptr;
  json::Shared& overrides = world.share_overrides[{job.queue + '\n' + job.tenant, job.priority}];
  if (overrides) return overrides;
  overrides = std::make_shared<const json::Value>(
      json::Object{{"shareIdentifier", share}, {"schedulingPriorityOverride", job.priority}});
  return overrides;
}

void begin_start(World& world, std::size_t index, const core::RunToken& token) {
  JobState& state = world.states[index];
  JobOutcome& outcome = world.outcome.jobs[index];
  const core::Job& run = *world.core.state().jobs.find(token.job);
  state.number = run.is_node() ? run.parent : run.no;
  state.stops = false;
  state.told_at = {};
  state.preempted = false;
  state.restart = outcome.starts > 0 ? draw(world.scenario.restart, world.rng) : Duration{};
  state.from = world.now;
  state.works_from = world.now;
  ++outcome.starts;
  outcome.end = JobEnd::Running;
}

void end_job(World& world, std::size_t index, JobEnd end) {
  world.outcome.jobs[index].end = end;
  world.outcome.jobs[index].ended_at = world.now;
  ++world.ended;
}

void foresee_end(World& world, std::size_t index) {
  const SimJob& job = world.jobs[index];
  JobState& state = world.states[index];
  Duration left = job.run - state.done;
  state.fails = false;
  if (job.failures_per_million_hours > 0) {
    const Draw life{
        DrawKind::Exponential, Duration{hours(1'000'000).ms / job.failures_per_million_hours}, {}, 0};
    const Duration until = draw(life, world.rng);
    state.fails = until < left;
    left = std::min(left, until);
  }
  const int start = world.outcome.jobs[index].starts;
  world.heap.push(state.works_from, DueKind::Works, index, start);
  world.heap.push(state.works_from + left, DueKind::Ends, index, start);
}

bool stale(const World& world, const Due& due) {
  const JobOutcome& outcome = world.outcome.jobs[due.subject];
  return outcome.end != JobEnd::Running || outcome.starts != due.start;
}

void add_use(World& world, std::size_t index, Instant to, Instant kept_until, Duration kept) {
  const SimJob& job = world.jobs[index];
  const JobState& state = world.states[index];
  const std::int64_t milli = job.gpus * 1000 + job.gpu_milli;
  for (const JobRun& run : state.runs) {
    Machine& machine = world.machines[run.machine];
    machine.outcome.use.runs.push_back({{std::to_string(index), job.tenant, job.queue, ""},
                                        share_of(job, *machine.type),
                                        state.from,
                                        std::min(state.works_from, to),
                                        to,
                                        std::min(kept_until, to)});
    machine.outcome.gpu_work = machine.outcome.gpu_work + Duration{kept.ms * milli / 1000};
  }
}

Duration pull_time(World& world, const SimEnvironment& environment, const SimJob& job) {
  if (job.image_mib == 0 || environment.pull_mib_per_second == 0) return draw(environment.pull, world.rng);
  return Duration{job.image_mib * 1000 / environment.pull_mib_per_second};
}

// When the image of the run is on the machine; who comes while another pulls it waits for that pull.
Instant image_at(World& world, std::size_t index, const SimJob& job, const std::string& image) {
  Machine& machine = world.machines[index];
  const SimEnvironment& environment = world.scenario.environments[machine.environment];
  if (!environment.pulls_once()) return world.now + pull_time(world, environment, job);
  const auto [held, is_new] = machine.images.try_emplace(image, world.now);
  if (is_new) {
    held->second = world.now + pull_time(world, environment, job);
    world.heap.push(held->second, DueKind::Pulled, index);
  }
  return std::max(world.now, held->second);
}

core::RunEnded end_of(const World& world, const JobState& state, const JobRun& run, int exit_code) {
  core::RunEnded ended;
  ended.node = world.machines[run.machine].node.id;
  ended.token = run.token;
  ended.started = world.now >= state.works_from;
  if (ended.started) ended.started_at = state.works_from;
  ended.at = world.now;
  ended.exit_code = exit_code;
  return ended;
}

// How the job saves, in the core's words.
core::Wishes wishes_of(const SimJob& job) {
  core::Wishes wishes;
  wishes.checkpoint_every = job.checkpoint;
  if (job.checkpoint > Duration{}) wishes.checkpoint = core::Checkpoint::Periodic;
  if (job.saves_on_signal) wishes.checkpoint = core::Checkpoint::Signal;
  return wishes;
}

// The core has been told that all runs of the start are over.
void forget_runs(World& world, std::size_t index) {
  for (const JobRun& run : world.states[index].runs) {
    world.by_number.erase(run.token.job);
    std::erase(world.machines[run.machine].runs, index);
  }
  world.states[index].runs.clear();
}

// The start ends, not with a machine; what the core makes of it is seen in its state.
void finish(World& world, std::size_t index, int exit_code) {
  JobState& state = world.states[index];
  note_run(world, index, exit_code == 0);
  JobOutcome& outcome = world.outcome.jobs[index];
  if (exit_code != 0) ++(state.preempted ? outcome.preemptions : outcome.failures);
  // The main node is the first, and ends last: it decides how the job ends.
  for (const JobRun& run : state.runs | std::views::reverse)
    apply(world, end_of(world, state, run, exit_code));
  settle(world, index, exit_code == 0);
}

}  // namespace

void note_run(World& world, std::size_t index, bool succeeded) {
  JobState& state = world.states[index];
  // Who saves does not work.
  const Instant until = state.told_at && !succeeded ? state.told_at : world.now;
  const Duration worked = std::max(Duration{}, until - state.works_from);
  Duration kept = worked;
  if (!succeeded) {
    kept = core::kept_until(wishes_of(world.jobs[index]), {state.works_from, state.told_at, world.now}) -
           state.works_from;
    world.outcome.jobs[index].lost = world.outcome.jobs[index].lost + (worked - kept);
    state.done = state.done + kept;
  }
  add_use(world, index, world.now, state.works_from + kept, kept);
}

void end_runs_elsewhere(World& world, std::size_t index, std::size_t lost_machine) {
  const JobState& state = world.states[index];
  for (const JobRun& run : state.runs | std::views::reverse)
    if (run.machine != lost_machine) apply(world, end_of(world, state, run, 137));
}

void settle(World& world, std::size_t index, bool succeeded) {
  forget_runs(world, index);
  if (succeeded) return end_job(world, index, JobEnd::Succeeded);
  const core::Job* job = world.core.state().jobs.find(world.states[index].number);
  if (job == nullptr || core::is_terminal(job->status)) return end_job(world, index, JobEnd::Failed);
  world.outcome.jobs[index].end = JobEnd::Waiting;
}

void submit(World& world, std::size_t index) {
  core::SubmitJob request;
  request.id = Uuid::from_random(world.rng.next(), world.rng.next());
  request.job_name = std::to_string(index);
  request.queue = world.jobs[index].queue;
  request.definition = definition_of(world, world.jobs[index]);
  request.overrides = overrides_of(world, world.jobs[index]);
  world.submissions[world.requests + 1] = index;
  ask(world, std::move(request));
}

void on_replied(World& world, const core::Replied& replied) {
  if (!replied.answer && world.outcome.refusal.empty())
    world.outcome.refusal = replied.answer.error().message;  // perhaps of its definition
  const auto submission = world.submissions.find(replied.request.value);
  if (submission == world.submissions.end()) return;
  if (!replied.answer) {
    ++world.outcome.refused;
    end_job(world, submission->second, JobEnd::Failed);
  }
  world.submissions.erase(submission);
}

void on_start(World& world, const core::StartRun& start) {
  const auto index = static_cast<std::size_t>(std::stoull(start.job_name));
  const SimJob& job = world.jobs[index];
  JobState& state = world.states[index];
  JobOutcome& outcome = world.outcome.jobs[index];
  const std::size_t machine = world.machine_names.at(start.node);
  if (state.runs.empty()) begin_start(world, index, start.token);
  state.runs.push_back({start.token, machine});
  world.by_number[start.token.job] = index;
  world.machines[machine].runs.push_back(index);
  state.works_from =
      std::max(state.works_from, image_at(world, machine, job, start.spec->container.image) + state.restart);
  // The core starts all nodes in one turn.
  if (static_cast<std::int64_t>(state.runs.size()) < job.nodes) return;
  if (!outcome.placed) {
    outcome.placed = true;
    outcome.placed_at = world.now;
    outcome.computes_at = state.works_from;
  }
  foresee_end(world, index);
}

void on_works(World& world, const Due& due) {
  if (stale(world, due)) return;
  for (const JobRun& run : world.states[due.subject].runs)
    apply(world, core::RunStarted{run.token, world.now});
}

void on_ends(World& world, const Due& due) {
  if (stale(world, due) || world.states[due.subject].stops) return;
  finish(world, due.subject, world.states[due.subject].fails ? 1 : 0);
}

void on_killed(World& world, const Due& due) {
  if (!stale(world, due)) finish(world, due.subject, 137);
}

void on_stop(World& world, const core::StopRun& stop) {
  const auto found = world.by_number.find(stop.token.job);
  if (found == world.by_number.end()) return;
  const std::size_t index = found->second;
  JobState& state = world.states[index];
  // All nodes are told, and the first that is tells the others.
  if (state.stops || std::ranges::find(state.runs, stop.token, &JobRun::token) == state.runs.end()) return;
  state.stops = true;
  state.preempted = bool{world.core.state().jobs.find(state.number)->extra->attempts.back().preempted.at};
  // Who saves takes all the time that it gets for it; others end at once.
  Duration takes;
  if (world.jobs[index].saves_on_signal) {
    state.told_at = world.now;
    takes = stop.grace;
  }
  world.heap.push(world.now + takes, DueKind::Killed, index, world.outcome.jobs[index].starts);
}

void on_warned(World& world, std::size_t index) {
  Instant& told_at = world.states[index].told_at;
  if (world.jobs[index].saves_on_signal && !told_at) told_at = world.now;
}

void note_running(World& world, std::size_t index) {
  const Duration worked = std::max(Duration{}, world.now - world.states[index].works_from);
  add_use(world, index, world.now, world.now, worked);
}

}  // namespace stoker::sim
