#pragma once
// What is usually asked for, and how much of a node's free GPUs it cannot use: the fragmentation of Weng et
// al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent"
// (USENIX ATC 2023).
//
//   F(node) = sum over shapes m of share(m) x f(node, m)
//   f = all that is free, when m needs no GPU or cannot run there; else what is free on GPUs with less left
//   than m asks of each.
#include <cstdint>
#include <map>
#include <vector>

#include "core/placement/ask.h"

namespace stoker::core {

inline constexpr std::size_t kTypicalShapesMax = 512;

struct TypicalShape {
  Shape shape;
  Ask ask;
  std::int64_t count = 0;  // of the runs seen
};

class Workload {
 public:
  Workload() = default;
  // The most frequent of them until they cover `percent` of all runs. Shapes that differ only in memory count
  // as one; of equals the one that was first goes first.
  static Workload of(const std::vector<std::pair<Shape, std::int64_t>>& counted, std::int64_t percent,
                     std::size_t shapes_max = kTypicalShapesMax);

  [[nodiscard]] const std::vector<TypicalShape>& shapes() const { return shapes_; }
  [[nodiscard]] std::int64_t total() const { return total_; }  // of the counts
  // From 0, the same shares of the same shapes, to 2, none in common.
  [[nodiscard]] double distance(const Workload& other) const;

 private:
  std::vector<TypicalShape> shapes_;
  std::int64_t total_ = 0;
};

// The workload against one kind of node. Shapes that no node of the kind can ever run, and those without
// GPUs, can use nothing of it: they are only a weight. Shapes that ask for the same GPUs are one group, so
// that a room's GPUs are counted once for all of them.
struct KindFit {
  struct Cpus {  // of one shape of the group
    std::int64_t cpus_milli = 0;
    std::int64_t weight = 0;
    std::int64_t weight_up_to = 0;  // of this one and those with fewer CPUs
  };
  struct Group {
    std::int64_t gpus = 0;
    std::int64_t gpu_milli = 0;
    std::uint32_t types = 0;  // that will do
    bool any_type = false;
    std::vector<Cpus> shapes;  // by CPUs, ascending
    [[nodiscard]] bool allows(std::uint8_t type) const {
      return any_type || (type < kGpuTypesMax && (types >> type & 1U) != 0);
    }
    [[nodiscard]] std::int64_t weight() const { return shapes.back().weight_up_to; }
  };
  std::vector<Group> groups;
  std::int64_t weight_of_others = 0;
  std::int64_t weight = 0;  // of all
  // By type of GPU: how much of the workload each GPU would get if every shape spread evenly over the GPUs
  // that will do for it, in thousandths of the mean of all GPUs. 1000 where nobody names models.
  std::vector<std::int64_t> scarcity;
  static constexpr std::int64_t kScarcityOfMean = 1000;
};
// GPUs of a type in all nodes.
using Supply = std::map<GpuType, std::int64_t>;
KindFit fit_of(const Workload& workload, const Supply& supply, const NodeKind& kind);

// An amount of free GPUs that the workload cannot use: thousandths of GPUs times KindFit::weight.
struct Unusable {
  std::int64_t weighted = 0;
};
// F: what the next run cannot use.
Unusable fragments_of(const KindFit& fit, const NodeKind& kind, const Room& room);
// What stays free when the node is filled with runs of one shape, in the mean over the shapes. It sees what F
// does not: rests of GPUs that are too small for a second run, and GPUs for which the CPUs will be short.
Unusable rests_of(const KindFit& fit, const NodeKind& kind, const Room& room);

}  // namespace stoker::core
