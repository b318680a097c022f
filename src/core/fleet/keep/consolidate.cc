#include "core/fleet/keep/consolidate.h"

#include <algorithm>

#include "core/fleet/keep/move.h"
#include "core/fleet/keep/retire.h"

namespace stoker::fleet {
namespace {

bool in_use(const FleetNode& node) {
  return node.phase == NodePhase::Ready && !node.idle_since && !node.rebalance;
}

// Whether all runs of the machine fit on the others, tried on a copy of their room.
bool fits_elsewhere(const FleetState& state, const FleetNode& leaving) {
  std::vector<Room> rooms;
  for (const FleetNode& node : state.nodes)
    if (&node != &leaving && in_use(node)) rooms.push_back(node.free);
  for (const NodeRuns& runs : leaving.runs) {
    std::int64_t left = runs.runs;
    for (Room& room : rooms)
      if (left > 0) left -= take(room, runs.need, left);
    if (left > 0) return false;
  }
  return true;
}

}  // namespace

std::optional<Retire> consolidate(const Catalogue& catalogue, const FleetPolicy& policy,
                                  const FleetState& state, Instant now) {
  // One machine at a time: while another drains or boots nothing is decided.
  std::int64_t in_service = 0;
  for (const FleetNode& node : state.nodes) {
    if (node.phase != NodePhase::Ready) return std::nullopt;
    if (const InstanceType* type = catalogue.find(node.pool.type)) in_service += type->vcpus;
  }
  std::vector<const FleetNode*> candidates;
  for (const FleetNode& node : state.nodes)
    if (in_use(node) && node.underused_since && now - node.underused_since >= policy.consolidate_after)
      candidates.push_back(&node);
  const auto dearest = [&](const FleetNode* node) {
    return -warm_terms(catalogue, policy, state, node->pool).per_hour.micros;
  };
  std::ranges::stable_sort(candidates, {}, dearest);
  for (const FleetNode* node : candidates) {
    const InstanceType* type = catalogue.find(node->pool.type);
    if (type == nullptr || in_service - type->vcpus < policy.limits.vcpus_min) continue;
    if (!fits_elsewhere(state, *node)) continue;
    const bool movable = pays_to_move(node->runs);
    return Retire{
        .node = node->id,
        .reason = RetireReason::Consolidate,
        .drain = true,
        .move = movable,
        .deadline = {},
        .text = movable ? "its runs move to machines in use" : "its runs would fit on machines in use"};
  }
  return std::nullopt;
}

}  // namespace stoker::fleet
