#pragma once
// How a container gets the GPUs it was given, and no others: by their CDI names when the node has a
// specification that lists them, else through the engine's nvidia runtime, else not at all.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/container_engine.h"
#include "agent/driver.h"
#include "base/result.h"

namespace stoker::agent {

// Where specifications are (CDI specification, "CDI JSON file" locations).
std::vector<std::string> cdi_directories();

// Names of the devices of kind nvidia.com/gpu in all specifications there: indices, UUIDs, "all". JSON is
// read properly; of YAML only the lines "kind:" and "name:" are looked at, which suffices for what generators
// write. Unreadable files are passed over.
std::set<std::string> cdi_gpus(const std::vector<std::string>& directories);

struct GpuAccess {
  std::vector<std::string> cdi_names;  // "nvidia.com/gpu=GPU-..."
  bool nvidia_runtime = false;
  std::string visible_devices = "void";  // NVIDIA_VISIBLE_DEVICES: always set, since images set it to "all"
  std::string cuda_visible_devices;      // "": left alone
  bool operator==(const GpuAccess&) const = default;
};
// NotSupported, in words for the job's owner, when neither way exists. Pretended GPUs are only told by name.
Result<GpuAccess> choose_gpu_access(const std::vector<GpuDevice>& gpus, const EngineInfo& engine,
                                    const std::set<std::string>& cdi_devices);

}  // namespace stoker::agent
