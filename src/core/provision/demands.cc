#include "core/provision/demands.h"

#include <algorithm>

#include "core/provision/progress.h"
#include "core/provision/snapshot.h"
#include "core/schedule/order.h"

namespace stoker::core {
namespace {

constexpr std::size_t kDueJobsMax = 10'000;  // of a group that a look considers one by one
constexpr std::size_t kDueDemandsMax = 64;   // that differ, of a group

// Jobs of a group that have the same deadline and have come as far, in the order of the first of each; beyond
// the bounds they wait like jobs without one.
std::vector<std::pair<fleet::Due, std::int64_t>> dues_of(const State& state, const WaitingGroup& group) {
  std::vector<std::pair<fleet::Due, std::int64_t>> dues;
  std::map<fleet::Due, std::size_t> known;
  std::size_t seen = 0;
  for (auto no = group.due.first(); no && seen < kDueJobsMax; ++seen) {
    const auto due = due_of(*state.jobs.find(*no));
    no = group.due.next_from(JobNo{no->value + 1});
    const auto [at, fresh] = known.emplace(*due, dues.size());
    if (fresh && dues.size() == kDueDemandsMax) break;
    if (fresh) dues.emplace_back(*due, 0);
    ++dues[at->second].second;
  }
  return dues;
}

// Of one group, whose first job that is.
fleet::Demand demand_of(const State& state, const Job& first, const Shape& shape) {
  fleet::Demand demand = demand_for(state, shape);
  demand.waiting_since = first.runnable_at;
  demand.run = expected_run(*first.spec);
  demand.asker = first.no.value;
  return demand;
}

std::int64_t sum_of(const std::vector<QuotaPart>& parts) {
  std::int64_t jobs = 0;
  for (const QuotaPart& part : parts) jobs += part.jobs;
  return jobs;
}

}  // namespace

std::vector<WaitingDemand> Demands::of(const JobQueue& queue, const OfferedTypes& types) {
  std::vector<WaitingDemand> demands;
  const auto waiting = world_.state.waiting.find(queue.no);
  if (waiting == world_.state.waiting.end()) return demands;
  Groups left;
  for (const auto& [key, group] : waiting->second) {
    if (group.reason.kind == WaitKind::Disabled) continue;
    std::vector<Group>& groups = left[key];
    auto jobs = static_cast<std::int64_t>(group.jobs.size());
    for (const auto& [due, count] : dues_of(world_.state, group)) {
      groups.push_back({{{queue.no, key}, due}, count});
      jobs -= count;
    }
    if (jobs > 0) groups.push_back({{{queue.no, key}, std::nullopt}, jobs});
  }
  const QueueTurn turn = turn_of(world_, queue, now_);
  quota_.reset();
  if (turn.quota_shares != nullptr)
    quota_.emplace(world_.state, queue, world_.settings.launching->catalogue, types);
  walk(turn, QuotaRight::Own, left, demands);
  if (quota_) walk(turn, QuotaRight::Borrow, left, demands);
  for (const auto& [key, groups] : left)
    if (std::ranges::any_of(groups, [](const Group& group) { return group.jobs > 0; }))
      limited_.insert({queue.no, key});
  return demands;
}

void Demands::walk(const QueueTurn& turn, QuotaRight right, Groups& left,
                   std::vector<WaitingDemand>& demands) {
  const State& state = world_.state;
  Order order(state, turn.queue, now_);
  for (auto next = order.next(); next; order.pass_over(), next = order.next()) {
    const auto groups = left.find(*next->group);
    if (groups == left.end()) continue;
    const Contender contender = contender_of(state, turn, *next->group, next->job, right);
    const fleet::Demand demand = demand_of(state, *state.jobs.find(next->job), contender.shape);
    for (Group& group : groups->second) {
      if (group.jobs == 0) continue;
      for (const QuotaPart& part : take(contender, group.key, group.jobs)) {
        if (part.jobs == 0) continue;
        group.jobs -= part.jobs;
        WaitingDemand one{group.key, part.place, demand};
        one.demand.due = group.key.due;
        one.demand.jobs = part.jobs;
        const auto& [model, type] = part.place;
        if (!model.empty() && one.demand.need.gpu_models.empty()) one.demand.need.gpu_models = {model};
        if (!type.empty()) one.demand.need.instance_types = {type};
        demands.push_back(std::move(one));
      }
    }
  }
}

std::vector<QuotaPart> Demands::take(const Contender& contender, const DemandKey& key, std::int64_t jobs) {
  QuotaServed none;
  const auto found = served_.find(key);
  QuotaServed& served = found == served_.end() ? none : found->second;
  jobs = std::min(jobs, ahead_.allowed(contender));
  const std::int64_t units = ahead_.units(contender);
  bool lacks_units = units < jobs;
  std::vector<QuotaPart> parts;
  if (quota_) {
    // Units are asked for last: who may not start by its share keeps nobody from them.
    const Job& first = *world_.state.jobs.find(contender.job);
    std::optional<QuotaDemand> before;
    if (lacks_units) before.emplace(*quota_);
    parts = quota_->take(contender.group, first, jobs, contender.right, served);
    lacks_units = sum_of(parts) > units;
    if (lacks_units) {
      quota_.emplace(*before);
      parts = quota_->take(contender.group, first, units, contender.right, served);
    }
  } else {
    if (const auto known = served.find({}); known != served.end()) jobs = std::min(jobs, known->second);
    lacks_units = units < jobs;
    parts.push_back({std::min(jobs, units), {}});
  }
  for (const QuotaPart& part : parts)
    if (const auto known = served.find(part.place); known != served.end()) known->second -= part.jobs;
  ahead_.start(contender, sum_of(parts));
  if (lacks_units) ahead_.await_units(contender);
  return parts;
}

}  // namespace stoker::core
