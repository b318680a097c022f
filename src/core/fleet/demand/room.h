#pragma once
// What a machine has free, and how many runs of a kind it could take. Sizing counts with it; where a run
// really goes is the placement pass's to say.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/demand.h"
#include "core/fleet/market/pool.h"
#include "core/placement/mig.h"

namespace stoker::fleet {

struct Room {
  std::string type;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::string architecture;
  std::string gpu_model;
  std::int64_t gpu_memory_mib = 0;      // of each
  std::vector<std::int64_t> gpus_free;  // thousandths of a whole GPU, of each GPU
  std::optional<Market> market;         // of a machine there is; nothing: a type as such
  // Its GPUs are switched to MIG and serve MIG devices alone, or are not and serve none. A machine is
  // launched for the one or the other; nothing: a type as such.
  std::optional<bool> mig;
  std::vector<core::MigLayout> layouts;  // of each GPU, where that is so
  bool operator==(const Room&) const = default;
};

// A fresh machine of the type.
Room room_of(const InstanceType& type);
Room room_of(const InstanceType& type, Market market, bool mig = false);

// How many runs fit beside one another; at most kSlotsMax, which is also the answer for a need of nothing.
inline constexpr std::int64_t kSlotsMax = 100'000;
std::int64_t slots(const Room& room, const Need& need);
// Takes as many as fit, `runs` at most, and says how many. Shares go to the fullest GPU that still has
// enough.
std::int64_t take(Room& room, const Need& need, std::int64_t runs);

// Whether the GPUs are of a kind the need allows (always for a need without GPUs).
bool gpus_allowed(const Room& room, const Need& need);

}  // namespace stoker::fleet
