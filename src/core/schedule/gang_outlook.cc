#include "core/schedule/gang_outlook.h"

#include <algorithm>
#include <tuple>

#include "core/placement/devices.h"
#include "core/schedule/fit.h"

namespace stoker::core {
namespace {

constexpr std::size_t kSetsConsidered = 64;  // racks, or nodes where only one will do

// A node that could hold some run when empty, and when the largest of those that it could hold would start.
struct Candidate {
  Node* node = nullptr;
  Estimate estimate;
};

// Large ones first, each once.
std::vector<Shape> kinds_of(const GangAsk& ask) {
  std::vector<Shape> kinds = ask.runs;
  std::ranges::sort(kinds, std::greater<>(), [](const Shape& run) {
    return std::tuple(run.resources.all_gpu_milli(), run.resources.cpus_milli, run);
  });
  const auto repeated = std::ranges::unique(kinds);
  kinds.erase(repeated.begin(), repeated.end());
  return kinds;
}

std::vector<Candidate> candidates(const World& world, const std::vector<Node*>& nodes, const GangAsk& ask,
                                  Instant now) {
  const std::vector<Shape> kinds = kinds_of(ask);
  std::vector<Candidate> found;
  for (Node* node : nodes) {
    const auto held =
        std::ranges::find_if(kinds, [&](const Shape& run) { return fit_node(*node, run).ever == 0; });
    if (held == kinds.end()) continue;
    found.push_back({node, estimate_start(world, *node, *held, runs_of(world, *node), now)});
  }
  std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) {
    return badness(a.estimate) < badness(b.estimate);
  });
  if (found.size() > kNodesConsidered + ask.runs.size()) found.resize(kNodesConsidered + ask.runs.size());
  return found;
}

// One more run on the same node. Where they want different GPUs, any may be one of theirs.
void add(Shape& part, const Shape& run) {
  const bool is_first = part.resources == Resources{};
  part.resources += run.resources;
  const std::int64_t devices = part.gpu.mig_devices + run.gpu.mig_devices;
  if (is_first)
    part.gpu = run.gpu;
  else if (part.gpu.models != run.gpu.models || part.gpu.memory_mib_min != run.gpu.memory_mib_min)
    part.gpu = {.mig = part.gpu.mig};
  part.gpu.mig_devices = devices;
}

using NodeSet = std::vector<Node*>;

// As far apart as is allowed, in the order of the candidates.
std::vector<NodeSet> sets_of(const std::vector<Candidate>& candidates, Nearness nearness) {
  std::vector<NodeSet> sets;
  std::map<std::string, std::size_t> racks;
  for (const Candidate& candidate : candidates) {
    Node* node = candidate.node;
    std::size_t at = sets.size();
    if (nearness == Nearness::Any)
      at = 0;
    else if (nearness == Nearness::Rack && !node->rack.empty())
      at = racks.emplace(node->rack, sets.size()).first->second;
    if (at == sets.size()) sets.emplace_back();
    sets[at].push_back(node);
  }
  return sets;
}

Runs runs_on(const World& world, const NodeSet& nodes) {
  Runs runs;
  for (const Node* node : nodes) {
    const Runs there = runs_of(world, *node);
    runs.insert(runs.end(), there.begin(), there.end());
  }
  std::ranges::sort(runs);
  return runs;
}

// The first of the set that hold the whole gang when empty; with nothing placed when none do.
GangOutlook first_that_hold(const World& world, const NodeSet& set, const GangAsk& ask, Instant now) {
  Resources needs;
  for (const Shape& run : ask.runs) needs += run.resources;
  Resources room;
  NodeSet prefix;
  for (Node* node : set) {
    prefix.push_back(node);
    room += node->total;
    if (room.cpus_milli < needs.cpus_milli || room.memory_mib < needs.memory_mib ||
        room.all_gpu_milli() < needs.all_gpu_milli())
      continue;
    GangOutlook outlook = gang_outlook_on(world, prefix, ask, runs_on(world, prefix), now);
    if (outlook.placed == ask.runs.size()) return outlook;
  }
  return {};
}

}  // namespace

GangOutlook gang_outlook_on(const World& world, const std::vector<Node*>& nodes, const GangAsk& ask,
                            const Runs& in_the_way, Instant now) {
  // 1. The nodes as they would be.
  std::vector<Node> copies;
  copies.reserve(nodes.size());
  for (const Node* node : nodes) {
    Node& later = copies.emplace_back(*node);
    for (const JobNo no : node->runs) {
      const Job& run = *world.state.jobs.find(no);
      if (std::ranges::binary_search(in_the_way, std::pair<JobNo, int>(no, run.attempts_used)))
        give_back(later, no, run.spec->container.resources);
    }
  }
  std::vector<const Node*> pointers;
  for (const Node& node : copies) pointers.push_back(&node);
  const GangChoice choice = choose_gang(pointers, ask, world.settings.placement, world.workload);
  // 2. What the gang takes of each.
  GangOutlook outlook;
  outlook.placed = choice.placed;
  std::map<std::string, Shape> taken;
  for (std::size_t i = 0; i < ask.runs.size(); ++i)
    if (!choice.places[i].node.empty()) add(taken[choice.places[i].node], ask.runs[i]);
  bool known = true;
  Instant start = now;
  for (Node* node : nodes) {
    const auto used = taken.find(node->name);
    if (used == taken.end()) continue;
    outlook.nodes.push_back(node);
    outlook.parts.push_back(used->second);
    const Estimate estimate = estimate_start(world, *node, used->second, in_the_way, now);
    known = known && estimate.start;
    if (estimate.start) start = std::max(start, *estimate.start);
    for (const auto& run : runs_of(world, *node))
      if (std::ranges::binary_search(in_the_way, run)) outlook.in_the_way.push_back(run);
  }
  std::ranges::sort(outlook.in_the_way);
  if (known) outlook.start = start;
  return outlook;
}

GangOutlook best_gang_outlook(const World& world, const std::vector<Node*>& nodes, const GangAsk& ask,
                              Instant now) {
  std::vector<NodeSet> sets = sets_of(candidates(world, nodes, ask, now), ask.nearness);
  if (sets.size() > kSetsConsidered) sets.resize(kSetsConsidered);
  GangOutlook best;
  for (const NodeSet& set : sets) {
    GangOutlook outlook = first_that_hold(world, set, ask, now);
    if (outlook.placed == 0) continue;
    const auto order = [](const GangOutlook& one) {
      return std::tuple(!one.start, one.start.value_or(Instant{}), one.in_the_way.size());
    };
    if (best.placed == 0 || order(outlook) < order(best)) best = std::move(outlook);
  }
  if (best.placed > 0) return best;
  for (const NodeSet& set : sets) {
    GangOutlook outlook = gang_outlook_on(world, set, ask, runs_on(world, set), now);
    if (outlook.placed > best.placed) best = std::move(outlook);
  }
  return best;
}

}  // namespace stoker::core
