#include "core/fleet/demand/room.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::fleet {
namespace {

constexpr std::int64_t kWhole = 1000;

std::string_view without_maker(std::string_view model) {
  constexpr std::string_view kMaker = "NVIDIA ";
  if (model.size() > kMaker.size() && equal_ignoring_case(model.substr(0, kMaker.size()), kMaker))
    model.remove_prefix(kMaker.size());
  return model;
}

// How many times `each` is in `free`; no bound for what is not asked.
std::int64_t times(std::int64_t free, std::int64_t each) {
  return each <= 0 ? kSlotsMax : std::max<std::int64_t>(0, free) / each;
}

std::int64_t gpu_slots(const Room& room, const Need& need) {
  if (need.gpus == 0 && need.gpu_milli == 0) return kSlotsMax;
  if (!gpus_allowed(room, need)) return 0;
  std::int64_t count = 0;
  for (const std::int64_t free : room.gpus_free)
    count += need.gpus > 0 ? free / kWhole : free / need.gpu_milli;
  return need.gpus > 0 ? count / need.gpus : count;
}

void take_gpus(Room& room, const Need& need) {
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

bool same_model(std::string_view a, std::string_view b) {
  return equal_ignoring_case(without_maker(a), without_maker(b));
}

Room room_of(const InstanceType& type) {
  Room room;
  room.type = type.name;
  room.cpus_milli = type.vcpus * 1000;
  room.memory_mib = type.memory_offered_mib();
  room.architecture = type.architecture;
  room.gpu_model = type.gpu_model;
  room.gpu_memory_mib = type.gpu_memory_mib;
  room.gpus_free.assign(static_cast<std::size_t>(type.gpus), type.gpu_milli);
  return room;
}

Room room_of(const InstanceType& type, Market market) {
  Room room = room_of(type);
  room.market = market;
  return room;
}

bool gpus_allowed(const Room& room, const Need& need) {
  if (need.gpus == 0 && need.gpu_milli == 0) return true;
  if (room.gpu_memory_mib < need.gpu_memory_min_mib) return false;
  return need.gpu_models.empty() || std::ranges::any_of(need.gpu_models, [&](const std::string& model) {
           return same_model(model, room.gpu_model);
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
