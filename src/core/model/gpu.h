#pragma once
// The GPUs of a node, one by one, and which of them will do for a run.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/types.h"

namespace stoker::core {

// Which GPUs a run can use; how much of them is in its Resources: `gpus` whole ones, or `gpu_milli` as a
// share of one, or as many MIG devices as said here.
struct GpuNeed {
  std::string mig = {};                  // profile, "2g.20gb"; "": whole GPUs or a share of one
  std::int64_t mig_devices = 0;          // of that profile, all in one node
  std::vector<std::string> models = {};  // lower case, sorted; one of them; empty: any model
  std::int64_t memory_mib_min = 0;       // of each GPU, of the share, or of each MIG device; 0: any
  auto operator<=>(const GpuNeed&) const = default;
};

// Draining and Bad ones take no new runs, Suspect ones no gangs.
enum class GpuHealth : std::uint8_t { Ok, Suspect, Draining, Bad };

// Fixed: its devices are as the node reports them. Dynamic: the node makes the devices that the core plans.
enum class MigMode : std::uint8_t { Off, Fixed, Dynamic };

// A GPU instance with one compute instance.
struct MigDevice {
  std::string name;     // its UUID as the node reports it; planned ones: mig_name() of core/placement/mig.h
  std::string profile;  // "2g.20gb"
  int start = 0;        // its first memory slice
  JobNo holder;         // 0: free
  bool operator==(const MigDevice&) const = default;
};

struct NodeGpu {
  std::string uuid;
  std::string model;
  std::int64_t memory_mib = 0;
  JobNo holder;                     // of the whole GPU; 0: none
  std::vector<JobNo> sharers = {};  // those that hold a share of it, ascending
  std::int64_t shared_milli = 0;    // what they hold together
  int numa_node = -1;               // -1: unknown
  int nvlink_group = -1;            // GPUs of one group reach each other by NVLink; -1: unknown or none
  GpuHealth health = GpuHealth::Ok;
  MigMode mig = MigMode::Off;
  std::vector<MigDevice> devices = {};  // its MIG layout, by start

  [[nodiscard]] bool usable() const { return health == GpuHealth::Ok || health == GpuHealth::Suspect; }
  [[nodiscard]] bool idle() const {
    if (holder || !sharers.empty()) return false;
    for (const MigDevice& device : devices)
      if (device.holder) return false;
    return true;
  }
  // What is left of it for whole GPUs (all of it) and shares. MIG GPUs serve MIG devices only.
  [[nodiscard]] std::int64_t free_milli() const {
    return holder || mig != MigMode::Off || !usable() ? 0 : Resources::kGpuMilli - shared_milli;
  }
};

}  // namespace stoker::core
