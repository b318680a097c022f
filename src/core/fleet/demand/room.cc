#include "core/fleet/demand/room.h"

#include <algorithm>

#include "core/placement/gpu_model.h"
#include "core/placement/mig.h"

namespace stoker::fleet {
namespace {

constexpr std::int64_t kWhole = 1000;

// How many times `each` is in `free`; no bound for what is not asked.
std::int64_t times(std::int64_t free, std::int64_t each) {
  return each <= 0 ? kSlotsMax : std::max<std::int64_t>(0, free) / each;
}

// What the room can have devices of; null: its GPUs make none, or too small ones.
const core::MigProfile* profile_for(const Need& need, const core::MigTable* table) {
  const core::MigProfile* profile = table == nullptr ? nullptr : table->find(need.mig);
  return profile != nullptr && profile->memory_mib >= need.gpu_memory_min_mib ? profile : nullptr;
}

// A whole GPU, or one that is cut already.
bool may_be_cut(const Room& room, std::size_t gpu) {
  return room.gpus_free[gpu] >= kWhole || !room.layouts[gpu].empty();
}

std::int64_t devices_left(const core::MigTable& table, core::MigLayout layout,
                          const core::MigProfile& profile) {
  std::int64_t count = 0;
  while (const auto start = core::free_start(table, layout, profile)) {
    layout.push_back({&profile, *start});
    ++count;
  }
  return count;
}

std::int64_t mig_slots(const Room& room, const Need& need) {
  const core::MigTable* table = core::mig_table(room.gpu_model, room.gpu_memory_mib);
  const core::MigProfile* profile = profile_for(need, table);
  if (profile == nullptr) return 0;
  std::int64_t devices = 0;
  for (std::size_t gpu = 0; gpu < room.gpus_free.size(); ++gpu)
    if (may_be_cut(room, gpu)) devices += devices_left(*table, room.layouts[gpu], *profile);
  return devices / need.mig_devices;
}

std::int64_t gpu_slots(const Room& room, const Need& need) {
  if (!need.wants_gpus()) return kSlotsMax;
  if (!gpus_allowed(room, need)) return 0;
  if (need.mig_devices > 0) return mig_slots(room, need);
  std::int64_t count = 0;
  for (const std::int64_t free : room.gpus_free)
    count += need.gpus > 0 ? free / kWhole : free / need.gpu_milli;
  return need.gpus > 0 ? count / need.gpus : count;
}

// On GPUs that are cut already before others are.
void take_mig(Room& room, const Need& need) {
  const core::MigTable& table = *core::mig_table(room.gpu_model, room.gpu_memory_mib);
  const core::MigProfile& profile = *table.find(need.mig);
  std::int64_t left = need.mig_devices;
  for (const bool cut : {true, false})
    for (std::size_t gpu = 0; gpu < room.layouts.size(); ++gpu) {
      core::MigLayout& layout = room.layouts[gpu];
      if (layout.empty() == cut || !may_be_cut(room, gpu)) continue;
      while (left > 0) {
        const auto start = core::free_start(table, layout, profile);
        if (!start) break;
        layout.push_back({&profile, *start});
        room.gpus_free[gpu] =
            std::max<std::int64_t>(0, room.gpus_free[gpu] - kWhole * profile.compute / table.compute);
        --left;
      }
    }
}

void take_gpus(Room& room, const Need& need) {
  if (need.mig_devices > 0) return take_mig(room, need);
  for (std::int64_t left = need.gpus; std::int64_t& free : room.gpus_free) {
    if (left == 0) break;
    if (free < kWhole) continue;
    free -= kWhole;
    --left;
  }
  if (need.gpu_milli == 0) return;
  std::int64_t* fullest = nullptr;
  for (std::int64_t& free : room.gpus_free)
    if (free >= need.gpu_milli && (fullest == nullptr || free < *fullest)) fullest = &free;
  *fullest -= need.gpu_milli;
}

}  // namespace

Room room_of(const InstanceType& type) {
  Room room;
  room.type = type.name;
  room.cpus_milli = type.vcpus * 1000;
  room.memory_mib = type.memory_offered_mib();
  room.architecture = type.architecture;
  room.gpu_model = type.gpu_model;
  room.gpu_memory_mib = type.gpu_memory_mib;
  room.gpus_free.assign(static_cast<std::size_t>(type.gpus), type.gpu_milli);
  room.layouts.resize(room.gpus_free.size());
  return room;
}

Room room_of(const InstanceType& type, Market market, bool mig) {
  Room room = room_of(type);
  room.market = market;
  room.mig = mig;
  return room;
}

bool gpus_allowed(const Room& room, const Need& need) {
  if (!need.wants_gpus()) return true;
  if (room.mig && *room.mig != (need.mig_devices > 0)) return false;
  // A device has as much memory as its profile says.
  if (need.mig_devices == 0 && room.gpu_memory_mib < need.gpu_memory_min_mib) return false;
  return need.gpu_models.empty() || std::ranges::any_of(need.gpu_models, [&](const std::string& model) {
           return core::is_model(room.gpu_model, model);
         });
}

std::int64_t slots(const Room& room, const Need& need) {
  if (!need.architecture.empty() && !room.architecture.empty() && need.architecture != room.architecture)
    return 0;
  if (!need.instance_types.empty() &&
      std::ranges::find(need.instance_types, room.type) == need.instance_types.end())
    return 0;
  if (room.market && need.spot != SpotWish::First &&
      (need.spot == SpotWish::Only) != (*room.market == Market::Spot))
    return 0;
  return std::min({kSlotsMax, times(room.cpus_milli, need.cpus_milli),
                   times(room.memory_mib, need.memory_mib), gpu_slots(room, need)});
}

std::int64_t take(Room& room, const Need& need, std::int64_t runs) {
  const std::int64_t count = std::min(runs, slots(room, need));
  for (std::int64_t i = 0; i < count; ++i) take_gpus(room, need);
  room.cpus_milli -= count * need.cpus_milli;
  room.memory_mib -= count * need.memory_mib;
  return count;
}

}  // namespace stoker::fleet
