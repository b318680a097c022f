#include "core/schedule/kept.h"

#include <algorithm>

namespace stoker::core {

Kept::Block Kept::block(const std::string& environment, Lack wanted) const {
  const auto found = environments_.find(environment);
  if (found == environments_.end()) return {};
  return {.lack = static_cast<Lack>(found->second.lack & wanted), .behind = found->second.behind};
}

void Kept::keep(const std::string& environment, Lack lack, JobNo job) {
  Block& block = environments_[environment];
  if (block.lack == 0) block.behind = job;
  block.lack |= lack;
}

std::optional<Hold> Kept::hold_for_units(const State& state, const Contender& contender) {
  for (const ConsumableNeed& need : contender.shape.consumables) {
    const auto found = state.consumables.find(need.resource);
    const std::int64_t free =
        found == state.consumables.end() ? 0 : found->second.total - found->second.in_use;
    const auto [head, first] = units_.try_emplace(need.resource, contender.job);
    if (free < need.quantity)
      return Hold{.kind = WaitKind::Consumables,
                  .text = "Waits for " + std::to_string(need.quantity) + " of consumable resource " +
                          need.resource + "; " + std::to_string(std::max<std::int64_t>(free, 0)) +
                          " available",
                  .behind = {}};
    if (!first)
      return Hold{.kind = WaitKind::Order,
                  .text = "Waits behind job " + state.jobs.find(head->second)->public_id() +
                          ", which waits for consumable resource " + need.resource,
                  .behind = head->second};
    units_.erase(head);  // enough of it for this job
  }
  return std::nullopt;
}

}  // namespace stoker::core
