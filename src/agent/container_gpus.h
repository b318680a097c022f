#pragma once
// How a container gets the GPUs it was given, and no others: by their CDI names when the node has a
// specification that lists them, else through the engine's nvidia runtime, else not at all.
#include <map>
#include <string>
#include <vector>

#include "agent/container_engine.h"
#include "agent/driver.h"
#include "base/result.h"

namespace stoker::agent {

// Where specifications are (CDI specification, "CDI JSON file" locations).
std::vector<std::string> cdi_directories();

// Full names of devices by their names, "nvidia.com/gpu=GPU-1" by "GPU-1": of kind nvidia.com/gpu, and of the
// kind of refresh_cdi, in all specifications there. Names are indices, UUIDs, "all". JSON is read properly;
// of YAML only the lines "kind:" and "name:" are looked at, which suffices for what generators write.
// Unreadable files are passed over.
using CdiDevices = std::map<std::string, std::string>;
CdiDevices cdi_gpus(const std::vector<std::string>& directories);

// A specification has to be made anew whenever MIG devices were made. It is written beside those of the node,
// as a kind of its own, by NVIDIA's tool: no name in it is in the way of another. NotFound without the tool.
Result<void> refresh_cdi(const std::string& tool = "nvidia-ctk",
                         const std::string& file = "/var/run/cdi/stoker-gpus.yaml");
// Whether that helps: the engine can do nothing else for these GPUs, and a MIG device is not listed.
bool wants_fresh_cdi(const std::vector<GpuDevice>& gpus, const EngineInfo& engine, const CdiDevices& listed);

struct GpuAccess {
  std::vector<std::string> cdi_names;  // "nvidia.com/gpu=GPU-..."
  bool nvidia_runtime = false;
  std::string visible_devices = "void";  // NVIDIA_VISIBLE_DEVICES: always set, since images set it to "all"
  std::string cuda_visible_devices;      // "": left alone
  bool operator==(const GpuAccess&) const = default;
};
// NotSupported, in words for the job's owner, when neither way exists. Pretended GPUs are only told by name.
Result<GpuAccess> choose_gpu_access(const std::vector<GpuDevice>& gpus, const EngineInfo& engine,
                                    const CdiDevices& cdi_devices);

}  // namespace stoker::agent
