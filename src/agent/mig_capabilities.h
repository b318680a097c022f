#pragma once
// The device files behind MIG: opening /dev/nvidia-caps/nvidia-capN is the right to use a GPU instance, a
// compute instance, or to change layouts. Which N is which is a fixed table of the driver.
#include <string>
#include <vector>

#include "agent/cgroups.h"
#include "agent/driver.h"

namespace stoker::agent {

class MigCapabilities {
 public:
  // From PROC/devices and PROC/driver/nvidia-caps/mig-minors; empty where the driver has no such files.
  static MigCapabilities read(const std::string& proc = "/proc");

  // What a run with these GPUs must not open: the right to change layouts, and all instances of its GPUs but
  // its own. Other GPUs are denied as a whole.
  [[nodiscard]] std::vector<DeviceNumber> denied(const std::vector<GpuDevice>& gpus) const;

  // Whether this process may change layouts, as far as can be told without trying: the superuser, or whoever
  // may open the device file for it.
  [[nodiscard]] bool may_change_layouts(const std::string& dev = "/dev") const;

 private:
  struct Entry {
    int gpu = -1;  // its minor
    int gpu_instance = -1;
    int compute_instance = -1;  // -1: the GPU instance itself
    std::uint32_t minor = 0;
  };
  std::uint32_t major_ = 0;
  int config_minor_ = -1;
  std::vector<Entry> entries_;
};

}  // namespace stoker::agent
