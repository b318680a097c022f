#include "core/fleet/sizing/room_maker.h"

#include <algorithm>

#include "core/fleet/keep/retire.h"

namespace stoker::fleet {
namespace {

constexpr Duration kReplacedAfter = hours(1);

Tally tally_of(const Catalogue& catalogue, const FleetNode& node) {
  const InstanceType* type = catalogue.find(node.pool.type);
  return type == nullptr ? Tally{.nodes = 1} : tally_of(*type);
}

// When the last of its runs ends, as far as known.
Duration left_on(const FleetNode& node) {
  Duration left;
  for (const NodeRuns& runs : node.runs) left = std::max(left, runs.left);
  return left;
}

}  // namespace

RoomMaker::RoomMaker(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                     Instant now)
    : catalogue_(catalogue), policy_(policy), state_(state), now_(now) {
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const FleetNode& node = state.nodes[i];
    const bool has_runs = node.ready_at && !node.idle_since;
    if (node.phase == NodePhase::Draining)
      (has_runs ? going_later_ : going_) += tally_of(catalogue, node);
    else if (of_no_use(policy, node, now))
      going_ += tally_of(catalogue, node);
    else if (node.phase == NodePhase::Ready && !node.rebalance)
      (has_runs ? busy_ : idle_).push_back(i);
  }
  std::ranges::stable_sort(idle_, {}, [&](std::size_t i) { return state.nodes[i].idle_since; });
  std::ranges::stable_sort(busy_, {}, [&](std::size_t i) { return left_on(state.nodes[i]); });
}

// An idle machine may have less than its type, when a GPU is not well.
bool RoomMaker::holds(std::size_t node, const Need& need) const {
  const FleetNode& one = state_.nodes[node];
  if (one.idle_since) return slots(one.free, need) > 0;
  const InstanceType* type = catalogue_.find(one.pool.type);
  return type != nullptr && slots(room_of(*type, one.pool.market, one.mig), need) > 0;
}

void RoomMaker::spare(const Need& need) {
  std::erase_if(idle_, [&](std::size_t i) { return holds(i, need); });
  std::erase_if(busy_, [&](std::size_t i) { return holds(i, need); });
}

bool RoomMaker::fits(Tally wanted, const Tally& leaving) const {
  return is_inside(policy_.limits, wanted -= leaving);
}

std::optional<std::vector<std::size_t>> RoomMaker::make(const Tally& wanted, const Survey& survey,
                                                        bool in_use, const std::string& why) {
  Tally going = going_;
  if (in_use) going += going_later_;
  std::vector<std::size_t> candidates;
  for (const std::size_t i : idle_)
    if (!survey.wanted(i)) candidates.push_back(i);
  if (in_use) candidates.insert(candidates.end(), busy_.begin(), busy_.end());
  std::vector<std::size_t> chosen;
  for (const std::size_t i : candidates) {
    if (fits(wanted, going)) break;
    going += tally_of(catalogue_, state_.nodes[i]);
    chosen.push_back(i);
  }
  if (!fits(wanted, going)) return std::nullopt;
  // A larger one that was taken last may do alone.
  std::erase_if(chosen, [&](std::size_t i) {
    Tally without = going;
    without -= tally_of(catalogue_, state_.nodes[i]);
    if (!fits(wanted, without)) return false;
    going = without;
    return true;
  });
  for (const std::size_t i : chosen) {
    const FleetNode& node = state_.nodes[i];
    (node.idle_since ? going_ : going_later_) += tally_of(catalogue_, node);
    leaving_.emplace(i, why);
    std::erase(idle_, i);
    std::erase(busy_, i);
  }
  return chosen;
}

// Runs that machines of the type hold which find room below the limits.
std::int64_t RoomMaker::slots_instead(const SlotsOfType& instead, const Tally& counted) const {
  std::int64_t machines = kSlotsMax;
  for (const Amount amount : kAmounts) {
    const auto most = most_of(policy_.limits, amount);
    const std::int64_t each = amount_of(*instead.type, amount);
    if (most && each > 0) machines = std::min(machines, (*most - counted.of(amount)) / each);
  }
  return std::max<std::int64_t>(machines, 0) * instead.slots;
}

std::optional<std::size_t> RoomMaker::replace(const Need& need, std::int64_t waiting,
                                              const SlotsOfType& instead, const Tally& counted,
                                              const std::string& why) {
  if (going_.nodes > 0 || going_later_.nodes > 0) return std::nullopt;
  std::optional<std::size_t> best;
  std::int64_t most_gained = 0;
  for (std::size_t i = 0; i < state_.nodes.size(); ++i) {
    const FleetNode& node = state_.nodes[i];
    if (node.phase != NodePhase::Ready || node.idle_since || node.rebalance) continue;
    if (of_no_use(policy_, node, now_) || now_ - node.ready_at < kReplacedAfter) continue;
    const InstanceType* type = catalogue_.find(node.pool.type);
    const std::int64_t holds = type == nullptr ? 0 : slots(room_of(*type, node.pool.market, node.mig), need);
    if (holds == 0) continue;
    Tally without = counted;
    without -= tally_of(catalogue_, node);
    const std::int64_t held_instead = slots_instead(instead, without);
    if (held_instead < 2 * holds || waiting < 2 * held_instead) continue;
    if (held_instead - holds <= most_gained) continue;
    most_gained = held_instead - holds;
    best = i;
  }
  if (!best) return std::nullopt;
  going_later_ += tally_of(catalogue_, state_.nodes[*best]);
  leaving_.emplace(*best, why);
  return best;
}

}  // namespace stoker::fleet
