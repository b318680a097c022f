#include "core/schedule/kept.h"

#include <algorithm>
#include <set>

#include "base/assert.h"
#include "core/job/life.h"
#include "core/schedule/estimate.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/claims.h"

namespace stoker::core {
namespace {

// Not cut into devices, and all that are wanted alike: then it does not matter which of them are kept.
bool are_alike(const Node& node, const std::vector<bool>& wanted) {
  const NodeGpu* first = nullptr;
  for (std::size_t i = 0; i < node.gpus.size(); ++i) {
    const NodeGpu& gpu = node.gpus[i];
    if (!wanted[i]) continue;
    if (first == nullptr) first = &gpu;
    if (gpu.mig != MigMode::Off || gpu.model != first->model || gpu.memory_mib != first->memory_mib)
      return false;
  }
  return true;
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

// Some machines of the environment will connect before long: they are being launched, or the server has just
// been started.
bool are_coming(const World& world, const std::string& environment) {
  if (world.nodes_back_by) return true;
  return std::ranges::any_of(world.state.launched, [&](const auto& entry) {
    const LaunchedNode& launched = entry.second;
    return launched.environment == environment && !launched.ready_at && !launched.retired;
  });
}

Runs stopping_on(const World& world, const std::vector<Node*>& nodes) {
  Runs runs;
  for (const Node* node : nodes)
    for (const auto& run : runs_of(world, *node))
      if (is_being_stopped(*world.state.jobs.find(run.first))) runs.push_back(run);
  std::ranges::sort(runs);
  return runs;
}

std::set<std::string> names_of(const std::vector<Node*>& nodes) {
  std::set<std::string> names;
  for (const Node* node : nodes) names.insert(node->name);
  return names;
}

}  // namespace

JobNo kept_for(const World& world, const Node& node) {
  const auto places = world.kept_nodes.find(node.environment);
  if (places == world.kept_nodes.end()) return {};
  for (const auto& [job, place] : places->second)
    if (place.nodes.contains(node.name)) return job;
  return {};
}

bool is_kept_for_another(const World& world, const Node& node, JobNo job) {
  const JobNo kept = kept_for(world, node);
  return kept && kept != job;
}

void keep_no_more(World& world, JobNo job) {
  for (auto entry = world.kept_nodes.begin(); entry != world.kept_nodes.end();) {
    if (entry->second.erase(job) > 0) ++world.room_version;
    entry = entry->second.empty() ? world.kept_nodes.erase(entry) : std::next(entry);
  }
}

void check_kept(const World& world) {
  for (const auto& [environment, places] : world.kept_nodes) {
    std::set<std::string> kept;
    for (const auto& [job, place] : places)
      for (const std::string& node : place.nodes)
        ASSERT(kept.insert(node).second, "a node is kept for one job");
  }
}

Kept::~Kept() {
  bool changed = false;
  for (auto entry = world_.kept_nodes.begin(); entry != world_.kept_nodes.end();) {
    std::set<JobNo> jobs;
    for (const KeptNode& kept : find(entry->first)) jobs.insert(kept.job);
    if (std::erase_if(entry->second, [&](const auto& place) { return !jobs.contains(place.first); }) > 0)
      changed = true;
    entry = entry->second.empty() ? world_.kept_nodes.erase(entry) : std::next(entry);
  }
  if (changed) ++world_.room_version;
  for (auto& [environment, nodes] : nodes_)
    for (KeptNode& kept : nodes) kept.pool->take_back(*kept.node);
}

std::span<const KeptNode> Kept::find(const std::string& environment) const {
  const auto found = nodes_.find(environment);
  return found == nodes_.end() ? std::span<const KeptNode>() : found->second;
}

// `kept` says for whom, when, and what it spares.
void Kept::add(const std::string& environment, const Shape& shape, KeptNode kept) {
  Node& node = *kept.node;
  kept.pool->set_aside(node);
  kept.kind = kind_of(node);
  kept.room = room_of(node, kept.kind);
  kept.empty = empty_room_of(node, kept.kind);
  kept.wanted = gpus_that_serve(kept.kind, shape, match_of(kept.kind, shape, kept.empty));
  kept.lends_gpus = are_alike(node, kept.wanted);
  nodes_[environment].push_back(std::move(kept));
}

bool Kept::is_kept(const Node& node) const {
  return std::ranges::find(find(node.environment), &node, &KeptNode::node) != find(node.environment).end();
}

Node* Kept::find_open(const std::string& name, const std::string& environment) const {
  const auto known = world_.state.nodes.find(name);
  if (known == world_.state.nodes.end() || known->second.environment != environment) return nullptr;
  return known->second.open() && !is_kept(known->second) ? &known->second : nullptr;
}

KeptPlace Kept::before(const std::string& environment, JobNo job) const {
  const auto places = world_.kept_nodes.find(environment);
  if (places == world_.kept_nodes.end() || !places->second.contains(job)) return {};
  return places->second.at(job);
}

std::vector<Node*> Kept::open_among(const KeptPlace& place, const std::string& environment) const {
  std::vector<Node*> open;
  for (const std::string& name : place.nodes)
    if (Node* node = find_open(name, environment)) open.push_back(node);
  return open;
}

void Kept::note(const std::string& environment, JobNo job, KeptPlace place) {
  auto& places = world_.kept_nodes[environment];
  std::size_t gone = 0;
  if (const auto first = first_.find(environment); first != first_.end() && first->second == job)
    gone = std::erase_if(places, [&](const auto& entry) {
      return entry.first != job && !world_.state.claims.contains(entry.first);
    });
  KeptPlace& kept = places[job];
  if (gone > 0 || kept.nodes != place.nodes || kept.in_the_way != place.in_the_way) ++world_.room_version;
  kept = std::move(place);
}

void Kept::keep(const std::string& environment, Pool& pool, const Contender& contender) {
  if (has_first(environment)) return;
  KeptPlace place = before(environment, contender.job);
  Node* node = place.nodes.size() == 1 ? find_open(*place.nodes.begin(), environment) : nullptr;
  if (node != nullptr && fit_node(*node, contender.shape).ever != 0) node = nullptr;
  if (node == nullptr) {
    node = choose_node(world_, pool, contender, now_);
    if (node == nullptr) return;
    place = {.nodes = {node->name}, .in_the_way = runs_of(world_, *node)};
  }
  const Estimate estimate = estimate_start(world_, *node, contender.shape, place.in_the_way, now_);
  add(environment, contender.shape,
      {.node = node, .pool = &pool, .job = contender.job, .start = estimate.start, .spare = estimate.spare});
  first_.emplace(environment, contender.job);
  note(environment, contender.job, std::move(place));
}

std::size_t Kept::keep_for_gang(const std::string& environment, Pool& pool, const Contender& contender,
                                const GangAsk& ask) {
  KeptPlace place = before(environment, contender.job);
  GangOutlook outlook;
  // 1. Those of the pass before, as long as they will do: that is what bounds the wait.
  const std::vector<Node*> known = open_among(place, environment);
  if (!known.empty()) outlook = gang_outlook_on(world_, known, ask, place.in_the_way, now_);
  // 2. Others.
  if (outlook.placed < ask.runs.size()) {
    std::vector<Node*> open = open_nodes(world_, environment);
    std::erase_if(open, [&](const Node* node) { return is_kept(*node); });
    outlook = best_gang_outlook(world_, open, ask, now_);
    place.in_the_way = outlook.in_the_way;
  }
  const bool whole = outlook.placed == ask.runs.size();
  if (outlook.placed == 0 || (!whole && !are_coming(world_, environment))) return outlook.placed;
  place.nodes = names_of(outlook.nodes);  // some of before may not be needed any more, and be another's now
  add(pool, contender, outlook, place.in_the_way, whole ? outlook.start : std::nullopt);
  first_.emplace(environment, contender.job);
  note(environment, contender.job, std::move(place));
  return outlook.placed;
}

bool Kept::keep_for_claim(const std::string& environment, Pool& pool, const Contender& contender,
                          const GangAsk& ask) {
  KeptPlace place = before(environment, contender.job);
  GangOutlook outlook;
  const std::vector<Node*> known = open_among(place, environment);
  if (!known.empty()) outlook = gang_outlook_on(world_, known, ask, stopping_on(world_, known), now_);
  if (outlook.placed < ask.runs.size()) {
    std::vector<Node*> open = open_nodes(world_, environment);
    std::erase_if(open, [&](const Node* node) {
      return node->hold.job || is_kept(*node) || is_kept_for_another(world_, *node, contender.job);
    });
    Runs stopping = stopping_on(world_, open);
    std::erase_if(stopping, [&](const auto& run) {
      return makes_room_for_another(world_.state, *world_.state.jobs.find(run.first), contender.job);
    });
    outlook = gang_outlook_on(world_, open, ask, stopping, now_);
    if (outlook.placed < ask.runs.size() && !(outlook.placed > 0 && world_.nodes_back_by)) return false;
    place.in_the_way = outlook.in_the_way;
  }
  place.nodes = names_of(outlook.nodes);
  // It can start sooner than time limits tell.
  add(pool, contender, outlook, place.in_the_way, std::nullopt);
  note(environment, contender.job, std::move(place));
  return true;
}

void Kept::add(Pool& pool, const Contender& contender, const GangOutlook& outlook, const Runs& in_the_way,
               std::optional<Instant> start) {
  for (std::size_t i = 0; i < outlook.nodes.size(); ++i) {
    const Estimate estimate = estimate_start(world_, *outlook.nodes[i], outlook.parts[i], in_the_way, now_);
    add(outlook.nodes[i]->environment, outlook.parts[i],
        {.node = outlook.nodes[i],
         .pool = &pool,
         .job = contender.job,
         .start = start,
         .spare = estimate.spare});
  }
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

bool Kept::wants_the_same(const KeptNode& kept, const Shape& shape) {
  const std::vector<bool> theirs = gpus_that_serve(kept.kind, shape, match_of(kept.kind, shape, kept.empty));
  for (std::size_t i = 0; i < theirs.size(); ++i)
    if (theirs[i] && kept.wanted[i]) return true;
  return false;
}

bool Kept::may_use(const KeptNode& kept, const Contender& contender) const {
  if (ends_before(kept, contender)) return true;
  const Resources asks = in_whole_gpus(contender.shape.resources);
  const auto leaves = [](std::int64_t wanted, std::int64_t spare) { return wanted == 0 || wanted <= spare; };
  if (!leaves(asks.cpus_milli, kept.spare.cpus_milli) || !leaves(asks.memory_mib, kept.spare.memory_mib))
    return false;
  if (asks.gpus == 0 || !wants_the_same(kept, contender.shape)) return true;
  return kept.lends_gpus && leaves(asks.gpus, kept.spare.gpus);
}

Resources Kept::free_for(const KeptNode& kept, const Contender& contender) const {
  const Resources idle = free_for_others(*kept.node);
  if (kept.job == contender.job || ends_before(kept, contender)) return idle;
  const auto part = [](std::int64_t one, std::int64_t other) {
    return std::max<std::int64_t>(std::min(one, other), 0);
  };
  std::int64_t gpu = idle.all_gpu_milli();
  if (contender.shape.resources.all_gpu_milli() == 0 || wants_the_same(kept, contender.shape))
    gpu = kept.lends_gpus ? part(gpu, kept.spare.all_gpu_milli()) : std::int64_t{0};
  return {.cpus_milli = part(idle.cpus_milli, kept.spare.cpus_milli),
          .memory_mib = part(idle.memory_mib, kept.spare.memory_mib),
          .gpus = gpu / Resources::kGpuMilli,
          .gpu_milli = gpu % Resources::kGpuMilli};
}

void Kept::lend(const Node& node, const Contender& contender) {
  KeptNode& kept = kept_at(node);
  if (!ends_before(kept, contender)) {
    Resources takes = in_whole_gpus(contender.shape.resources);
    if (!wants_the_same(kept, contender.shape)) takes.gpus = 0;
    kept.spare -= takes;
  }
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
  std::erase_if(first_, [&](const auto& entry) { return entry.second == job; });
  for (auto& [environment, nodes] : nodes_)
    std::erase_if(nodes, [&](KeptNode& kept) {
      if (kept.job == job) kept.pool->take_back(*kept.node);
      return kept.job == job;
    });
}

void Kept::note_reservation(const Contender& contender) {
  const ShareLimit& limit = contender.turn.share_limit;
  const Resources& asks = contender.shape.resources;
  const Emptying beyond{.job = contender.job,
                        .cpus = asks.cpus_milli > limit.cpus_milli,
                        .gpus = asks.all_gpu_milli() > limit.gpu_milli};
  if (beyond.cpus || beyond.gpus) emptying_.emplace(contender.turn.queue.no, beyond);
}

std::optional<Hold> Kept::hold_for_reservation(const Contender& contender) const {
  const auto found = emptying_.find(contender.turn.queue.no);
  if (found == emptying_.end()) return std::nullopt;
  const Emptying& head = found->second;
  const Resources& asks = contender.shape.resources;
  const bool delays = (head.cpus && asks.cpus_milli > 0) || (head.gpus && asks.all_gpu_milli() > 0);
  if (head.job == contender.job || !delays) return std::nullopt;
  return Hold{
      .kind = WaitKind::Order,
      .text = "Waits behind job " + world_.state.jobs.find(head.job)->public_id() +
              ", which asks for more than computeReservation leaves and starts when its queue holds none",
      .behind = head.job};
}

std::int64_t free_units(const State& state, const std::string& resource) {
  const auto found = state.consumables.find(resource);
  return found == state.consumables.end()
             ? 0
             : std::max<std::int64_t>(0, found->second.total - found->second.in_use);
}

std::optional<Hold> find_never_units(const State& state, const Contender& contender) {
  for (const ConsumableNeed& need : contender.shape.consumables) {
    const auto found = state.consumables.find(need.resource);
    const std::int64_t total = found == state.consumables.end() ? 0 : found->second.total;
    if (need.quantity <= total) continue;
    return Hold{.kind = WaitKind::NeverFits,
                .text = "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job asks " +
                        std::to_string(need.quantity) + " of consumable resource " + need.resource +
                        ", of which there are " + std::to_string(total) + " in all",
                .behind = {}};
  }
  return std::nullopt;
}

std::optional<Hold> Kept::hold_for_units(const Contender& contender) {
  for (const ConsumableNeed& need : contender.shape.consumables) {
    const std::int64_t free = free_units(world_.state, need.resource);
    const auto [head, first] = units_.try_emplace(need.resource, contender.job);
    if (free < need.quantity)
      return Hold{.kind = WaitKind::Consumables,
                  .text = "Waits for " + std::to_string(need.quantity) + " of consumable resource " +
                          need.resource + "; " + std::to_string(free) + " available",
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
