#pragma once
// A node as placement sees it: what does not change while runs come and go (its kind), and what is free (its
// room). Nodes of the same kind with the same room are alike for every shape: they are scored once.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/node.h"

namespace stoker::core {

inline constexpr std::size_t kGpuTypesMax = 32;  // of one node; GPUs of further types are not given to runs
inline constexpr std::size_t kMigProfilesMax = 128;  // of one node, likewise

struct GpuType {
  std::string model = {};
  std::int64_t memory_mib = 0;
  auto operator<=>(const GpuType&) const = default;
};
struct GpuSeat {  // one GPU of the kind
  std::uint8_t type = 0;
  MigMode mig = MigMode::Off;
  std::int16_t numa_node = -1;
  std::int16_t nvlink_group = -1;
  auto operator<=>(const GpuSeat&) const = default;
};

struct NodeKind {
  Resources total = {};
  bool containers = false;
  std::vector<GpuType> types = {};
  std::vector<GpuSeat> gpus = {};              // in the order of Node::gpus
  std::vector<std::string> mig_profiles = {};  // sorted: those of its MIG devices, and those it can make
  std::int64_t price_micros_per_hour = 0;
  bool spot = false;
  std::string rack = {};
  std::string instance_type = {};
  auto operator<=>(const NodeKind&) const = default;
};
NodeKind kind_of(const Node& node);

struct MigSlot {             // a device that exists
  std::uint16_t gpu = 0;     // index into Node::gpus
  std::uint8_t device = 0;   // index into NodeGpu::devices
  std::uint8_t profile = 0;  // index into NodeKind::mig_profiles
  bool busy = false;
  bool operator==(const MigSlot&) const = default;
};

struct Room {
  std::int64_t cpus_milli = 0;  // free
  std::int64_t memory_mib = 0;  // free
  std::int64_t gpu_milli = 0;   // free in all, of GPUs without MIG
  // What runs there: bit 0 shares of GPUs, bit k runs with k whole GPUs (15: with 15 or more).
  std::uint16_t classes = 0;
  std::vector<std::int16_t> gpus;       // free thousandths by GPU; 0 for those that cannot be used
  std::vector<MigSlot> mig;             // devices of usable GPUs
  std::vector<std::uint16_t> mig_idle;  // GPUs that may be partitioned anew, ascending
  bool operator==(const Room&) const = default;
};
Room room_of(const Node& node, const NodeKind& kind);
// The same node with nothing running and every GPU well.
Room empty_room_of(const Node& node, const NodeKind& kind);

constexpr std::uint16_t class_bit(std::int64_t whole_gpus) {
  return static_cast<std::uint16_t>(1U << (whole_gpus > 15 ? 15 : whole_gpus));
}

std::size_t hash_of(const Room& room);

}  // namespace stoker::core
