#include "core/placement/ask.h"

#include <algorithm>

#include "core/placement/gpu_model.h"
#include "core/placement/mig.h"

namespace stoker::core {
namespace {

// "2g.20gb" is 20 thousand million bytes or a little more.
std::int64_t memory_in_name(std::string_view profile) {
  constexpr std::int64_t kMibOfGigabyte = 953;
  std::int64_t gigabytes = 0;
  for (const char c : profile.substr(std::min<std::size_t>(3, profile.size()))) {
    if (c < '0' || c > '9') break;
    gigabytes = gigabytes * 10 + (c - '0');
  }
  return gigabytes * kMibOfGigabyte;
}

std::int64_t memory_given(const Shape& shape, const GpuType& type) {
  if (!shape.gpu.mig.empty()) {
    const MigTable* table = mig_table(type.model, type.memory_mib);
    const MigProfile* profile = table == nullptr ? nullptr : table->find(shape.gpu.mig);
    return profile == nullptr ? memory_in_name(shape.gpu.mig) : profile->memory_mib;
  }
  if (shape.resources.gpus == 0 && shape.resources.gpu_milli > 0)
    return type.memory_mib * shape.resources.gpu_milli / Resources::kGpuMilli;
  return type.memory_mib;
}

bool will_do(const Shape& shape, const GpuType& type) {
  const GpuNeed& need = shape.gpu;
  if (need.memory_mib_min > 0 && memory_given(shape, type) < need.memory_mib_min) return false;
  return need.models.empty() || std::ranges::any_of(need.models, [&](const std::string& model) {
           return is_model(type.model, model);
         });
}

std::int64_t usable_gpus(const NodeKind& kind, const Room& room, const Ask& ask, const Match& match) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < room.gpus.size(); ++i)
    if (room.gpus[i] >= ask.gpu_milli && match.allows(kind.gpus[i].type)) ++count;
  return count;
}

// How many devices of the profile an idle GPU has after it was partitioned for it.
std::int64_t devices_after(const NodeKind& kind, std::uint16_t gpu, std::uint8_t profile) {
  const GpuType& type = kind.types[kind.gpus[gpu].type];
  const MigTable* table = mig_table(type.model, type.memory_mib);
  const MigProfile* made = table == nullptr ? nullptr : table->find(kind.mig_profiles[profile]);
  if (made == nullptr) return 0;
  return std::ranges::count(layout_for(*table, *made), made, &MigPlace::profile);
}

}  // namespace

Ask ask_of(const Shape& shape) {
  Ask ask{.cpus_milli = shape.resources.cpus_milli, .memory_mib = shape.resources.memory_mib};
  if (!shape.gpu.mig.empty()) {
    ask.mig_devices = shape.gpu.mig_devices;
  } else if (shape.resources.gpus > 0) {
    ask.gpus = shape.resources.gpus;
    ask.gpu_milli = Resources::kGpuMilli;
  } else if (shape.resources.gpu_milli > 0) {
    ask.gpus = 1;
    ask.gpu_milli = shape.resources.gpu_milli;
  }
  return ask;
}

Match match_of(const NodeKind& kind, const Shape& shape, const Room& empty) {
  Match match;
  match.any_type = kind.types.size() < kGpuTypesMax;
  for (std::size_t i = 0; i < kind.types.size(); ++i) {
    if (will_do(shape, kind.types[i]))
      match.types |= 1U << i;
    else
      match.any_type = false;
  }
  const auto profile = std::ranges::lower_bound(kind.mig_profiles, shape.gpu.mig);
  if (!shape.gpu.mig.empty() && profile != kind.mig_profiles.end() && *profile == shape.gpu.mig)
    match.mig_profile = static_cast<std::uint8_t>(profile - kind.mig_profiles.begin());
  match.containers = kind.containers || !shape.container();
  match.machine = shape.instance_types.empty() ||
                  std::ranges::find(shape.instance_types, kind.instance_type) != shape.instance_types.end();
  match.market = shape.spot == SpotUse::First || (shape.spot == SpotUse::Only) == kind.spot;
  match.ever = lack_of(kind, empty, ask_of(shape), match);
  return match;
}

Lack lack_of(const NodeKind& kind, const Room& room, const Ask& ask, const Match& match) {
  Lack lack = 0;
  if (room.cpus_milli < ask.cpus_milli) lack |= kLackCpu;
  if (room.memory_mib < ask.memory_mib) lack |= kLackMemory;
  if (!match.containers) lack |= kLackContainers;
  if (!match.machine) lack |= kLackInstanceType;
  if (!match.market) lack |= kLackMarket;
  if (ask.gpus > 0) {
    if (room.gpu_milli < ask.all_gpu_milli() || usable_gpus(kind, room, ask, match) < ask.gpus)
      lack |= kLackGpu;
  } else if (ask.mig_devices > 0 && plan_mig(kind, room, ask, match).devices < ask.mig_devices) {
    lack |= kLackGpu;
  }
  return lack;
}

Lack asks_for(const Ask& ask) {
  Lack lack = 0;
  if (ask.cpus_milli > 0) lack |= kLackCpu;
  if (ask.memory_mib > 0) lack |= kLackMemory;
  if (ask.gpus > 0 || ask.mig_devices > 0) lack |= kLackGpu;
  return lack;
}

MigPlan plan_mig(const NodeKind& kind, const Room& room, const Ask& ask, const Match& match) {
  MigPlan plan;
  if (match.mig_profile == Match::kNoProfile) return plan;
  const auto serves = [&](std::uint16_t gpu) { return match.allows(kind.gpus[gpu].type); };
  const auto is_idle = [&](std::uint16_t gpu) { return std::ranges::binary_search(room.mig_idle, gpu); };
  // GPUs in use before idle ones, so that whole GPUs stay free for other layouts.
  for (const bool idle : {false, true})
    for (std::size_t i = 0; i < room.mig.size() && plan.devices < ask.mig_devices; ++i) {
      const MigSlot& slot = room.mig[i];
      if (slot.busy || slot.profile != match.mig_profile || !serves(slot.gpu) || is_idle(slot.gpu) != idle)
        continue;
      plan.slots.push_back(i);
      ++plan.devices;
    }
  if (plan.devices >= ask.mig_devices) return plan;
  // An idle GPU whose layout gives too few of them gets another one, and its devices are new.
  std::erase_if(plan.slots, [&](std::size_t slot) { return is_idle(room.mig[slot].gpu); });
  plan.devices = static_cast<std::int64_t>(plan.slots.size());
  for (const std::uint16_t gpu : room.mig_idle) {
    if (plan.devices >= ask.mig_devices) break;
    if (!serves(gpu)) continue;
    const std::int64_t made = devices_after(kind, gpu, match.mig_profile);
    if (made == 0) continue;
    plan.repartition.push_back(gpu);
    plan.devices += std::min(made, ask.mig_devices - plan.devices);
  }
  return plan;
}

}  // namespace stoker::core
