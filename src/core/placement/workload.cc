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

KindFit fit_of(const Workload& workload, const NodeKind& kind) {
  KindFit fit;
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

Fragments fragments_of(const KindFit& fit, const NodeKind& kind, const Room& room) {
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

}  // namespace stoker::core
