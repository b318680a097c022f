#include "core/fleet/keep/retire.h"

#include <algorithm>

namespace stoker::fleet {
namespace {

std::string for_seconds(Duration time) {
  return std::to_string(time.ms / 1000) + " s";
}

class Retiring {
 public:
  Retiring(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state, Instant now)
      : catalogue_(catalogue), policy_(policy), state_(state), now_(now) {
    for (const FleetNode& node : state.nodes)
      if (in_service(node)) in_service_ += vcpus_of(node);
  }

  static bool in_service(const FleetNode& node) {
    return node.phase != NodePhase::Draining && !node.rebalance;
  }

  // One less in service; false when the minimum keeps it there.
  bool leave(const FleetNode& node) {
    const std::int64_t vcpus = vcpus_of(node);
    if (in_service_ - vcpus < policy_.limits.vcpus_min) return false;
    in_service_ -= vcpus;
    return true;
  }

  // A machine that is of no use, or must be left. True when it is dealt with.
  bool give_up(const FleetNode& node) {
    if (state_.budget.level == BudgetLevel::StopFleet) return stop(node);
    if (node.phase == NodePhase::Draining) {
      if (!node.idle_since) return true;  // its runs are still ending
      out_.retirements.push_back(retire(node, RetireReason::Drained, "its last run has ended"));
      return true;
    }
    if (const auto reason = of_no_use(policy_, node, now_)) {
      out_.retirements.push_back(
          retire(node, *reason,
                 *reason == RetireReason::NeverJoined
                     ? "no agent said hello within " + for_seconds(policy_.boot_max)
                     : "no word from its agent for " + for_seconds(now_ - node.heard_at)));
      return true;
    }
    if (node.phase == NodePhase::Launching) {
      look_again_at(node.launched_at + policy_.boot_max);
      return true;
    }
    if (node.rebalance) {
      Retire leave = retire(node, RetireReason::Rebalance, "EC2 advises to leave it");
      leave.drain = leave.move = !node.idle_since;
      out_.retirements.push_back(std::move(leave));
      return true;
    }
    return false;
  }

  void make_room(const FleetNode& node, const std::string& why) {
    in_service_ -= vcpus_of(node);
    Retire leave = retire(node, RetireReason::MakesRoom, why);
    leave.drain = !node.idle_since;
    out_.retirements.push_back(std::move(leave));
  }

  void let_idle_go(const FleetNode& node) {
    if (policy_.age_max.ms > 0 && now_ - node.launched_at >= policy_.age_max) {
      go(node, RetireReason::TooOld, "it is " + for_seconds(now_ - node.launched_at) + " old");
      return;
    }
    const WindowNow window = window_of(catalogue_, policy_, state_, node, now_);
    const Instant until = node.idle_since + window.window;
    if (now_ < until) {
      look_again_at(window.changes_at ? std::min(until, *window.changes_at) : until);
      return;
    }
    go(node, RetireReason::IdleLonger,
       "idle for " + for_seconds(now_ - node.idle_since) + ", " + std::string(window.rule) + " window " +
           for_seconds(window.window));
  }

  Retirements take() { return std::move(out_); }

 private:
  [[nodiscard]] std::int64_t vcpus_of(const FleetNode& node) const {
    const InstanceType* type = catalogue_.find(node.pool.type);
    return type == nullptr ? 0 : type->vcpus;
  }

  static Retire retire(const FleetNode& node, RetireReason reason, std::string text) {
    return {.node = node.id,
            .reason = reason,
            .drain = false,
            .move = false,
            .deadline = {},
            .text = std::move(text)};
  }

  void go(const FleetNode& node, RetireReason reason, std::string text) {
    if (leave(node)) out_.retirements.push_back(retire(node, reason, std::move(text)));
  }

  bool stop(const FleetNode& node) {
    if (node.phase == NodePhase::Draining && !node.idle_since) return true;
    Retire all = retire(node, RetireReason::Budget, state_.budget.text);
    all.drain = node.phase == NodePhase::Ready && !node.idle_since;
    all.move = all.drain;
    if (all.drain) all.deadline = now_ + policy_.stop_grace;
    out_.retirements.push_back(std::move(all));
    return true;
  }

  void look_again_at(Instant at) {
    if (!out_.look_again || at < *out_.look_again) out_.look_again = at;
  }

  const Catalogue& catalogue_;
  const FleetPolicy& policy_;
  const FleetState& state_;
  Instant now_;
  std::int64_t in_service_ = 0;  // vCPUs
  Retirements out_;
};

}  // namespace

std::optional<RetireReason> of_no_use(const FleetPolicy& policy, const FleetNode& node, Instant now) {
  if (node.phase == NodePhase::Launching && now - node.launched_at >= policy.boot_max)
    return RetireReason::NeverJoined;
  if (node.phase == NodePhase::Ready && node.heard_at && now - node.heard_at >= policy.silent_max)
    return RetireReason::Silent;
  return std::nullopt;
}

WarmTerms warm_terms(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                     const Pool& pool) {
  std::optional<Money> price = catalogue.on_demand(pool.type, policy.region);
  if (pool.market == Market::Spot) {
    const auto quote = state.quotes.find({pool.type, pool.zone});
    const auto spot = quote != state.quotes.end() ? std::optional(quote->second.price)
                                                  : catalogue.typical_spot(pool.type, policy.region);
    if (spot) price = spot;
  }
  return {price.value_or(Money{}), policy.cold.total(), policy.cold.launch_fee, policy.wait_per_minute};
}

WindowNow window_of(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                    const FleetNode& node, Instant now) {
  return window_now(policy.window, warm_terms(catalogue, policy, state, node.pool), state.gaps, now);
}

std::vector<std::size_t> idle_to_go(const Catalogue& catalogue, const FleetPolicy& policy,
                                    const FleetState& state) {
  std::vector<std::size_t> idle;
  for (std::size_t i = 0; i < state.nodes.size(); ++i)
    if (state.nodes[i].idle_since && Retiring::in_service(state.nodes[i])) idle.push_back(i);
  std::ranges::stable_sort(idle, {}, [&](std::size_t i) {
    const FleetNode& node = state.nodes[i];
    return std::pair(-warm_terms(catalogue, policy, state, node.pool).per_hour.micros, node.idle_since);
  });
  return idle;
}

Retirements retire_nodes(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                         const std::vector<bool>& wanted,
                         const std::map<std::size_t, std::string>& makes_room, Instant now) {
  Retiring retiring(catalogue, policy, state, now);
  std::vector<bool> may_go(state.nodes.size(), false);
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const FleetNode& node = state.nodes[i];
    if (retiring.give_up(node)) continue;
    if (const auto leaves = makes_room.find(i); leaves != makes_room.end())
      retiring.make_room(node, leaves->second);
    else
      may_go[i] = !wanted[i];
  }
  for (const std::size_t i : idle_to_go(catalogue, policy, state))
    if (may_go[i]) retiring.let_idle_go(state.nodes[i]);
  return retiring.take();
}

std::vector<bool> kept_by_minimum(const Catalogue& catalogue, const FleetPolicy& policy,
                                  const FleetState& state) {
  std::vector<bool> kept(state.nodes.size(), false);
  if (policy.limits.vcpus_min == 0) return kept;
  std::vector<std::size_t> in_order = idle_to_go(catalogue, policy, state);
  const auto idle = static_cast<std::ptrdiff_t>(in_order.size());
  for (std::size_t i = 0; i < state.nodes.size(); ++i)
    if (Retiring::in_service(state.nodes[i]) && !state.nodes[i].idle_since) in_order.push_back(i);
  std::reverse(in_order.begin() + idle, in_order.end());  // the oldest stays, so that launches change nothing
  Retiring retiring(catalogue, policy, state, {});
  for (const std::size_t i : in_order) kept[i] = !retiring.leave(state.nodes[i]);
  return kept;
}

}  // namespace stoker::fleet
