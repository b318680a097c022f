#include "core/provision/progress.h"

#include <algorithm>

namespace stoker::core {

Instant kept_until(const JobSpec& spec, const Attempt& attempt, Instant works_from, Instant to) {
  const bool taken = attempt.preempted.at || attempt.status_reason.starts_with("Host EC2");
  if (!attempt.stopped_at || !taken) return to;
  switch (spec.wishes.checkpoint) {
    case Checkpoint::None:
      return works_from;
    case Checkpoint::Signal:
      return to;
    case Checkpoint::Periodic:
      break;
  }
  const std::int64_t every = spec.wishes.checkpoint_every.ms;
  return every <= 0 ? to : works_from + Duration{(to - works_from).ms / every * every};
}

Duration kept_work(const Job& job) {
  Duration kept;
  if (!job.extra || job.spec->wishes.checkpoint == Checkpoint::None) return kept;
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
  if (wishes.checkpoint == Checkpoint::None) due.loss = days(10'000);  // all of it, however long
  if (wishes.checkpoint == Checkpoint::Periodic) due.loss = wishes.checkpoint_every;
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
