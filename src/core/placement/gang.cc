#include "core/placement/gang.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "core/placement/devices.h"
#include "core/placement/pool.h"

namespace stoker::core {
namespace {

// A node, and what a gang may use of it.
struct Open {
  const Node* node = nullptr;
  Resources free;
};
using NodeSet = std::vector<Open>;

// Of the nodes, and of the racks, that have enough free in sum. Mostly the first one will do.
constexpr std::size_t kSetsTried = 64;

Resources free_of(const Node& node) {
  Resources free = node.total - node.used;
  // By GPUs: those that are well.
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

Resources sum_of(const NodeSet& set) {
  Resources sum;
  for (const Open& open : set) sum += open.free;
  return sum;
}

bool holds(const Resources& free, const Resources& needs) {
  return free.cpus_milli >= needs.cpus_milli && free.memory_mib >= needs.memory_mib &&
         free.all_gpu_milli() >= needs.all_gpu_milli();
}

// Those that may hold so much: with least free GPUs first, then with least free CPUs, then in the order of
// their first nodes.
std::vector<NodeSet> by_free(std::vector<NodeSet> sets, const Resources& needs) {
  std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> order;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (const Resources free = sum_of(sets[i]); holds(free, needs))
      order.emplace_back(free.all_gpu_milli(), free.cpus_milli, i);
  std::ranges::sort(order);
  std::vector<NodeSet> ordered;
  for (const auto& [gpus, cpus, i] : order) ordered.push_back(std::move(sets[i]));
  return ordered;
}

// Those that may hold so much.
std::vector<NodeSet> single_nodes(const NodeSet& nodes, const Resources& needs) {
  std::vector<NodeSet> sets;
  for (const Open& open : nodes)
    if (holds(open.free, needs)) sets.push_back({open});
  return sets;
}

// None where no two nodes share one, unless only a rack will do: single nodes have been tried.
std::vector<NodeSet> racks(const NodeSet& nodes, Nearness nearness) {
  std::vector<NodeSet> sets;
  if (nearness != Nearness::Rack &&
      std::ranges::all_of(nodes, [](const Open& open) { return open.node->rack.empty(); }))
    return sets;
  std::map<std::string, std::size_t> known;
  for (const Open& open : nodes) {
    const auto [at, fresh] = known.emplace(open.node->rack, sets.size());
    if (fresh || open.node->rack.empty())
      sets.push_back({open});
    else
      sets[at->second].push_back(open);
  }
  return sets;
}

// On copies of the nodes.
GangChoice place(const NodeSet& set, const GangAsk& ask, PolicyName policy, const Workload& workload) {
  std::vector<Node> copies;
  copies.reserve(set.size());
  for (const Open& open : set) copies.push_back(*open.node);
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
  GangChoice choice{.places = std::vector<GangPlace>(ask.runs.size())};
  for (const std::size_t run : order) {
    const Shape& shape = ask.runs[run];
    const ShapeNo no = numbers.emplace(shape, ShapeNo{numbers.size() + 1}).first->second;
    Node* node = pool.choose(no, shape);
    if (node == nullptr) continue;
    std::vector<std::string> gpus = pool.devices(*node, no, shape);
    take(*node, JobNo{UINT64_MAX - run}, shape.resources, gpus);
    pool.update(*node);
    choice.places[run] = {node->name, std::move(gpus)};
    ++choice.placed;
  }
  return choice;
}

// So many that have least left, which mostly do; the copies would cost too much of a large environment.
NodeSet fullest(const NodeSet& open, const GangAsk& ask) {
  const std::size_t most = 2 * ask.runs.size() + 64;
  if (open.size() <= most) return open;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> order;
  for (std::size_t i = 0; i < open.size(); ++i)
    order.emplace_back(open[i].free.gpu_milli, open[i].free.cpus_milli, i);
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(most));
  order.resize(most);
  std::ranges::sort(order, {}, [](const auto& entry) { return std::get<2>(entry); });
  NodeSet chosen;
  for (const auto& [gpus, cpus, i] : order) chosen.push_back(open[i]);
  return chosen;
}

// Open ones on which the least of the runs might find room.
NodeSet with_room(std::span<const Node* const> nodes, const GangAsk& ask) {
  Resources least = ask.runs.front().resources;
  std::int64_t gpu_milli = least.all_gpu_milli();
  for (const Shape& run : ask.runs) {
    least.cpus_milli = std::min(least.cpus_milli, run.resources.cpus_milli);
    least.memory_mib = std::min(least.memory_mib, run.resources.memory_mib);
    gpu_milli = std::min(gpu_milli, run.resources.all_gpu_milli());
  }
  NodeSet chosen;
  for (const Node* node : nodes) {
    if (!node->open()) continue;
    const Open open{node, free_of(*node)};
    if (open.free.cpus_milli >= least.cpus_milli && open.free.memory_mib >= least.memory_mib &&
        open.free.gpu_milli >= gpu_milli)
      chosen.push_back(open);
  }
  return chosen;
}

}  // namespace

GangChoice choose_gang(std::span<const Node* const> nodes, const GangAsk& ask, PolicyName policy,
                       const Workload& workload) {
  GangChoice best{.places = std::vector<GangPlace>(ask.runs.size())};
  if (ask.runs.empty() || ask.runs.size() > kGangRunsMax) return best;
  const NodeSet open = with_room(nodes, ask);
  const Resources needs = sum_of(ask.runs);
  const auto attempt = [&](const NodeSet& set) {
    GangChoice choice = place(set, ask, policy, workload);
    if (choice.placed > best.placed) best = std::move(choice);
    return best.whole();
  };
  // The nearest first; of those as near, the one with least left.
  const auto attempt_each = [&](std::vector<NodeSet> sets) {
    sets = by_free(std::move(sets), needs);
    if (sets.size() > kSetsTried) sets.resize(kSetsTried);
    return std::ranges::any_of(sets, attempt);
  };
  if (attempt_each(single_nodes(open, needs))) return best;
  if (ask.nearness != Nearness::Node && attempt_each(racks(open, ask.nearness))) return best;
  if (ask.nearness == Nearness::Any && holds(sum_of(open), needs) &&
      (attempt(fullest(open, ask)) || attempt(open)))
    return best;
  // Not all of them: most where most is free, as far apart as is allowed.
  std::vector<NodeSet> widest = {open};
  if (ask.nearness == Nearness::Rack) widest = racks(open, ask.nearness);
  if (ask.nearness == Nearness::Node) widest = single_nodes(open, {});
  widest = by_free(std::move(widest), {});
  if (!widest.empty()) attempt(widest.back());
  return best;
}

}  // namespace stoker::core
