#include "core/schedule/kept.h"

#include <algorithm>
#include <tuple>

#include "core/schedule/estimate.h"

namespace stoker::core {
namespace {

// So many nodes are looked at for the one where the job can start first.
constexpr std::size_t kNodesConsidered = 256;

// GPUs that are all alike and not cut into devices: then it does not matter which of them are kept.
bool has_like_gpus(const Node& node) {
  return std::ranges::all_of(node.gpus, [&](const NodeGpu& gpu) {
    return gpu.mig == MigMode::Off && gpu.model == node.gpus.front().model &&
           gpu.memory_mib == node.gpus.front().memory_mib;
  });
}

// The least is the best.
auto badness(const Estimate& estimate) {
  return std::tuple(!estimate.start, estimate.start.value_or(Instant{}), estimate.gpu_milli_missing,
                    estimate.cpus_milli_missing);
}

Node* choose_node(const World& world, Pool& pool, const Contender& contender, Instant now) {
  Node* best = nullptr;
  Estimate best_estimate;
  for (Node* node : pool.could_hold(contender.group.shape, contender.shape, kNodesConsidered)) {
    Estimate estimate = estimate_start(world, *node, contender.shape, runs_of(world, *node), now);
    if (best != nullptr && badness(estimate) >= badness(best_estimate)) continue;
    best = node;
    best_estimate = estimate;
  }
  return best;
}

}  // namespace

Kept::~Kept() {
  for (auto& [environment, kept] : nodes_) kept.pool->take_back(*kept.node);
  std::erase_if(world_.kept_nodes, [&](const auto& entry) { return !nodes_.contains(entry.first); });
}

const KeptNode* Kept::find(const std::string& environment) const {
  const auto found = nodes_.find(environment);
  return found == nodes_.end() ? nullptr : &found->second;
}

void Kept::keep(const std::string& environment, Pool& pool, const Contender& contender) {
  if (nodes_.contains(environment)) return;
  KeptPlace& before = world_.kept_nodes[environment];
  const auto known = world_.state.nodes.find(before.node);
  Node* node = nullptr;
  if (before.job == contender.job && known != world_.state.nodes.end() && known->second.open() &&
      known->second.environment == environment && fit_node(known->second, contender.shape).ever == 0)
    node = &known->second;
  if (node == nullptr) {
    node = choose_node(world_, pool, contender, now_);
    if (node == nullptr) return;
    before = {.job = contender.job, .node = node->name, .in_the_way = runs_of(world_, *node)};
  }
  const Estimate estimate = estimate_start(world_, *node, contender.shape, before.in_the_way, now_);
  pool.set_aside(*node);
  NodeKind kind = kind_of(*node);
  Room room = room_of(*node, kind);
  Room empty = empty_room_of(*node, kind);
  nodes_.emplace(environment, KeptNode{.node = node,
                                       .pool = &pool,
                                       .job = contender.job,
                                       .start = estimate.start,
                                       .spare = estimate.spare,
                                       .kind = std::move(kind),
                                       .empty = std::move(empty),
                                       .room = std::move(room),
                                       .lends_gpus = has_like_gpus(*node) ||
                                                     contender.shape.resources.all_gpu_milli() == 0});
}

NodeFit Kept::fit(const KeptNode& kept, const Shape& shape) {
  const Match match = match_of(kept.kind, shape, kept.empty);
  return {.now = lack_of(kept.kind, kept.room, ask_of(shape), match), .ever = match.ever};
}

bool Kept::ends_before(const KeptNode& kept, const Contender& contender) const {
  const std::optional<Duration>& timeout = world_.state.jobs.find(contender.job)->spec->timeout;
  return kept.start && timeout && now_ + kStartMargin + *timeout + world_.settings.stop_grace <= *kept.start;
}

bool Kept::may_use(const KeptNode& kept, const Contender& contender) const {
  if (ends_before(kept, contender)) return true;
  const Resources asks = in_whole_gpus(contender.shape.resources);
  const auto leaves = [](std::int64_t wanted, std::int64_t spare) { return wanted == 0 || wanted <= spare; };
  if (asks.gpus > 0 && !kept.lends_gpus) return false;
  return leaves(asks.cpus_milli, kept.spare.cpus_milli) && leaves(asks.memory_mib, kept.spare.memory_mib) &&
         leaves(asks.gpus, kept.spare.gpus);
}

void Kept::lend(const std::string& environment, const Contender& contender) {
  KeptNode& kept = nodes_.at(environment);
  if (!ends_before(kept, contender)) kept.spare -= in_whole_gpus(contender.shape.resources);
  kept.pool->take_back(*kept.node);
}

void Kept::lent(const std::string& environment) {
  KeptNode& kept = nodes_.at(environment);
  kept.pool->set_aside(*kept.node);
  kept.room = room_of(*kept.node, kept.kind);
}

void Kept::look_again() {
  for (auto& [environment, kept] : nodes_) kept.room = room_of(*kept.node, kept.kind);
}

std::optional<Hold> Kept::hold_for_units(const Contender& contender) {
  for (const ConsumableNeed& need : contender.shape.consumables) {
    const auto found = world_.state.consumables.find(need.resource);
    const std::int64_t free =
        found == world_.state.consumables.end() ? 0 : found->second.total - found->second.in_use;
    const auto [head, first] = units_.try_emplace(need.resource, contender.job);
    if (free < need.quantity)
      return Hold{.kind = WaitKind::Consumables,
                  .text = "Waits for " + std::to_string(need.quantity) + " of consumable resource " +
                          need.resource + "; " + std::to_string(std::max<std::int64_t>(free, 0)) +
                          " available",
                  .behind = {}};
    if (!first)
      return Hold{.kind = WaitKind::Order,
                  .text = "Waits behind job " + world_.state.jobs.find(head->second)->public_id() +
                          ", which waits for consumable resource " + need.resource,
                  .behind = head->second};
    units_.erase(head);  // enough of it for this job
  }
  return std::nullopt;
}

}  // namespace stoker::core
