#pragma once
// What a shape asks of a node, in the terms of its room, and whether it is there. The predicate that decides
// is the one that explains.
#include <cstdint>

#include "core/model/shape.h"
#include "core/placement/room.h"

namespace stoker::core {

// A set of the resources a node has.
using Lack = std::uint8_t;
inline constexpr Lack kLackCpu = 1;
inline constexpr Lack kLackMemory = 2;
inline constexpr Lack kLackGpu = 4;
inline constexpr Lack kLackContainers = 8;
inline constexpr Lack kLackInstanceType = 16;
inline constexpr Lack kLackMarket = 32;  // it is a spot machine, or is none, and the run wants it otherwise
inline constexpr std::size_t kLackSets = 64;

struct Ask {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;         // whole ones, or 1 for a share
  std::int64_t gpu_milli = 0;    // of each of them
  std::int64_t mig_devices = 0;  // instead of GPUs
  [[nodiscard]] bool is_share() const { return gpus == 1 && gpu_milli < Resources::kGpuMilli; }
  [[nodiscard]] std::int64_t all_gpu_milli() const { return gpus * gpu_milli; }
  // Its bit of Room::classes; 0 for runs without GPUs and with MIG devices.
  [[nodiscard]] std::uint16_t class_bits() const {
    return gpus == 0 ? std::uint16_t{0} : class_bit(is_share() ? 0 : gpus);
  }
};
Ask ask_of(const Shape& shape);

// A shape against a kind of node: what does not change as nodes of the kind fill.
struct Match {
  std::uint32_t types = 0;  // bit n: GPUs of type n will do
  bool any_type = false;    // all types of the kind will do
  std::uint8_t mig_profile = kNoProfile;
  bool containers = true;  // has the container engine, or none is needed
  bool machine = true;     // of a type that will do
  bool market = true;      // spot or not, as the run wants
  Lack ever = 0;           // what even an empty node of the kind lacks
  static constexpr std::uint8_t kNoProfile = UINT8_MAX;
  [[nodiscard]] bool allows(std::uint8_t type) const {
    return any_type || (type < kGpuTypesMax && (types >> type & 1U) != 0);
  }
};
// `empty`: empty_room_of() a node of the kind.
Match match_of(const NodeKind& kind, const Shape& shape, const Room& empty);

// What the node is short of at the moment; 0: it fits.
Lack lack_of(const NodeKind& kind, const Room& room, const Ask& ask, const Match& match);
// What an ask asks for, as a set.
Lack asks_for(const Ask& ask);

// The MIG devices that a run would get. Free ones first; then idle GPUs that get a new layout.
struct MigPlan {
  std::vector<std::size_t> slots;          // indexes into Room::mig
  std::vector<std::uint16_t> repartition;  // GPUs
  std::int64_t devices = 0;                // how many of the ask it can serve
};
MigPlan plan_mig(const NodeKind& kind, const Room& room, const Ask& ask, const Match& match);

}  // namespace stoker::core
