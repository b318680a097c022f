#include "sim/run/jobs.h"

#include <algorithm>

#include "base/text.h"
#include "sim/run/machines.h"

namespace stoker::sim {
namespace {

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

// One definition for all jobs that ask for the same thing.
const std::string& definition_of(World& world, const SimJob& job) {
  std::string needs = R"([{"type":"VCPU","value":")" + std::to_string(whole_vcpus(job)) +
                      R"("},{"type":"MEMORY","value":")" +
                      std::to_string(std::max<std::int64_t>(4, job.memory_mib)) + "\"}";
  if (job.gpus > 0) needs += R"(,{"type":"GPU","value":")" + std::to_string(job.gpus) + "\"}";
  if (job.gpu_milli > 0)
    needs += R"(,{"type":"GPU","value":"0.)" + std::to_string(1000 + job.gpu_milli).substr(1) + "\"}";
  needs += "]";
  const core::Tags wishes = tags_of(job);
  std::string timeout;
  if (job.time_limit > Duration{})
    timeout.append(R"("timeout":{"attemptDurationSeconds":)")
        .append(std::to_string(job.time_limit.ms / 1000))
        .append("},");
  std::string key = needs + timeout;
  for (const auto& [tag, value] : wishes) key.append("\n").append(tag).append("=").append(value);
  const auto [found, is_new] =
      world.definitions.try_emplace(std::move(key), "shape-" + std::to_string(world.definitions.size()));
  if (!is_new) return found->second;
  const std::string text =
      R"({"type":"container",)" + timeout + R"("retryStrategy":{"attempts":)" + std::to_string(kAttempts) +
      R"(},"containerProperties":{"image":"host","command":["work"],"resourceRequirements":)" + needs + "}}";
  ask(world, core::RegisterJobDefinition{
                 found->second, std::make_shared<const json::Value>(json::parse(text).value()), wishes});
  return found->second;
}

// On queues with a scheduling policy each tenant is a share, whose identifier has letters and digits alone;
// on those with quota shares it names one.
json::Shared overrides_of(World& world, const SimJob& job) {
  const auto queue = world.queues.find(job.queue);
  if (queue == world.queues.end()) return nullptr;
  const bool quota = !queue->second->quota_shares.empty();
  if (!quota && !queue->second->scheduling_policy) return nullptr;
  json::Shared& overrides = world.share_overrides[{job.queue + '\n' + job.tenant, job.priority}];
  if (overrides) return overrides;
  std::string share;
  for (const char c : job.tenant)
    if (quota || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) share += c;
  overrides = std::make_shared<const json::Value>(json::Object{
      {"shareIdentifier", share.empty() ? "all" : share}, {"schedulingPriorityOverride", job.priority}});
  return overrides;
}

void end_job(World& world, std::size_t index, JobEnd end) {
  world.outcome.jobs[index].end = end;
  world.outcome.jobs[index].ended_at = world.now;
  world.by_number.erase(world.states[index].token.job);
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
  Machine& machine = world.machines[state.machine];
  machine.outcome.use.runs.push_back({{std::to_string(index), job.tenant, job.queue, ""},
                                      share_of(job, *machine.type),
                                      state.from,
                                      std::min(state.works_from, to),
                                      to,
                                      std::min(kept_until, to)});
  const std::int64_t milli = job.gpus * 1000 + job.gpu_milli;
  machine.outcome.gpu_work = machine.outcome.gpu_work + Duration{kept.ms * milli / 1000};
}

// When the tenant's image is on the machine; who comes while another pulls it waits for that pull.
Instant image_at(World& world, Machine& machine, const std::string& tenant) {
  const SimEnvironment& environment = world.scenario.environments[machine.environment];
  if (!environment.keeps_images) return world.now + draw(environment.pull, world.rng);
  const auto [image, is_new] = machine.images.try_emplace(tenant, world.now);
  if (is_new) image->second = world.now + draw(environment.pull, world.rng);
  return std::max(world.now, image->second);
}

// The run ends by itself; what the core makes of it is seen in its state.
void finish(World& world, std::size_t index, int exit_code) {
  JobState& state = world.states[index];
  note_run(world, index, exit_code == 0);
  JobOutcome& outcome = world.outcome.jobs[index];
  if (exit_code != 0) ++(state.preempted ? outcome.preemptions : outcome.failures);
  Machine& machine = world.machines[state.machine];
  give_room(machine, index);
  core::RunEnded ended;
  ended.node = machine.node.id;
  ended.token = state.token;
  ended.started_at = state.works_from;
  ended.at = world.now;
  ended.exit_code = exit_code;
  apply(world, ended);
  settle(world, index, exit_code == 0);
}

}  // namespace

void note_run(World& world, std::size_t index, bool succeeded) {
  const SimJob& job = world.jobs[index];
  JobState& state = world.states[index];
  // Who saves does not work.
  const Instant until = state.told_at ? state.told_at : world.now;
  const Duration worked = std::max(Duration{}, until - state.works_from);
  Duration kept = worked;
  if (!succeeded) {
    const std::int64_t step = job.checkpoint.ms;
    const bool told = state.told_at || (job.saves_on_signal && world.machines[state.machine].noticed);
    const Duration saved{told       ? (state.done + worked).ms
                         : step > 0 ? (state.done + worked).ms / step * step
                                    : 0};
    kept = std::max(Duration{}, saved - state.done);
    world.outcome.jobs[index].lost = world.outcome.jobs[index].lost + (worked - kept);
    state.done = state.done + kept;
  }
  add_use(world, index, world.now, state.works_from + kept, kept);
}

void settle(World& world, std::size_t index, bool succeeded) {
  if (succeeded) return end_job(world, index, JobEnd::Succeeded);
  const core::Job* job = world.core.state().jobs.find(world.states[index].token.job);
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
  const auto submission = world.submissions.find(replied.request.value);
  if (!replied.answer) {
    if (world.outcome.refused++ == 0) world.outcome.refusal = replied.answer.error().message;
    if (submission != world.submissions.end()) end_job(world, submission->second, JobEnd::Failed);
  }
  if (submission != world.submissions.end()) world.submissions.erase(submission);
}

void on_start(World& world, const core::StartRun& start) {
  const auto index = static_cast<std::size_t>(std::stoull(start.job_name));
  const SimJob& job = world.jobs[index];
  JobState& state = world.states[index];
  JobOutcome& outcome = world.outcome.jobs[index];
  state.machine = world.machine_names.at(start.node);
  Machine& machine = world.machines[state.machine];
  const Duration restart = outcome.starts > 0 ? draw(world.scenario.restart, world.rng) : Duration{};
  state.token = start.token;
  state.told_at = {};
  state.preempted = false;
  world.by_number[start.token.job] = index;
  state.from = world.now;
  state.works_from = image_at(world, machine, job.tenant) + restart;
  ++outcome.starts;
  outcome.end = JobEnd::Running;
  if (!outcome.placed) {
    outcome.placed = true;
    outcome.placed_at = world.now;
    outcome.computes_at = state.works_from;
  }
  take_room(machine, index);
  foresee_end(world, index);
}

void on_works(World& world, const Due& due) {
  if (!stale(world, due)) apply(world, core::RunStarted{world.states[due.subject].token, world.now});
}

void on_ends(World& world, const Due& due) {
  if (stale(world, due) || world.states[due.subject].told_at) return;
  finish(world, due.subject, world.states[due.subject].fails ? 1 : 0);
}

void on_killed(World& world, const Due& due) {
  if (!stale(world, due)) finish(world, due.subject, 137);
}

void on_stop(World& world, const core::StopRun& stop) {
  const auto found = world.by_number.find(stop.token.job);
  if (found == world.by_number.end() || !(world.states[found->second].token == stop.token)) return;
  const std::size_t index = found->second;
  JobState& state = world.states[index];
  if (world.outcome.jobs[index].end != JobEnd::Running || state.told_at) return;
  state.preempted = bool{world.core.state().jobs.find(stop.token.job)->extra->attempts.back().preempted.at};
  // Who saves takes all the time that it gets for it; others end at once.
  Duration takes;
  if (world.jobs[index].saves_on_signal) {
    state.told_at = world.now;
    takes = stop.grace;
  }
  world.heap.push(world.now + takes, DueKind::Killed, index, world.outcome.jobs[index].starts);
}

void note_running(World& world, std::size_t index) {
  const Duration worked = std::max(Duration{}, world.now - world.states[index].works_from);
  add_use(world, index, world.now, world.now, worked);
}

}  // namespace stoker::sim
