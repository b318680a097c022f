#include "core/schedule/places.h"

namespace stoker::core {
namespace {

// Shapes are taken as typical until they cover so many of the remembered jobs in a hundred.
constexpr std::int64_t kTypicalPercent = 95;
// Looked at again after so many more submissions, or a quarter more of them.
constexpr std::uint64_t kSubmissionsBetween = 200;

Workload typical_workload(const State& state) {
  std::map<ShapeNo, std::int64_t> counts;
  for (const auto& [no, spec] : state.specs) counts[spec->shape] += static_cast<std::int64_t>(spec->jobs);
  std::vector<std::pair<Shape, std::int64_t>> counted;
  for (const auto& [shape, count] : counts) counted.emplace_back(state.shape(shape), count);
  return Workload::of(counted, kTypicalPercent);
}

}  // namespace

void put_place(World& world, Node& node) {
  const auto [at, fresh] = world.pools.try_emplace(node.environment, world.settings.placement);
  if (fresh) at->second.set_workload(world.workload);
  at->second.put(node);
}

void update_place(World& world, Node& node) {
  if (node.pool_slot != Node::kNoPoolSlot) world.pools.at(node.environment).update(node);
}

void remove_place(World& world, Node& node) {
  if (node.pool_slot != Node::kNoPoolSlot) world.pools.at(node.environment).remove(node);
}

Pool* find_pool(World& world, const std::string& environment) {
  const auto found = world.pools.find(environment);
  return found == world.pools.end() || found->second.empty() ? nullptr : &found->second;
}

void refresh_workload(World& world) {
  if (world.submissions < world.next_workload) return;
  world.next_workload = world.submissions + std::max(kSubmissionsBetween, world.submissions / 4);
  world.workload = typical_workload(world.state);
  for (auto& [environment, pool] : world.pools) pool.set_workload(world.workload);
}

}  // namespace stoker::core
