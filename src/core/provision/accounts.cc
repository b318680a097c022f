#include "core/provision/accounts.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"
#include "base/text.h"
#include "core/provision/costs.h"
#include "core/provision/progress.h"
#include "core/records/documents.h"
#include "core/resources/fleet_tags.h"

namespace stoker::core {
namespace {

// Of a part of a machine's life that is neither its beginning nor its end.
constexpr cost::BillingRule kByTime{.unit = milliseconds(1), .minimum = {}, .free_if_reclaimed_within = {}};

cost::Payer in_ledger(const CostPayer& payer) {
  return {.job = {}, .tenant = payer.share, .queue = payer.queue, .tag = {}};
}

// The largest of its shares of the machine; where it holds GPUs these decide. A share of a GPU has as much of
// its memory; MIG devices count by their memory, which is what they keep from others.
cost::Share share_of(const Resources& asked, const Attempt& attempt, const Resources& machine) {
  cost::Amounts request{attempt.mig_memory_milli > 0 ? attempt.mig_memory_milli : asked.all_gpu_milli(),
                        asked.cpus_milli, asked.memory_mib};
  if (machine.gpus > 0 && request.gpu_milli > 0) request = {request.gpu_milli, 0, 0};
  return cost::dominant_share(request, {machine.all_gpu_milli(), machine.cpus_milli, machine.memory_mib});
}

// `number` of the attempt, from 1: a multi-node job and its nodes have each attempt together.
cost::RunUse run_use(const State& state, const Job& job, int number, cost::Share share, Instant now) {
  const auto index = static_cast<std::size_t>(number) - 1;
  const Attempt& attempt = job.extra->attempts[index];
  const Job& whole = whole_job(state, job);
  cost::RunUse use;
  use.payer = in_ledger(payer_of(state, job));
  use.payer.job = std::to_string(job.no.value);
  use.share = share;
  use.from = attempt.placed_at;
  use.to = attempt.stopped_at ? std::max(attempt.stopped_at, attempt.placed_at) : std::max(now, use.from);
  use.works_from = attempt.started_at ? std::clamp(attempt.started_at, use.from, use.to) : use.to;
  use.kept_until = kept_until(*whole.spec, whole.extra->attempts.at(index), use.works_from, use.to);
  return use;
}

// From when on its cost is not accounted for.
Instant since_when(const LaunchedNode& launched) {
  return launched.accounted_from ? launched.accounted_from : launched.started_at;
}

// What happened to it since it was last accounted for.
cost::NodeUse use_of(const State& state, const LaunchedNode& launched, Instant now) {
  cost::NodeUse use;
  use.node = launched.name;
  use.environment = launched.environment;
  use.asked_by = in_ledger(launched.asked_by);
  use.used_by = in_ledger(launched.used_by);
  use.started = since_when(launched);
  use.kept = launched.kept;
  if (launched.reason == fleet::LaunchReason::Owned) use.kept = {{use.started, {}}};
  use.prices = {{use.started, launched.price}};
  use.ready = launched.ready_at ? std::max(launched.ready_at, use.started) : Instant{};
  for (const LaunchedNode::Served& served : launched.served) {
    const Job* job = state.jobs.find(served.job);
    if (job == nullptr || !job->extra ||
        job->extra->attempts.size() < static_cast<std::size_t>(served.attempt))
      continue;
    const Attempt& attempt = job->extra->attempts[static_cast<std::size_t>(served.attempt) - 1];
    if (attempt.node != launched.name) continue;
    const cost::Share share = share_of(job->spec->container.resources, attempt, launched.total);
    use.runs.push_back(run_use(state, *job, served.attempt, share, now));
  }
  return use;
}

// The whole life of a machine is billed as its seller does; parts of it by the time alone.
cost::LedgerRules rules_for(const State& state, const LaunchedNode& launched) {
  cost::LedgerRules rules;
  const auto environment = state.environments.find(launched.environment);
  rules.spread_idle = environment != state.environments.end() && spreads_idle_cost(environment->second.tags);
  if (launched.accounted_from || launched.reason == fleet::LaunchReason::Owned) rules.billing = kByTime;
  return rules;
}

JobNo job_of(const cost::Line& line) {
  return JobNo{static_cast<std::uint64_t>(parse_int(line.payer.job).value_or(0))};
}

CostKey key_of(const LaunchedNode& launched, const cost::Line& line) {
  return {.payer = {line.payer.queue, line.payer.tenant},
          .machine = {.type = launched.pool.type,
                      .spot = launched.pool.market == fleet::Market::Spot,
                      .gpus = launched.total.gpus}};
}

// Days that are too old go when a new one comes.
CostDay& cost_day(World& world, Instant at, const std::string& environment) {
  CostDays& days = world.state.cost_days;
  const Instant day = day_of(at);
  const auto [found, fresh] = days.try_emplace({day, environment});
  if (!fresh) return found->second;
  found->second.day = day;
  found->second.environment = environment;
  while (days.begin()->first.first + kCostDaysKept < day) {
    const CostDay& old = days.begin()->second;
    world.changes.removed_document(DocumentKind::CostDay, cost_day_key(old.day, old.environment));
    days.erase(days.begin());
  }
  return found->second;
}

// `from`: the beginning of the time that is billed.
void write_lines(World& world, const LaunchedNode& launched, const cost::NodeBill& bill, Instant from) {
  const std::string fault = cost::check_ledger({bill});
  ASSERT(fault.empty(), fault);
  CostDay& day = cost_day(world, from, launched.environment);
  day.billed += bill.billed;
  for (const cost::Line& line : bill.lines)
    day.lines[key_of(launched, line)].add(line, launched.price, launched.on_demand);
  world.changes.document(DocumentKind::CostDay, cost_day_key(day.day, day.environment));
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

void account_part(World& world, LaunchedNode& launched, Instant now) {
  cost::NodeUse use = use_of(world.state, launched, now);
  use.ended = now;
  cost::LedgerRules rules = rules_for(world.state, launched);
  rules.billing = kByTime;
  write_lines(world, launched, cost::bill(use, rules, now), use.started);
  launched.accounted_from = now;
  const cost::Payer last = cost::last_user(use);
  launched.used_by = {last.queue, last.tenant};
  std::erase_if(launched.kept, [&](const cost::Span& span) { return span.to && span.to <= now; });
  world.changes.document(DocumentKind::LaunchedNode, launched.name);
  std::erase_if(launched.served, [&](const LaunchedNode::Served& served) {
    const Job* job = world.state.jobs.find(served.job);
    return job == nullptr || job->extra->attempts[static_cast<std::size_t>(served.attempt) - 1].stopped_at;
  });
}

cost::NodeBill bill_until_now(const State& state, const LaunchedNode& launched, Instant now) {
  return cost::bill(use_of(state, launched, now), rules_for(state, launched), now);
}

void add_provisional(const State& state, const LaunchedNode& launched, Instant now, const std::string* job,
                     cost::Totals& totals) {
  if (!launched.started_at) return;
  for (const cost::Line& line : bill_until_now(state, launched, now).lines)
    if (job == nullptr || line.payer.job == *job) totals.add(line);
}

}  // namespace

CostPayer payer_of(const State& state, const Job& job) {
  const auto queue = state.queues.find(job.queue);
  return {.queue = queue == state.queues.end() ? "" : queue->second.name, .share = job.spec->share};
}

void note_served(World& world, const Job& job) {
  if (world.state.launched.empty()) return;
  const auto launched = world.state.launched.find(job.extra->attempts.back().node);
  if (launched == world.state.launched.end()) return;
  launched->second.served.push_back({job.no, static_cast<int>(job.extra->attempts.size())});
  if (launched->second.reason == fleet::LaunchReason::Owned && launched->second.served.size() >= kServedMax)
    world.provision.owned_due = Instant{1};
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
  write_lines(world, launched, cost::bill(use, rules_for(world.state, launched), now), use.started);
}

void account_long_ones(World& world, const std::string& environment, Instant now) {
  for (auto& [name, launched] : world.state.launched) {
    if (launched.environment != environment || !launched.ready_at) continue;
    // Not in its first hour: what EC2 takes back then is free.
    if (now - launched.started_at < hours(1)) continue;
    if (day_of(now) > day_of(since_when(launched)) || launched.served.size() >= kServedMax ||
        launched.kept.size() >= kServedMax)
      account_until(world, launched, now);
  }
}

void account_owned(World& world, Instant now) {
  auto& due = world.provision.owned_due;
  if (!due || now < *due) return;
  due.reset();
  for (auto& [name, launched] : world.state.launched) {
    if (launched.reason != fleet::LaunchReason::Owned) continue;
    account_until(world, launched, now);
    due = day_of(now) + days(1);
  }
}

void account_until(World& world, LaunchedNode& launched, Instant now) {
  if (now > since_when(launched)) account_part(world, launched, now);
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

std::vector<CostRow> cost_rows(const State& state, Instant from, Instant to, Instant now) {
  std::map<std::tuple<Instant, std::string, CostKey>, std::pair<CostSums, bool>> rows;
  const auto is_asked_for = [&](Instant day) { return day + days(1) > from && day < to; };
  for (const auto& [key, day] : state.cost_days)
    if (is_asked_for(day.day))
      for (const auto& [line, sums] : day.lines) rows[{day.day, day.environment, line}].first.add(sums);
  for (const auto& [name, launched] : state.launched) {
    const Instant day = day_of(since_when(launched));
    if (!launched.started_at || !is_asked_for(day)) continue;
    for (const cost::Line& line : bill_until_now(state, launched, now).lines) {
      auto& [sums, provisional] = rows[{day, launched.environment, key_of(launched, line)}];
      sums.add(line, launched.price, launched.on_demand);
      provisional = provisional || line.provisional;
    }
  }
  std::vector<CostRow> out;
  for (auto& [key, row] : rows)
    out.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), row.first, row.second});
  return out;
}

void CostSums::add(const cost::Line& line, Money price, Money on_demand) {
  const auto kind = static_cast<std::size_t>(line.kind);
  billed[kind] += line.amount;
  time[kind] = time[kind] + line.time;
  const bool differs = on_demand > Money{} && price > Money{};
  list[kind] += differs ? Money{static_cast<std::int64_t>(static_cast<Wide>(line.amount.micros) *
                                                          on_demand.micros / price.micros)}
                        : line.amount;
}

void CostSums::add(const CostSums& more) {
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) {
    billed[kind] += more.billed[kind];
    list[kind] += more.list[kind];
    time[kind] = time[kind] + more.time[kind];
  }
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
