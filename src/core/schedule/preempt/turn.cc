#include "core/schedule/preempt/turn.h"

#include <algorithm>
#include <set>

#include "core/schedule/fit.h"
#include "core/schedule/order.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/preempt.h"
#include "core/schedule/quota/gate.h"

namespace stoker::core {
namespace {

constexpr int kPreemptionsPerPassMax = 64;

void set_hold(World& world, Node& node, const NodeHold& hold) {
  node.hold = hold;
  update_place(world, node);
}

// The place that was made for the job, when it is there.
PlaceSearch place_on(World& world, const Contender& contender, Node& node) {
  const auto& environments = contender.turn.environments;
  Pool* pool = find_pool(world, node.environment);
  if (!node.open() || pool == nullptr ||
      std::ranges::find(environments, node.environment) == environments.end() ||
      !world.state.environments.at(node.environment).enabled || find_hold(world, contender))
    return {};
  const ShapeNo shape = narrowed_shape(world, contender, contender.group.shape);
  if (!fit_node(node, world.state.shape(shape)).fits() || !allows_place(world.state, contender, node))
    return {};
  return {.node = &node, .pool = pool, .shape = shape, .lent = false, .findings = {}};
}

bool try_claimer(World& world, JobNo no, Node& node, Instant now,
                 const std::function<bool(const Contender&, const PlaceSearch&)>& start) {
  const Job& job = *world.state.jobs.find(no);
  const QueueTurn turn = turn_of(world, world.state.queues.at(job.queue), now);
  const GroupKey group = group_of(world.state, job);
  const Contender contender{.turn = turn,
                            .group = group,
                            .shape = world.state.shape(group.shape),
                            .job = no,
                            .right = QuotaRight::Borrow};
  const NodeHold hold = node.hold;
  set_hold(world, node, {});
  const PlaceSearch place = place_on(world, contender, node);
  if (place.node != nullptr && start(contender, place)) return true;
  set_hold(world, node, hold);
  return false;
}

// Whether a plan is worth making: what rules it out at little cost.
bool may_preempt(const State& state, const Contender& contender) {
  const QuotaShares& shares = *contender.turn.quota_shares;
  const auto own = shares.find(contender.group.share);
  if (own == shares.end()) return false;
  const QuotaView view = quota_view(state, contender.turn.queue.no, shares);
  const auto& priorities = view.book.of(own->first).by_priority;
  if (own->second.preempts_inside && !priorities.empty() &&
      priorities.begin()->first < contender.group.priority)
    return true;
  return quota_verdict(state, contender).ok && std::ranges::any_of(shares, [&](const auto& entry) {
           return entry.first != own->first && is_over(view, entry.second);
         });
}

bool has_units(const State& state, const Shape& shape) {
  return std::ranges::all_of(shape.consumables, [&](const ConsumableNeed& need) {
    const auto found = state.consumables.find(need.resource);
    return found != state.consumables.end() && found->second.total - found->second.in_use >= need.quantity;
  });
}

std::set<std::string> kept_for_others(const World& world, JobNo job) {
  std::set<std::string> nodes;
  for (const auto& [environment, kept] : world.kept_nodes)
    if (kept.job != job) nodes.insert(kept.nodes.begin(), kept.nodes.end());
  return nodes;
}

// Limits of how many run at a time count runs, not those that are about to be: one after the other.
bool is_capped(const Contender& contender) {
  return contender.turn.max_running || contender.group.definition_max > 0 || contender.group.array;
}
bool has_claims(const State& state, QueueNo queue) {
  return std::ranges::any_of(state.claims,
                             [&](const auto& entry) { return state.jobs.find(entry.first)->queue == queue; });
}

}  // namespace

bool has_room_coming(const State& state, JobNo job) {
  if (state.claims.empty()) return false;
  const auto claim = state.claims.find(job);
  return claim != state.claims.end() && !claim->second.node.empty();
}

void start_claimers(World& world, Instant now,
                    const std::function<bool(const Contender&, const PlaceSearch&)>& start) {
  std::vector<JobNo> claimers;
  for (const auto& [no, claim] : world.state.claims) claimers.push_back(no);
  for (const JobNo no : claimers) {
    const auto claim = world.state.claims.find(no);
    if (claim == world.state.claims.end()) continue;
    const bool all_gone = claim->second.victims.empty();
    const auto node = world.state.nodes.find(claim->second.node);
    const bool started = node != world.state.nodes.end() && try_claimer(world, no, node->second, now, start);
    if (!started && all_gone) drop_claim(world, no);
  }
}

void preempt_in(World& world, const QueueTurn& turn, Instant now, Actions& out) {
  int left = kPreemptionsPerPassMax;
  Order order(world.state, turn.queue, now);
  while (const auto next = order.next()) {
    const Job& job = *world.state.jobs.find(next->job);
    if (world.state.claims.contains(job.no)) {
      order.take();
      continue;
    }
    const Contender contender{.turn = turn,
                              .group = *next->group,
                              .shape = world.state.shape(next->group->shape),
                              .job = job.no,
                              .right = QuotaRight::Own};
    const WaitKind why = world.state.waiting.at(turn.queue.no).at(*next->group).reason.kind;
    // Nobody is stopped for a gang: room on one node would not start it.
    const bool helpable = (why == WaitKind::Resources || why == WaitKind::Quota) &&
                          !contender.shape.is_gang() &&
                          !(is_capped(contender) && has_claims(world.state, turn.queue.no));
    std::optional<PreemptionPlan> plan;
    if (helpable && has_units(world.state, contender.shape) && may_preempt(world.state, contender))
      plan = plan_preemption(world.state, job, kept_for_others(world, job.no), now);
    if (plan) {
      order.take();
      preempt_for(world, job, *plan, now, out);
      if (--left > 0) continue;
      world.pass_due = true;
      return;
    }
    // What an owner waits for is kept for it: nothing made free behind it would be its own.
    if (why == WaitKind::Resources && quota_verdict(world.state, contender).ok) return;
    order.pass_over();
  }
}

}  // namespace stoker::core
