#include "core/provision/accounts.h"

#include <algorithm>

#include "base/assert.h"
#include "base/text.h"
#include "core/provision/costs.h"

namespace stoker::core {
namespace {

// Of a part of a machine's life that is neither its beginning nor its end.
constexpr cost::BillingRule kByTime{.unit = milliseconds(1), .minimum = {}, .free_if_reclaimed_within = {}};

// The largest of its shares of the machine; where it holds GPUs these decide.
cost::Share share_of(const Resources& asked, const Resources& machine) {
  cost::Amounts request{asked.all_gpu_milli(), asked.cpus_milli, asked.memory_mib};
  if (machine.gpus > 0 && request.gpu_milli > 0) request = {request.gpu_milli, 0, 0};
  return cost::dominant_share(request, {machine.all_gpu_milli(), machine.cpus_milli, machine.memory_mib});
}

// Until when its work counts: what an interruption took is lost since the last checkpoint.
Instant kept_until(const JobSpec& spec, const Attempt& attempt, Instant works_from, Instant to) {
  if (!attempt.stopped_at || !attempt.status_reason.starts_with("Host EC2")) return to;
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

cost::RunUse run_use(const State& state, const Job& job, const Attempt& attempt, cost::Share share,
                     Instant now) {
  const auto queue = state.queues.find(job.queue);
  cost::RunUse use;
  use.payer = {.job = std::to_string(job.no.value),
               .tenant = job.spec->share,
               .queue = queue == state.queues.end() ? "" : queue->second.name,
               .tag = {}};
  use.share = share;
  use.from = attempt.placed_at;
  use.to = attempt.stopped_at ? std::max(attempt.stopped_at, attempt.placed_at) : std::max(now, use.from);
  use.works_from = attempt.started_at ? std::clamp(attempt.started_at, use.from, use.to) : use.to;
  use.kept_until = kept_until(*job.spec, attempt, use.works_from, use.to);
  return use;
}

// What happened to it since it was last accounted for.
cost::NodeUse use_of(const State& state, const LaunchedNode& launched, Instant now) {
  cost::NodeUse use;
  use.node = launched.name;
  use.environment = launched.environment;
  use.started = launched.accounted_from ? launched.accounted_from : launched.started_at;
  use.prices = {{use.started, launched.price}};
  use.ready = launched.ready_at ? std::max(launched.ready_at, use.started) : Instant{};
  for (const LaunchedNode::Served& served : launched.served) {
    const Job* job = state.jobs.find(served.job);
    if (job == nullptr || !job->extra ||
        job->extra->attempts.size() < static_cast<std::size_t>(served.attempt))
      continue;
    const Attempt& attempt = job->extra->attempts[static_cast<std::size_t>(served.attempt) - 1];
    if (attempt.node != launched.name) continue;
    use.runs.push_back(
        run_use(state, *job, attempt, share_of(job->spec->container.resources, launched.total), now));
  }
  return use;
}

// The whole life of a machine is billed as its seller does; parts of it by the time alone.
cost::LedgerRules rules_for(const LaunchedNode& launched) {
  cost::LedgerRules rules;
  if (launched.accounted_from) rules.billing = kByTime;
  return rules;
}

JobNo job_of(const cost::Line& line) {
  return JobNo{static_cast<std::uint64_t>(parse_int(line.payer.job).value_or(0))};
}

void write_lines(World& world, const LaunchedNode& launched, const cost::NodeBill& bill) {
  const std::string fault = cost::check_ledger({bill});
  ASSERT(fault.empty(), fault);
  const auto fleet = world.state.fleets.find(launched.environment);
  for (const cost::Line& line : bill.lines) {
    const auto kind = static_cast<std::size_t>(line.kind);
    if (fleet != world.state.fleets.end()) fleet->second.costs[kind] += line.amount;
    Job* job = line.payer.job.empty() ? nullptr : world.state.jobs.find(job_of(line));
    if (job == nullptr || line.amount == Money{}) continue;
    job->extra->costs[kind] += line.amount;
    world.changes.job(*job);
  }
  if (fleet == world.state.fleets.end()) return;
  fleet->second.billed += bill.billed;
  world.changes.document(DocumentKind::Fleet, launched.environment);
}

// Until now; what goes on begins anew.
void account_part(World& world, LaunchedNode& launched, Instant now) {
  cost::NodeUse use = use_of(world.state, launched, now);
  use.ended = now;
  write_lines(world, launched, cost::bill(use, {.billing = kByTime, .spread_idle = false}, now));
  launched.accounted_from = now;
  world.changes.document(DocumentKind::LaunchedNode, launched.name);
  std::erase_if(launched.served, [&](const LaunchedNode::Served& served) {
    const Job* job = world.state.jobs.find(served.job);
    return job == nullptr || job->extra->attempts[static_cast<std::size_t>(served.attempt) - 1].stopped_at;
  });
}

void add_provisional(const State& state, const LaunchedNode& launched, Instant now, const std::string* job,
                     cost::Totals& totals) {
  if (!launched.started_at) return;
  for (const cost::Line& line : cost::bill(use_of(state, launched, now), rules_for(launched), now).lines)
    if (job == nullptr || line.payer.job == *job) totals.add(line);
}

}  // namespace

void note_served(World& world, const Job& job) {
  if (world.state.launched.empty()) return;
  const auto launched = world.state.launched.find(job.extra->attempts.back().node);
  if (launched != world.state.launched.end())
    launched->second.served.push_back({job.no, static_cast<int>(job.extra->attempts.size())});
}

void note_served_before(World& world, const Job& job) {
  if (world.state.launched.empty() || !job.extra) return;
  int number = 0;
  for (const Attempt& attempt : job.extra->attempts) {
    ++number;
    const auto launched = world.state.launched.find(attempt.node);
    if (launched == world.state.launched.end()) continue;
    if (attempt.stopped_at && attempt.stopped_at <= launched->second.accounted_from) continue;
    launched->second.served.push_back({job.no, number});
  }
}

void account_end(World& world, LaunchedNode& launched, Instant now, bool reclaimed) {
  if (!launched.started_at) return;
  cost::NodeUse use = use_of(world.state, launched, now);
  use.ended = std::max(now, use.started);
  use.reclaimed = reclaimed && launched.pool.market == fleet::Market::Spot;
  write_lines(world, launched, cost::bill(use, rules_for(launched), now));
}

void account_long_ones(World& world, const std::string& environment, Instant now) {
  for (auto& [name, launched] : world.state.launched) {
    if (launched.environment != environment || !launched.ready_at) continue;
    // Not in its first hour: what EC2 takes back then is free.
    const Instant since = launched.accounted_from ? launched.accounted_from : launched.started_at;
    if (now - since >= kAccountedEvery || (launched.served.size() >= kServedMax && now - since >= hours(1)))
      account_part(world, launched, now);
  }
}

cost::Totals cost_of_job(const State& state, const Job& job, Instant now) {
  cost::Totals totals;
  if (!job.extra) return totals;
  for (const Job& child : job.children()) {
    const cost::Totals of_child = cost_of_job(state, child, now);
    for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
      totals.by_kind[kind] += of_child.by_kind[kind];
    totals.provisional = totals.provisional || of_child.provisional;
  }
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) totals.by_kind[kind] += job.extra->costs[kind];
  const std::string payer = std::to_string(job.no.value);
  std::vector<std::string_view> seen;
  for (const Attempt& attempt : job.extra->attempts) {
    const auto launched = state.launched.find(attempt.node);
    if (launched == state.launched.end() || std::ranges::find(seen, attempt.node) != seen.end()) continue;
    seen.push_back(attempt.node);
    add_provisional(state, launched->second, now, &payer, totals);
  }
  return totals;
}

cost::Totals cost_of_environment(const State& state, const std::string& environment, Instant now) {
  cost::Totals totals;
  const auto fleet = state.fleets.find(environment);
  if (fleet != state.fleets.end()) totals.by_kind = fleet->second.costs;
  for (const auto& [name, launched] : state.launched)
    if (launched.environment == environment) add_provisional(state, launched, now, nullptr, totals);
  return totals;
}

}  // namespace stoker::core
