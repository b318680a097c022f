#include "core/provision/progress.h"

#include <algorithm>

#include "core/schedule/preempt/victims.h"

namespace stoker::core {

const Job& whole_job(const State& state, const Job& job) {
  return job.is_node() ? state.jobs.parent_of(job) : job;
}

Instant kept_until(const JobSpec& spec, const Attempt& attempt, Instant works_from, Instant to) {
  if (!attempt.stopped_at || (!attempt.lost && !attempt.preempted.at)) return to;
  const Instant told_at = attempt.preempted.at ? attempt.preempted.at : attempt.warned_at;
  return kept_until(spec.wishes, {.works_from = works_from, .told_at = told_at, .at = to});
}

Duration kept_work(const Job& job) {
  Duration kept;
  if (!job.extra) return kept;
  for (const Attempt& attempt : job.extra->attempts)
    if ((attempt.lost || attempt.preempted.at) && attempt.started_at &&
        attempt.stopped_at > attempt.started_at)
      kept = kept +
             (kept_until(*job.spec, attempt, attempt.started_at, attempt.stopped_at) - attempt.started_at);
  return kept;
}

std::optional<fleet::Due> due_of(const Job& job) {
  const Wishes& wishes = job.spec->wishes;
  if (!wishes.has_deadline()) return std::nullopt;
  fleet::Due due;
  due.clock = job.created_at;
  due.deadline = wishes.deadline_at ? wishes.deadline_at : job.created_at + wishes.deadline_after;
  due.work = expected_run(*job.spec);
  due.done = kept_work(job);
  due.loss = lost_most(wishes).value_or(days(10'000));  // all of it, however long
  return due;
}

std::optional<fleet::Due> due_if_stopped(const Job& job, Instant now) {
  auto due = due_of(job);
  if (due && job.started_at && now > job.started_at)
    due->done = due->done + (now - job.started_at - lost_work(job, now));
  return due;
}

Duration expected_run(const JobSpec& spec) {
  return spec.wishes.run_time.ms > 0 ? spec.wishes.run_time : spec.timeout.value_or(Duration{});
}

Duration expected_rest(const Job& job, Duration guess, Instant now) {
  const Duration expected = expected_run(*job.spec);
  const Duration ran = job.started_at ? std::max(now - job.started_at, Duration{}) : Duration{};
  const Duration rest = (expected.ms > 0 ? expected : guess) - kept_work(job) - ran;
  return rest.ms > 0 ? rest : ran;
}

int moves(const Job& job) {
  if (!job.extra) return 0;
  return static_cast<int>(std::ranges::count_if(job.extra->attempts, [&](const Attempt& attempt) {
    return attempt.preempted.at && attempt.preempted.by == job.no;
  }));
}

std::string deadline_text(const State& state, const Job& job) {
  const auto due = due_of(job);
  if (!due) return {};
  for (const auto& [name, fleet] : state.fleets)
    if (const auto found = fleet.dues.find(*due); found != fleet.dues.end()) return found->second;
  return {};
}

}  // namespace stoker::core
