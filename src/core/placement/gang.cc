#include "core/placement/gang.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/placement/devices.h"
#include "core/placement/pool.h"

namespace stoker::core {
namespace {

using NodeSet = std::vector<const Node*>;

Resources free_of(const Node& node) {
  Resources free = node.total - node.used;
  // What a gang may use of it, by GPUs.
  std::int64_t milli = 0;
  for (const NodeGpu& gpu : node.gpus)
    if (gpu.health == GpuHealth::Ok)
      milli += gpu.mig == MigMode::Off ? gpu.free_milli() : Resources::kGpuMilli;
  free.gpus = 0;
  free.gpu_milli = milli;
  return free;
}

Resources sum_of(const std::vector<Shape>& runs) {
  Resources sum;
  for (const Shape& run : runs) sum += run.resources;
  return sum;
}

bool may_hold(const NodeSet& set, const Resources& needs) {
  Resources free;
  for (const Node* node : set) free += free_of(*node);
  return free.cpus_milli >= needs.cpus_milli && free.memory_mib >= needs.memory_mib &&
         free.all_gpu_milli() >= needs.all_gpu_milli();
}

// Those with least free GPUs first, then with least free CPUs, then in the order of their first nodes.
void order_by_free(std::vector<NodeSet>& sets) {
  const auto free = [](const NodeSet& set) {
    Resources sum;
    for (const Node* node : set) sum += free_of(*node);
    return std::pair(sum.all_gpu_milli(), sum.cpus_milli);
  };
  std::ranges::stable_sort(sets, {}, free);
}

std::vector<NodeSet> single_nodes(std::span<const Node* const> nodes) {
  std::vector<NodeSet> sets;
  for (const Node* node : nodes) sets.push_back({node});
  return sets;
}

std::vector<NodeSet> racks(std::span<const Node* const> nodes) {
  std::vector<NodeSet> sets;
  std::map<std::string, std::size_t> known;
  for (const Node* node : nodes) {
    const auto [at, fresh] = known.emplace(node->rack, sets.size());
    if (fresh || node->rack.empty())
      sets.push_back({node});
    else
      sets[at->second].push_back(node);
  }
  return sets;
}

// On copies of the nodes.
std::optional<std::vector<std::string>> place(const NodeSet& set, const GangAsk& ask, PolicyName policy,
                                              const Workload& workload) {
  std::vector<Node> copies;
  for (const Node* node : set) copies.push_back(*node);
  Pool pool(policy);
  for (Node& node : copies) {
    node.pool_slot = Node::kNoPoolSlot;
    for (NodeGpu& gpu : node.gpus)
      if (gpu.health == GpuHealth::Suspect) gpu.health = GpuHealth::Draining;
    pool.put(node);
  }
  pool.set_workload(workload);
  std::vector<std::size_t> order(ask.runs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t run) {
    return std::pair(ask.runs[run].resources.all_gpu_milli(), ask.runs[run].resources.cpus_milli);
  });
  std::map<Shape, ShapeNo> numbers;
  std::vector<std::string> names(ask.runs.size());
  for (const std::size_t run : order) {
    const Shape& shape = ask.runs[run];
    const ShapeNo no = numbers.emplace(shape, ShapeNo{numbers.size() + 1}).first->second;
    Node* node = pool.choose(no, shape);
    if (node == nullptr) return std::nullopt;
    take(*node, JobNo{UINT64_MAX - run}, shape.resources, pool.devices(*node, no, shape));
    pool.update(*node);
    names[run] = node->name;
  }
  return names;
}

}  // namespace

std::optional<std::vector<std::string>> choose_gang(std::span<const Node* const> nodes, const GangAsk& ask,
                                                    PolicyName policy, const Workload& workload) {
  if (ask.runs.empty() || ask.runs.size() > kGangRunsMax) return std::nullopt;
  NodeSet connected;
  std::ranges::copy_if(nodes, std::back_inserter(connected), &Node::open);
  std::vector<std::vector<NodeSet>> nearest_first = {single_nodes(connected)};
  if (ask.nearness != Nearness::Node) nearest_first.push_back(racks(connected));
  if (ask.nearness == Nearness::Any) nearest_first.push_back({connected});
  const Resources needs = sum_of(ask.runs);
  for (std::vector<NodeSet>& sets : nearest_first) {
    std::erase_if(sets, [&](const NodeSet& set) { return !may_hold(set, needs); });
    order_by_free(sets);
    for (const NodeSet& set : sets)
      if (auto names = place(set, ask, policy, workload)) return names;
  }
  return std::nullopt;
}

}  // namespace stoker::core
