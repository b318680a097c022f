#include "sim/packing/replay.h"

#include <cmath>

#include "base/rng.h"
#include "core/placement/devices.h"
#include "core/placement/pool.h"

namespace stoker::sim {
namespace {

using core::JobNo;
using core::Node;
using core::Resources;
using core::Shape;
using core::ShapeNo;

std::int64_t gpu_milli(const Shape& shape) {
  return shape.resources.all_gpu_milli();
}

// The list in random order, filled up with random ones of it, or thinned out, to what is asked for.
std::vector<std::size_t> draw_tasks(const PackingTrace& trace, std::int64_t milli_max, Rng& rng) {
  std::vector<std::size_t> tasks = trace.tasks;
  rng.shuffle(tasks);
  std::int64_t sum = 0;
  for (const std::size_t task : tasks) sum += gpu_milli(trace.shapes[task]);
  while (sum > milli_max) {
    const std::size_t at = rng.below(tasks.size());
    sum -= gpu_milli(trace.shapes[tasks[at]]);
    tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (sum == 0) return tasks;  // nothing would ever fill it
  for (;;) {
    const std::size_t task = trace.tasks[rng.below(trace.tasks.size())];
    sum += gpu_milli(trace.shapes[task]);
    if (sum > milli_max) return tasks;
    tasks.push_back(task);
  }
}

core::Workload workload_of(const PackingTrace& trace) {
  std::vector<std::pair<Shape, std::int64_t>> counted;
  for (const Shape& shape : trace.shapes) counted.emplace_back(shape, 0);
  for (const std::size_t task : trace.tasks) ++counted[task].second;
  return core::Workload::of(counted, kTypicalPercent);
}

// The fragments of all nodes, kept up to date node by node.
class Fragmentation {
 public:
  Fragmentation(const core::Workload& workload, const std::vector<Node>& nodes)
      : weight_(static_cast<double>(workload.total())) {
    for (const Node& node : nodes) {
      core::NodeKind kind = core::kind_of(node);
      auto [at, fresh] = fits_.try_emplace(std::move(kind));
      if (fresh) at->second = core::fit_of(workload, {}, at->first);
      kinds_.push_back(&*at);
      of_node_.push_back(measure(node, *kinds_.back()));
      sum_ += of_node_.back();
    }
  }
  void update(std::size_t index, const Node& node) {
    sum_ -= of_node_[index];
    of_node_[index] = measure(node, *kinds_[index]);
    sum_ += of_node_[index];
  }
  [[nodiscard]] double milli() const { return static_cast<double>(sum_) / weight_; }

 private:
  using KnownKind = std::pair<const core::NodeKind, core::KindFit>;
  static std::int64_t measure(const Node& node, const KnownKind& kind) {
    return core::fragments_of(kind.second, kind.first, core::room_of(node, kind.first)).weighted;
  }
  double weight_;
  std::map<core::NodeKind, core::KindFit> fits_;
  std::vector<const KnownKind*> kinds_;
  std::vector<std::int64_t> of_node_;
  std::int64_t sum_ = 0;
};

// Sums of a percentage until they are divided by their number.
void add(PackingPoint& point, double allocated, double free, double fragments, double total) {
  ++point.tasks;
  point.allocated_percent += 100 * allocated / total;
  point.fragment_ratio_percent += free > 0 ? 100 * fragments / free : 0;
  point.fragment_amount_percent += 100 * fragments / total;
}

void finish(PackingRun& run) {
  PackingPoint before;
  for (PackingPoint& point : run.at) {
    if (point.tasks == 0) {
      point = before;
      point.tasks = 0;
    } else {
      point.allocated_percent /= point.tasks;
      point.fragment_ratio_percent /= point.tasks;
      point.fragment_amount_percent /= point.tasks;
    }
    before = point;
  }
}

}  // namespace

PackingRun replay_packing(const PackingTrace& trace, core::PolicyName policy, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Node> nodes = trace.nodes;
  rng.shuffle(nodes);
  const std::int64_t total = trace.gpus() * Resources::kGpuMilli;
  const std::vector<std::size_t> tasks = draw_tasks(trace, total * kArrivedPercentMax / 100, rng);

  const core::Workload workload = workload_of(trace);
  core::Pool pool(policy, rng.next());
  for (Node& node : nodes) pool.put(node);
  pool.set_workload(workload);
  Fragmentation fragmentation(workload, nodes);

  PackingRun run;
  run.tasks = tasks.size();
  std::int64_t arrived = 0;
  std::int64_t allocated = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Shape& shape = trace.shapes[tasks[i]];
    const ShapeNo no{tasks[i] + 1};
    arrived += gpu_milli(shape);
    if (Node* node = pool.choose(no, shape)) {
      core::take(*node, JobNo{i + 1}, shape.resources, pool.devices(*node, no, shape));
      pool.update(*node);
      fragmentation.update(static_cast<std::size_t>(node - nodes.data()), *node);
      allocated += gpu_milli(shape);
      ++run.placed;
    }
    const auto percent = static_cast<std::size_t>(
        std::lround(100 * static_cast<double>(arrived) / static_cast<double>(total)));
    add(run.at[percent], static_cast<double>(allocated), static_cast<double>(total - allocated),
        fragmentation.milli(), static_cast<double>(total));
  }
  finish(run);
  return run;
}

}  // namespace stoker::sim
