#include "core/placement/room.h"

#include <algorithm>

#include "core/placement/mig.h"

namespace stoker::core {
namespace {

std::uint8_t type_number(std::vector<GpuType>& types, const NodeGpu& gpu) {
  GpuType type{gpu.model, gpu.memory_mib};
  const auto found = std::ranges::find(types, type);
  const auto number = static_cast<std::uint8_t>(found - types.begin());
  if (found == types.end() && types.size() < kGpuTypesMax) types.push_back(std::move(type));
  return number;
}

// Whole GPUs that one run holds, as classes. Holders of neighbouring GPUs are mostly the same.
std::uint16_t classes_of(const Node& node) {
  std::uint16_t classes = 0;
  std::vector<JobNo> holders;
  for (const NodeGpu& gpu : node.gpus) {
    if (!gpu.sharers.empty()) classes |= class_bit(0);
    if (gpu.holder) holders.push_back(gpu.holder);
  }
  std::ranges::sort(holders);
  for (std::size_t i = 0; i < holders.size();) {
    std::size_t end = i;
    while (end < holders.size() && holders[end] == holders[i]) ++end;
    classes |= class_bit(static_cast<std::int64_t>(end - i));
    i = end;
  }
  return classes;
}

void add_mig(Room& room, const NodeKind& kind, const NodeGpu& gpu, std::size_t index) {
  for (std::size_t i = 0; i < gpu.devices.size() && i < UINT8_MAX; ++i) {
    const auto found = std::ranges::lower_bound(kind.mig_profiles, gpu.devices[i].profile);
    if (found == kind.mig_profiles.end() || *found != gpu.devices[i].profile) continue;
    room.mig.push_back({.gpu = static_cast<std::uint16_t>(index),
                        .device = static_cast<std::uint8_t>(i),
                        .profile = static_cast<std::uint8_t>(found - kind.mig_profiles.begin()),
                        .busy = bool{gpu.devices[i].holder}});
  }
  if (gpu.mig == MigMode::Dynamic && gpu.idle()) room.mig_idle.push_back(static_cast<std::uint16_t>(index));
}

// What is kept for somebody is free for nobody else: as many free GPUs as it wants, those in use come as they
// become free.
void keep_held(Room& room, const NodeHold& hold) {
  if (!hold.job) return;
  room.cpus_milli = std::max<std::int64_t>(room.cpus_milli - hold.needs.cpus_milli, 0);
  room.memory_mib = std::max<std::int64_t>(room.memory_mib - hold.needs.memory_mib, 0);
  if (hold.mig) {
    room.mig.clear();
    room.mig_idle.clear();
    return;
  }
  const auto keep = [&](std::int16_t& free, std::int64_t amount) {
    const auto kept = static_cast<std::int16_t>(std::min<std::int64_t>(free, amount));
    free = static_cast<std::int16_t>(free - kept);
    room.gpu_milli -= kept;
    return kept;
  };
  std::int64_t whole = hold.needs.gpus;
  std::int64_t part = hold.needs.gpu_milli;
  for (std::int16_t& free : room.gpus) {
    if (whole > 0 && free == Resources::kGpuMilli) whole -= keep(free, Resources::kGpuMilli) > 0 ? 1 : 0;
    if (part > 0) part -= keep(free, part);
  }
}

}  // namespace

NodeKind kind_of(const Node& node) {
  NodeKind kind;
  kind.total = node.total;
  kind.containers = node.containers;
  kind.price_micros_per_hour = node.price_micros_per_hour;
  kind.spot = node.spot;
  kind.rack = node.rack;
  kind.instance_type = node.instance_type;
  for (const NodeGpu& gpu : node.gpus) {
    kind.gpus.push_back({.type = type_number(kind.types, gpu),
                         .mig = gpu.mig,
                         .numa_node = static_cast<std::int16_t>(gpu.numa_node),
                         .nvlink_group = static_cast<std::int16_t>(gpu.nvlink_group)});
    if (gpu.mig == MigMode::Off) continue;
    for (const MigDevice& device : gpu.devices) kind.mig_profiles.push_back(device.profile);
    const MigTable* table = gpu.mig == MigMode::Dynamic ? mig_table(gpu.model, gpu.memory_mib) : nullptr;
    if (table != nullptr)
      for (const MigProfile& profile : table->profiles) kind.mig_profiles.emplace_back(profile.name);
  }
  std::ranges::sort(kind.mig_profiles);
  const auto repeated = std::ranges::unique(kind.mig_profiles);
  kind.mig_profiles.erase(repeated.begin(), repeated.end());
  if (kind.mig_profiles.size() > kMigProfilesMax) kind.mig_profiles.resize(kMigProfilesMax);
  return kind;
}

Room room_of(const Node& node, const NodeKind& kind) {
  Room room;
  room.cpus_milli = node.total.cpus_milli - node.used.cpus_milli;
  room.memory_mib = node.total.memory_mib - node.used.memory_mib;
  room.classes = classes_of(node);
  room.gpus.reserve(node.gpus.size());
  for (std::size_t i = 0; i < node.gpus.size(); ++i) {
    const NodeGpu& gpu = node.gpus[i];
    const bool known = kind.gpus[i].type < kGpuTypesMax;
    const auto free = static_cast<std::int16_t>(known ? gpu.free_milli() : 0);
    room.gpus.push_back(free);
    room.gpu_milli += free;
    if (known && gpu.mig != MigMode::Off && gpu.usable()) add_mig(room, kind, gpu, i);
  }
  keep_held(room, node.hold);
  return room;
}

Room empty_room_of(const Node& node, const NodeKind& kind) {
  Node empty;
  empty.total = node.total;
  empty.gpus = node.gpus;
  for (NodeGpu& gpu : empty.gpus) {
    gpu.holder = {};
    gpu.sharers.clear();
    gpu.shared_milli = 0;
    gpu.health = GpuHealth::Ok;
    for (MigDevice& device : gpu.devices) device.holder = {};
  }
  return room_of(empty, kind);
}

std::size_t hash_of(const Room& room) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  };
  mix(static_cast<std::uint64_t>(room.cpus_milli));
  mix(static_cast<std::uint64_t>(room.memory_mib));
  mix(room.classes);
  for (const std::int16_t gpu : room.gpus) mix(static_cast<std::uint16_t>(gpu));
  for (const MigSlot& slot : room.mig)
    mix(std::uint64_t{slot.gpu} << 24 | std::uint64_t{slot.device} << 16 | std::uint64_t{slot.profile} << 8 |
        (slot.busy ? 1U : 0U));
  return hash;
}

}  // namespace stoker::core
