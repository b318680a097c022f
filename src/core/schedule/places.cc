#include "core/schedule/places.h"

#include <algorithm>

namespace stoker::core {
namespace {

// Shapes are taken as typical until they cover so many of the remembered jobs in a hundred.
constexpr std::int64_t kTypicalPercent = 95;
// More of them would make scoring slow and tell little.
constexpr std::size_t kTypicalMax = 64;
// Less than that (of 2, Workload::distance) is no reason to score everything anew.
constexpr double kMuch = 0.1;
// Looked at again after a quarter more submissions than there were, and at least every so many.
constexpr std::uint64_t kSubmissionsBetweenMax = 10'000;

Workload typical_workload(const State& state) {
  std::map<ShapeNo, std::int64_t> counts;
  for (const auto& [no, spec] : state.specs)
    if (!state.shape(spec->shape).is_gang())  // its nodes are what is asked for
      counts[spec->shape] += static_cast<std::int64_t>(spec->jobs);
  std::vector<std::pair<Shape, std::int64_t>> counted;
  for (const auto& [shape, count] : counts) counted.emplace_back(state.shape(shape), count);
  return Workload::of(counted, kTypicalPercent, kTypicalMax);
}

}  // namespace

void put_place(World& world, Node& node) {
  ++world.room_version;
  const auto [at, fresh] = world.pools.try_emplace(node.environment, world.settings.placement);
  if (fresh) at->second.set_workload(world.workload);
  at->second.put(node);
  world.nodes_of[node.environment][node.name] = &node;
}

void update_place(World& world, Node& node) {
  ++world.room_version;
  if (node.pool_slot != Node::kNoPoolSlot) world.pools.at(node.environment).update(node);
}

void note_images(World& world, Node& node) {
  if (node.pool_slot != Node::kNoPoolSlot) world.pools.at(node.environment).note_images(node);
}

void remove_place(World& world, Node& node) {
  ++world.room_version;
  if (node.pool_slot == Node::kNoPoolSlot) return;
  world.pools.at(node.environment).remove(node);
  const auto nodes = world.nodes_of.find(node.environment);
  nodes->second.erase(node.name);
  if (nodes->second.empty()) world.nodes_of.erase(nodes);
}

std::vector<Node*> open_nodes(const World& world, const std::string& environment) {
  std::vector<Node*> open;
  const auto nodes = world.nodes_of.find(environment);
  if (nodes == world.nodes_of.end()) return open;
  for (const auto& [name, node] : nodes->second)
    if (node->open()) open.push_back(node);
  return open;
}

Pool* find_pool(World& world, const std::string& environment) {
  const auto found = world.pools.find(environment);
  return found == world.pools.end() || found->second.empty() ? nullptr : &found->second;
}

Resources connected_resources(const World& world, const std::string& environment) {
  Resources all;
  const auto nodes = world.nodes_of.find(environment);
  if (nodes == world.nodes_of.end()) return all;
  for (const auto& [name, node] : nodes->second)
    if (node->connected) all += node->total;
  return all;
}

void refresh_workload(World& world) {
  bool changed = false;
  if (world.submissions >= world.next_workload) {
    world.next_workload =
        world.submissions + std::clamp<std::uint64_t>(world.submissions / 4, 1, kSubmissionsBetweenMax);
    Workload now = typical_workload(world.state);
    changed = now.distance(world.workload) > kMuch;
    if (changed) {
      world.workload = std::move(now);
      ++world.room_version;  // a multi-node job may find its places in another way
    }
  }
  for (auto& [environment, pool] : world.pools)
    if (changed || pool.has_outgrown_workload()) pool.set_workload(world.workload);
}

}  // namespace stoker::core
