#include "core/job/timers.h"

#include "core/job/life.h"
#include "core/job/stop.h"
#include "core/job/submit.h"
#include "core/resources/resources.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

constexpr int kForgetPerTurnMax = 10'000;  // a turn stays short; the rest follows in the next one

// AWS Batch User Guide, job timeouts: the attempt is stopped, and the job FAILED, when its node has done so.
void stop_overdue(World& world, Instant now, Actions& out) {
  while (!world.timeouts.empty() && world.timeouts.begin()->first <= now) {
    Job& job = *world.state.jobs.find(world.timeouts.begin()->second);
    world.timeouts.erase(world.timeouts.begin());
    if (is_being_stopped(job)) continue;
    job.timed_out = true;
    world.changes.job(job);
    ask_to_stop(world, job, out);
  }
}

void forget(World& world, Job& job) {
  const std::uint64_t count = 1 + job.children().size();
  for (std::uint64_t i = 0; i < count; ++i) world.changes.removed_job(JobNo{job.no.value + i});
  JobQueue& queue = world.state.queues.at(job.queue);
  --queue.jobs;
  const QueueNo number = queue.no;
  std::map<SpecNo, std::uint64_t> specs;
  ++specs[job.spec->no];
  for (const Job& child : job.children()) ++specs[child.spec->no];
  world.state.jobs.remove(job);
  for (const auto& [spec, uses] : specs) release_spec(world, world.state.specs.at(spec).get(), uses);
  if (queue.deleted && queue.jobs == 0) {
    world.changes.removed_document(DocumentKind::JobQueue, std::to_string(number.value));
    forget_shares(world, number);
    world.state.waiting.erase(number);
    world.state.quota_books.erase(number);
    world.quota_books_at_change.erase(number);
    world.state.queues.erase(number);
  }
}

}  // namespace

void run_timers(World& world, Instant now, Actions& out) {
  stop_overdue(world, now, out);
  for (int n = 0;
       n < kForgetPerTurnMax && !world.retirements.empty() && world.retirements.begin()->first <= now; ++n) {
    const JobNo no = world.retirements.begin()->second;
    world.retirements.erase(world.retirements.begin());
    forget(world, *world.state.jobs.find(no));
  }
  if (world.next_definition_removal && *world.next_definition_removal <= now)
    world.next_definition_removal = remove_old_definitions(world, now);
  if (world.nodes_back_by && *world.nodes_back_by <= now) {
    world.nodes_back_by = {};
    world.pass_due = true;
  }
  if (world.next_time_limit && *world.next_time_limit <= now) world.pass_due = true;
}

std::optional<Instant> next_timer(const World& world) {
  std::optional<Instant> next = world.next_time_limit;
  const auto consider = [&](Instant at) {
    if (!next || at < *next) next = at;
  };
  if (!world.timeouts.empty()) consider(world.timeouts.begin()->first);
  if (!world.retirements.empty()) consider(world.retirements.begin()->first);
  if (world.next_definition_removal) consider(*world.next_definition_removal);
  if (world.nodes_back_by) consider(*world.nodes_back_by);
  return next;
}

}  // namespace stoker::core
