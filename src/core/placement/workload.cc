#include "core/placement/workload.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace stoker::core {

Workload Workload::of(const std::vector<std::pair<Shape, std::int64_t>>& counted, std::int64_t percent,
                      std::size_t shapes_max) {
  Workload workload;
  std::map<Shape, std::size_t> known;
  std::int64_t all = 0;
  for (const auto& [shape, count] : counted) {
    Shape alike = shape;
    alike.resources.memory_mib = 0;
    alike.consumables.clear();
    alike.image.clear();
    const auto [at, fresh] = known.emplace(alike, workload.shapes_.size());
    if (fresh) workload.shapes_.push_back({alike, ask_of(alike), 0});
    workload.shapes_[at->second].count += count;
    all += count;
  }
  std::ranges::stable_sort(workload.shapes_, std::greater<>(), &TypicalShape::count);
  std::size_t kept = 0;
  while (kept < std::min(workload.shapes_.size(), shapes_max) && workload.total_ * 100 < all * percent)
    workload.total_ += workload.shapes_[kept++].count;
  workload.shapes_.erase(workload.shapes_.begin() + static_cast<std::ptrdiff_t>(kept),
                         workload.shapes_.end());
  return workload;
}

double Workload::distance(const Workload& other) const {
  std::map<Shape, double> shares;
  for (const TypicalShape& typical : shapes_)
    shares[typical.shape] += static_cast<double>(typical.count) / static_cast<double>(total_);
  for (const TypicalShape& typical : other.shapes_)
    shares[typical.shape] -= static_cast<double>(typical.count) / static_cast<double>(other.total_);
  double sum = 0;
  for (const auto& [shape, share] : shares) sum += share < 0 ? -share : share;
  return sum;
}

namespace {

// A shape against single GPUs of a type.
bool will_do(const Shape& shape, const GpuType& type) {
  const NodeKind kind{.types = {type}};
  return match_of(kind, shape, Room{}).types != 0;
}

std::vector<std::int64_t> scarcity_of(const Workload& workload, const Supply& supply,
                                      const std::vector<GpuType>& types) {
  std::vector<double> load(types.size(), 0);
  double mean = 0;
  double gpus = 0;
  for (const auto& [type, count] : supply) gpus += static_cast<double>(count);
  for (const TypicalShape& typical : workload.shapes()) {
    const auto demand = static_cast<double>(typical.count * typical.ask.all_gpu_milli());
    double able = 0;
    for (const auto& [type, count] : supply)
      if (will_do(typical.shape, type)) able += static_cast<double>(count);
    if (demand == 0 || able == 0) continue;
    mean += demand / gpus;
    for (std::size_t i = 0; i < types.size(); ++i)
      if (will_do(typical.shape, types[i])) load[i] += demand / able;
  }
  std::vector<std::int64_t> scarcity(types.size(), KindFit::kScarcityOfMean);
  if (mean > 0)
    for (std::size_t i = 0; i < types.size(); ++i)
      scarcity[i] = static_cast<std::int64_t>(static_cast<double>(KindFit::kScarcityOfMean) * load[i] / mean);
  return scarcity;
}

}  // namespace

KindFit fit_of(const Workload& workload, const Supply& supply, const NodeKind& kind) {
  KindFit fit;
  fit.scarcity = scarcity_of(workload, supply, kind.types);
  std::map<std::tuple<std::int64_t, std::int64_t, std::uint32_t>, std::size_t> group_of;
  for (const TypicalShape& typical : workload.shapes()) {
    fit.weight += typical.count;
    const Match match = match_of(kind, typical.shape, Room{});
    if (typical.ask.gpus == 0 || (!match.any_type && match.types == 0)) {
      fit.weight_of_others += typical.count;
      continue;
    }
    const auto [at, fresh] =
        group_of.emplace(std::tuple(typical.ask.gpus, typical.ask.gpu_milli, match.types), fit.groups.size());
    if (fresh)
      fit.groups.push_back({.gpus = typical.ask.gpus,
                            .gpu_milli = typical.ask.gpu_milli,
                            .types = match.types,
                            .any_type = match.any_type,
                            .shapes = {}});
    fit.groups[at->second].shapes.push_back({.cpus_milli = typical.ask.cpus_milli, .weight = typical.count});
  }
  for (KindFit::Group& group : fit.groups) {
    std::ranges::stable_sort(group.shapes, {}, &KindFit::Cpus::cpus_milli);
    std::int64_t sum = 0;
    for (KindFit::Cpus& shape : group.shapes) shape.weight_up_to = sum += shape.weight;
  }
  return fit;
}

namespace {

// The shapes of the group for which the room has CPUs.
std::span<const KindFit::Cpus> startable(const KindFit::Group& group, const Room& room) {
  const auto end = std::ranges::upper_bound(group.shapes, room.cpus_milli, {}, &KindFit::Cpus::cpus_milli);
  return {group.shapes.begin(), end};
}

}  // namespace

Unusable fragments_of(const KindFit& fit, const NodeKind& kind, const Room& room) {
  std::int64_t sum = fit.weight_of_others * room.gpu_milli;
  for (const KindFit::Group& group : fit.groups) {
    const auto shapes = startable(group, room);
    const std::int64_t started = shapes.empty() ? 0 : shapes.back().weight_up_to;
    sum += (group.weight() - started) * room.gpu_milli;
    if (started == 0) continue;
    std::int64_t with_enough = 0;
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < room.gpus.size(); ++i) {
      if (room.gpus[i] >= group.gpu_milli && group.allows(kind.gpus[i].type))
        ++with_enough;
      else
        rest += room.gpus[i];
    }
    sum += started * (with_enough < group.gpus ? room.gpu_milli : rest);
  }
  return {sum};
}

Unusable rests_of(const KindFit& fit, const NodeKind& kind, const Room& room) {
  std::int64_t sum = fit.weight * room.gpu_milli;
  for (const KindFit::Group& group : fit.groups) {
    std::int64_t runs = 0;  // that the GPUs have room for
    for (std::size_t i = 0; i < room.gpus.size(); ++i)
      if (room.gpus[i] >= group.gpu_milli && group.allows(kind.gpus[i].type))
        runs += room.gpus[i] / group.gpu_milli;
    runs /= group.gpus;
    if (runs == 0) continue;
    std::int64_t weighted_runs = 0;
    for (const KindFit::Cpus& shape : startable(group, room)) {
      // As many as the GPUs have room for, or fewer when the CPUs are short.
      const std::int64_t by_cpus =
          shape.cpus_milli * runs <= room.cpus_milli ? runs : room.cpus_milli / shape.cpus_milli;
      weighted_runs += shape.weight * by_cpus;
    }
    sum -= weighted_runs * group.gpus * group.gpu_milli;
  }
  return {sum};
}

}  // namespace stoker::core
