#include "core/provision/ahead.h"

#include <algorithm>

#include "core/schedule/kept.h"

namespace stoker::core {

Ahead::CapKey Ahead::key_of(CapOf of, const Contender& contender) {
  const GroupKey& group = contender.group;
  switch (of) {
    case CapOf::Queue:
      break;
    case CapOf::QuotaShare:
    case CapOf::Share:
      return {CapOf::Share, contender.turn.queue.no.value, group.share};
    case CapOf::Definition:
      return {of, 0, group.definition};
    case CapOf::Array:
      return {of, group.array.value, {}};
  }
  return {of, contender.turn.queue.no.value, {}};
}

std::int64_t Ahead::allowed(const Contender& contender) const {
  std::int64_t most = INT64_MAX;
  for (const Cap& cap : caps_of(world_, contender)) {
    const auto counted = starts_.find(key_of(cap.of, contender));
    const std::int64_t running = cap.running + (counted == starts_.end() ? 0 : counted->second);
    most = std::min(most, std::max<std::int64_t>(0, cap.most - running));
  }
  Resources used = contender.turn.queue.used;
  if (const auto counted = used_.find(contender.turn.queue.no); counted != used_.end())
    used += counted->second;
  return std::min(most, room_within(contender.turn.share_limit, used, contender.shape.resources));
}

std::int64_t Ahead::units_left(const std::string& resource) const {
  const auto counted = units_.find(resource);
  const std::int64_t used = counted == units_.end() ? 0 : counted->second;
  return std::max<std::int64_t>(0, free_units(world_.state, resource) - used);
}

std::int64_t Ahead::units(const Contender& contender) const {
  std::int64_t most = INT64_MAX;
  for (const ConsumableNeed& need : contender.shape.consumables) {
    if (awaited_.contains(need.resource)) return 0;
    if (need.quantity > 0) most = std::min(most, units_left(need.resource) / need.quantity);
  }
  return most;
}

void Ahead::start(const Contender& contender, std::int64_t jobs) {
  if (jobs <= 0) return;
  // Of a definition whose limit the group does not know others may be in it, too: not counted.
  for (const CapOf of : {CapOf::Queue, CapOf::Share, CapOf::Definition, CapOf::Array})
    starts_[key_of(of, contender)] += jobs;
  Resources& used = used_[contender.turn.queue.no];
  const Resources& asks = contender.shape.resources;
  used.cpus_milli += asks.cpus_milli * jobs;
  used.memory_mib += asks.memory_mib * jobs;
  used.gpus += asks.gpus * jobs;
  used.gpu_milli += asks.gpu_milli * jobs;
  for (const ConsumableNeed& need : contender.shape.consumables)
    units_[need.resource] += need.quantity * jobs;
}

void Ahead::await_units(const Contender& contender) {
  for (const ConsumableNeed& need : contender.shape.consumables) {
    if (units_left(need.resource) >= need.quantity) continue;
    awaited_.insert(need.resource);
    return;  // as in the pass it waits for the first that is short
  }
}

}  // namespace stoker::core
