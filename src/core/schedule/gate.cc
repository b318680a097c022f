#include "core/schedule/gate.h"

#include <array>

#include "core/resources/max_running.h"
#include "core/schedule/caps.h"
#include "core/schedule/quota/gate.h"

namespace stoker::core {
namespace {

using Gate = std::optional<Hold> (*)(const World&, const Contender&);

constexpr std::array<Gate, 3> kGates = {held_by_cap, held_by_quota, held_by_reservation};

}  // namespace

QueueTurn turn_of(const World& world, const JobQueue& queue, Instant now) {
  return {.queue = queue,
          .environments = queue.environments_by_order(),
          .share_limit = share_limit_of(world, queue, now),
          .max_running = max_running_in(queue.tags),
          .quota_shares = quota_shares_of(world.state, queue.no)};
}

Contender contender_of(const State& state, const QueueTurn& turn, const GroupKey& group, JobNo job,
                       QuotaRight right) {
  return {.turn = turn, .group = group, .shape = state.shape(group.shape), .job = job, .right = right};
}

std::optional<Hold> find_hold(const World& world, const Contender& contender) {
  for (const Gate gate : kGates)
    if (auto hold = gate(world, contender)) return hold;
  return std::nullopt;
}

}  // namespace stoker::core
