#include "agent/gpu_devices.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kPretendedDevicesMax = 7;  // of one GPU, as of a real one

}  // namespace

Result<GpuDevice> find_device(const std::vector<GpuDevice>& gpus, const std::string& name) {
  for (const GpuDevice& device : gpus) {
    if (device.gpu.uuid == name) return device;
    GpuDevice part = device;
    part.mig_device = name;
    for (const wire::MigDevice& mig : device.gpu.mig_devices)
      if (mig.uuid == name) return part;
    if (device.gpu.mig != wire::MigMode::Dynamic || !name.starts_with(device.gpu.uuid + "/")) continue;
    return part;
  }
  return fail(Code::NotFound, "GPU " + name + " is not in this node");
}

std::vector<std::pair<std::string, std::string>> share_environment(const RunSpec& spec) {
  const std::int64_t milli = spec.run.gpu_milli;
  if (milli == 0 || spec.gpus.size() != 1) return {};
  const std::int64_t memory_mib = spec.gpus[0].gpu.memory_mib * milli / 1000;
  // The index is the run's own: it sees one GPU.
  return {{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", std::to_string(std::max<std::int64_t>(1, milli / 10))},
          {"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=" + std::to_string(memory_mib) + "M"}};
}

bool pretend_mig(wire::Gpu& gpu, std::string_view text) {
  gpu.mig = wire::MigMode::Dynamic;
  if (text == "mig") return true;
  gpu.mig = wire::MigMode::Fixed;
  for (const std::string_view profile : split(text, '+')) {
    if (profile.size() < 5 || profile.substr(1, 2) != "g." || !profile.ends_with("gb")) return false;
    if (gpu.mig_devices.size() == kPretendedDevicesMax) return false;
    const auto number = static_cast<int>(gpu.mig_devices.size());
    gpu.mig_devices.push_back(
        {"MIG-" + gpu.uuid + "-" + std::to_string(number), std::string(profile), number});
  }
  return true;
}

}  // namespace stoker::agent
