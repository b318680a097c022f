#include "core/placement/workload.h"

#include <algorithm>

namespace stoker::core {

Workload Workload::of(const std::vector<std::pair<Shape, std::int64_t>>& counted, std::int64_t percent) {
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
  while (kept < std::min(workload.shapes_.size(), kTypicalShapesMax) && workload.total_ * 100 < all * percent)
    workload.total_ += workload.shapes_[kept++].count;
  workload.shapes_.erase(workload.shapes_.begin() + static_cast<std::ptrdiff_t>(kept),
                         workload.shapes_.end());
  return workload;
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
  Room empty;
  for (const TypicalShape& typical : workload.shapes()) {
    fit.weight += typical.count;
    const Match match = match_of(kind, typical.shape, empty);
    if (typical.ask.gpus == 0 || (!match.any_type && match.types == 0)) {
      fit.weight_of_others += typical.count;
      continue;
    }
    fit.entries.push_back({typical.ask.cpus_milli, typical.ask.gpus, typical.ask.gpu_milli, typical.count,
                           match.types, match.any_type});
  }
  return fit;
}

Unusable fragments_of(const KindFit& fit, const NodeKind& kind, const Room& room) {
  std::int64_t sum = fit.weight_of_others * room.gpu_milli;
  for (const KindFit::Entry& entry : fit.entries) {
    if (room.cpus_milli < entry.cpus_milli) {
      sum += entry.weight * room.gpu_milli;
      continue;
    }
    std::int64_t with_enough = 0;
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < room.gpus.size(); ++i) {
      if (room.gpus[i] >= entry.gpu_milli && entry.allows(kind.gpus[i].type))
        ++with_enough;
      else
        rest += room.gpus[i];
    }
    sum += entry.weight * (with_enough < entry.gpus ? room.gpu_milli : rest);
  }
  return {sum};
}

Unusable rests_of(const KindFit& fit, const NodeKind& kind, const Room& room) {
  std::int64_t sum = fit.weight_of_others * room.gpu_milli;
  for (const KindFit::Entry& entry : fit.entries) {
    std::int64_t runs = 0;  // that the GPUs have room for
    for (std::size_t i = 0; i < room.gpus.size(); ++i)
      if (room.gpus[i] >= entry.gpu_milli && entry.allows(kind.gpus[i].type))
        runs += room.gpus[i] / entry.gpu_milli;
    runs /= entry.gpus;
    if (entry.cpus_milli > 0) runs = std::min(runs, room.cpus_milli / entry.cpus_milli);
    sum += entry.weight * (room.gpu_milli - runs * entry.gpus * entry.gpu_milli);
  }
  return {sum};
}

}  // namespace stoker::core
