#include "core/schedule/kept.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"
#include "core/job/life.h"
#include "core/schedule/estimate.h"
#include "core/schedule/gang_outlook.h"

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

// Some machines of the environment will connect before long.
bool are_coming(const State& state, const std::string& environment) {
  return std::ranges::any_of(state.launched, [&](const auto& entry) {
    const LaunchedNode& launched = entry.second;
    return launched.environment == environment && !launched.ready_at && !launched.retired;
  });
}

// Null when it is gone, or takes no runs now.
Node* find_open(State& state, const std::string& name, const std::string& environment) {
  const auto known = state.nodes.find(name);
  const bool open =
      known != state.nodes.end() && known->second.open() && known->second.environment == environment;
  return open ? &known->second : nullptr;
}

std::vector<Node*> open_nodes(World& world, const std::string& environment) {
  std::vector<Node*> nodes;
  for (auto& [name, node] : world.state.nodes)
    if (node.open() && node.environment == environment) nodes.push_back(&node);
  return nodes;
}

Runs stopping_on(const World& world, const std::vector<Node*>& nodes) {
  Runs runs;
  for (const Node* node : nodes)
    for (const auto& run : runs_of(world, *node))
      if (is_being_stopped(*world.state.jobs.find(run.first))) runs.push_back(run);
  std::ranges::sort(runs);
  return runs;
}

}  // namespace

Kept::~Kept() {
  for (auto& [environment, nodes] : nodes_)
    for (KeptNode& kept : nodes) kept.pool->take_back(*kept.node);
  if (std::erase_if(world_.kept_nodes, [&](const auto& entry) { return !nodes_.contains(entry.first); }) > 0)
    ++world_.room_version;
}

std::span<const KeptNode> Kept::find(const std::string& environment) const {
  const auto found = nodes_.find(environment);
  return found == nodes_.end() ? std::span<const KeptNode>() : found->second;
}

// `kept` says for whom, when, and what it spares.
void Kept::add(const std::string& environment, KeptNode kept) {
  Node& node = *kept.node;
  kept.pool->set_aside(node);
  kept.kind = kind_of(node);
  kept.room = room_of(node, kept.kind);
  kept.empty = empty_room_of(node, kept.kind);
  kept.lends_gpus = kept.lends_gpus || has_like_gpus(node);
  nodes_[environment].push_back(std::move(kept));
}

void Kept::keep(const std::string& environment, Pool& pool, const Contender& contender) {
  if (nodes_.contains(environment)) return;
  KeptPlace& before = world_.kept_nodes[environment];
  Node* node = nullptr;
  if (before.job == contender.job && before.nodes.size() == 1)
    node = find_open(world_.state, before.nodes.front(), environment);
  if (node != nullptr && fit_node(*node, contender.shape).ever != 0) node = nullptr;
  if (node == nullptr) {
    node = choose_node(world_, pool, contender, now_);
    if (node == nullptr) return;
    before = {.job = contender.job, .nodes = {node->name}, .in_the_way = runs_of(world_, *node)};
    ++world_.room_version;
  }
  const Estimate estimate = estimate_start(world_, *node, contender.shape, before.in_the_way, now_);
  add(environment, {.node = node,
                    .pool = &pool,
                    .job = contender.job,
                    .start = estimate.start,
                    .spare = estimate.spare,
                    .lends_gpus = contender.shape.resources.all_gpu_milli() == 0});
}

std::size_t Kept::keep_for_gang(const std::string& environment, Pool& pool, const Contender& contender,
                                const GangAsk& ask) {
  KeptPlace& before = world_.kept_nodes[environment];
  const bool claims = world_.state.claims.contains(contender.job);
  GangOutlook outlook;
  std::vector<Node*> known;
  if (before.job == contender.job)
    for (const std::string& name : before.nodes)
      if (Node* node = find_open(world_.state, name, environment)) known.push_back(node);
  // 1. Those of the pass before, as long as they will do: that is what bounds the wait. While others are
  // being stopped for it, those where it can start when they have ended.
  if (!known.empty())
    outlook =
        gang_outlook_on(world_, known, ask, claims ? stopping_on(world_, known) : before.in_the_way, now_);
  // 2. Others.
  if (outlook.placed < ask.runs.size()) {
    outlook = {};
    if (claims) {
      const std::vector<Node*> open = open_nodes(world_, environment);
      outlook = gang_outlook_on(world_, open, ask, stopping_on(world_, open), now_);
    }
    if (outlook.placed < ask.runs.size()) outlook = best_gang_outlook(world_, environment, ask, now_);
    before = {.job = contender.job, .nodes = {}, .in_the_way = outlook.in_the_way};
    for (const Node* node : outlook.nodes) before.nodes.push_back(node->name);
    ++world_.room_version;
  }
  if (outlook.placed == 0 || (outlook.placed < ask.runs.size() && !are_coming(world_.state, environment)))
    return outlook.placed;
  // With a claim it can start sooner than time limits tell.
  const bool in_time = outlook.placed == ask.runs.size() && !claims;
  for (std::size_t i = 0; i < outlook.nodes.size(); ++i) {
    const Shape part{.resources = outlook.needs[i]};
    const Estimate estimate = estimate_start(world_, *outlook.nodes[i], part, before.in_the_way, now_);
    add(environment, {.node = outlook.nodes[i],
                      .pool = &pool,
                      .job = contender.job,
                      .start = in_time ? outlook.start : std::nullopt,
                      .spare = estimate.spare,
                      .lends_gpus = outlook.needs[i].all_gpu_milli() == 0});
  }
  return outlook.placed;
}

KeptNode& Kept::kept_at(const Node& node) {
  for (KeptNode& kept : nodes_.at(node.environment))
    if (kept.node == &node) return kept;
  ASSERT(false, "a node that is not kept is lent");
  return nodes_.at(node.environment).front();
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

Resources Kept::free_for(const KeptNode& kept, const Contender& contender) const {
  const Resources idle = free_for_others(*kept.node);
  if (kept.job == contender.job || ends_before(kept, contender)) return idle;
  const auto part = [](std::int64_t one, std::int64_t other) {
    return std::max<std::int64_t>(std::min(one, other), 0);
  };
  const std::int64_t gpu =
      kept.lends_gpus ? part(idle.all_gpu_milli(), kept.spare.all_gpu_milli()) : std::int64_t{0};
  return {.cpus_milli = part(idle.cpus_milli, kept.spare.cpus_milli),
          .memory_mib = part(idle.memory_mib, kept.spare.memory_mib),
          .gpus = gpu / Resources::kGpuMilli,
          .gpu_milli = gpu % Resources::kGpuMilli};
}

void Kept::lend(const Node& node, const Contender& contender) {
  KeptNode& kept = kept_at(node);
  if (!ends_before(kept, contender)) kept.spare -= in_whole_gpus(contender.shape.resources);
  kept.pool->take_back(*kept.node);
}

void Kept::lent(const Node& node) {
  KeptNode& kept = kept_at(node);
  kept.pool->set_aside(*kept.node);
  kept.room = room_of(*kept.node, kept.kind);
}

void Kept::look_again() {
  for (auto& [environment, nodes] : nodes_)
    for (KeptNode& kept : nodes) kept.room = room_of(*kept.node, kept.kind);
}

void Kept::give_up(JobNo job) {
  for (auto entry = nodes_.begin(); entry != nodes_.end();) {
    std::vector<KeptNode>& nodes = entry->second;
    if (nodes.front().job != job) {
      ++entry;
      continue;
    }
    for (KeptNode& kept : nodes) kept.pool->take_back(*kept.node);
    entry = nodes_.erase(entry);
  }
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
