#include "core/schedule/preempt/turn.h"

#include <algorithm>

#include "base/assert.h"
#include "core/schedule/caps.h"
#include "core/schedule/fit.h"
#include "core/schedule/order.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/gang_plan.h"
#include "core/schedule/preempt/plan.h"
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

bool try_claimer(World& world, const Job& job, const std::string& name, Instant now,
                 const ClaimerStarts& starts) {
  const auto found = world.state.nodes.find(name);
  if (found == world.state.nodes.end() && !job.is_gang()) return false;
  const QueueTurn turn = turn_of(world, world.state.queues.at(job.queue), now);
  const GroupKey group = group_of(world.state, job);
  const Contender contender = contender_of(world.state, turn, group, job.no, QuotaRight::Borrow);
  if (job.is_gang()) return starts.gang(contender);
  Node& node = found->second;
  const NodeHold hold = node.hold;
  set_hold(world, node, {});
  const PlaceSearch place = place_on(world, contender, node);
  if (place.node != nullptr && starts.job(contender, place)) return true;
  set_hold(world, node, hold);
  return false;
}

// Room, or quota, is what it waits for.
bool could_be_helped(const WaitReason& reason) {
  return reason.kind == WaitKind::Resources || reason.kind == WaitKind::Quota ||
         (reason.kind == WaitKind::Order && reason.for_machines);
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

std::optional<PreemptionPlan> make_plan(const World& world, Prospect& prospect, const Job& job,
                                        const Contender& contender) {
  return job.is_gang() ? plan_gang_preemption(world, prospect, contender)
                       : plan_preemption(world, prospect, job);
}

// Stops jobs for those of one queue that wait.
class Preempting {
 public:
  Preempting(World& world, const QueueTurn& turn, Instant now, Actions& out)
      : world_(world), turn_(turn), now_(now), out_(out) {
    claims_ = std::ranges::any_of(world.state.claims, [&](const auto& entry) {
      return world.state.jobs.find(entry.first)->queue == turn.queue.no;
    });
  }

  void run() {
    int left = kPreemptionsPerPassMax;
    Order order(world_.state, turn_.queue, now_);
    while (const auto next = order.next()) {
      if (world_.state.claims.contains(next->job)) {
        order.take();
        continue;
      }
      const Contender contender = contender_of(world_.state, turn_, *next->group, next->job, QuotaRight::Own);
      const Job& job = *world_.state.jobs.find(next->job);
      WaitingGroup& waiting = world_.state.waiting.at(turn_.queue.no).at(*next->group);
      if (const auto plan = plan_for(job, contender, waiting)) {
        order.take();
        preempt_for(world_, job, *plan, now_, out_);
        if (std::ranges::any_of(plan->victims,
                                [&](JobNo no) { return world_.state.jobs.find(no)->is_node(); }))
          prospect_.reset();  // with a node its whole job ends
        else
          prospect_->note(job, *plan);
        claims_ = true;
        if (--left > 0) continue;
        world_.pass_due = true;
        return;
      }
      // What an owner waits for is kept for it: nothing made free behind it would be its own. A multi-node
      // job keeps its machines, and nobody behind it is given any of them.
      if (waiting.reason.kind == WaitKind::Resources && !contender.shape.is_gang() &&
          quota_verdict(world_.state, contender).ok)
        return;
      order.pass_over();
    }
  }

 private:
  std::optional<PreemptionPlan> plan_for(const Job& job, const Contender& contender, WaitingGroup& waiting) {
    if (!could_be_helped(waiting.reason)) return std::nullopt;
    // Limits of how many run at a time count runs, not those that are about to be: one after the other.
    if (claims_ && !caps_of(world_, contender).empty()) return std::nullopt;
    NoPreemption& known = waiting.no_preemption;
    if (known.job == job.no && known.room_version == world_.room_version) return std::nullopt;
    if (!has_units(world_.state, contender.shape) || !may_preempt(world_.state, contender))
      return std::nullopt;
    if (!prospect_) prospect_.emplace(world_.state, turn_.queue, now_);
    auto plan = make_plan(world_, *prospect_, job, contender);
    if (!plan) known = {.job = job.no, .room_version = world_.room_version, .at = now_};
    return plan;
  }

  World& world_;
  const QueueTurn& turn_;
  Instant now_;
  Actions& out_;
  bool claims_ = false;  // others are being stopped for jobs of the queue
  std::optional<Prospect> prospect_;
};

}  // namespace

bool has_room_coming(const State& state, JobNo job) {
  if (state.claims.empty()) return false;
  const auto claim = state.claims.find(job);
  if (claim == state.claims.end() || is_awaited(state, job, claim->second)) return false;
  return !claim->second.node.empty() || state.jobs.find(job)->is_gang();
}

void start_claimers(World& world, Instant now, const ClaimerStarts& starts) {
  std::vector<JobNo> claimers;
  for (const auto& [no, claim] : world.state.claims) claimers.push_back(no);
  for (const JobNo no : claimers) {
    const auto claim = world.state.claims.find(no);
    if (claim == world.state.claims.end()) continue;
    // Who is moved has a claim before it waits.
    const Job& job = *world.state.jobs.find(no);
    if (job.status != JobStatus::Runnable) continue;
    const bool all_gone = claim->second.victims.empty();
    const std::string node = claim->second.node;
    if (try_claimer(world, job, node, now, starts) || !all_gone) continue;
    const bool awaited = is_awaited(world.state, no, claim->second) && now < job.runnable_at + kAwaitedMost;
    if (!awaited) drop_claim(world, no);
  }
}

void preempt_in(World& world, const QueueTurn& turn, Instant now, Actions& out) {
  Preempting(world, turn, now, out).run();
}

void check_failed_plans(const World& world) {
  for (const auto& [no, groups] : world.state.waiting)
    for (const auto& [key, group] : groups) {
      const NoPreemption& known = group.no_preemption;
      if (known.room_version != world.room_version || !group.jobs.contains(known.job)) continue;
      const QueueTurn turn = turn_of(world, world.state.queues.at(no), known.at);
      const Contender contender = contender_of(world.state, turn, key, known.job, QuotaRight::Own);
      Prospect prospect(world.state, turn.queue, known.at);
      ASSERT(!make_plan(world, prospect, *world.state.jobs.find(known.job), contender),
             "what could not be preempted can be, and nobody noticed the change");
    }
}

}  // namespace stoker::core
