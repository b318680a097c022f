#include "agent/nvml.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "agent/mig_gpu.h"
#include "agent/nvml_library.h"
#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

// -1 where the kernel does not tell. NVML writes eight digits of the domain, the kernel four.
int numa_node_of(const std::string& bus_id) {
  if (bus_id.size() < 12) return -1;
  const auto text = rt::read_file(
      "/sys/bus/pci/devices/" + to_lower(std::string_view(bus_id).substr(4)) + "/numa_node", 64);
  return text ? static_cast<int>(std::clamp<std::int64_t>(parse_int(trim(*text)).value_or(-1), -1, 1024))
              : -1;
}

// A GPU in MIG mode serves nothing but its devices.
void ask_mig(const nvml::Library& library, nvml::Device device, wire::Gpu& gpu) {
  const auto mode = read_mig_mode(library, device);
  if (!mode || !mode->on) return;
  gpu.mig = wire::MigMode::Fixed;
  for (const MigPart& part : list_mig_parts(library, device))
    gpu.mig_devices.push_back({part.uuid, part.profile, part.index});
}

Result<GpuDevice> ask_device(const nvml::Library& library, const nvml::FoundDevice& found) {
  const nvml::Device device = found.device;
  const std::string name = "GPU " + std::to_string(found.index);
  if (found.code != nvml::kSuccess) return fail(Code::Unavailable, name + ": " + library.words(found.code));
  GpuDevice gpu;
  gpu.gpu.uuid = library.text("nvmlDeviceGetUUID", device);
  gpu.gpu.model = library.text("nvmlDeviceGetName", device);
  if (gpu.gpu.uuid.empty()) return fail(Code::Unavailable, name + " does not tell its UUID");
  nvml::Memory memory{};
  if (library.call("nvmlDeviceGetMemoryInfo", device, &memory) == nvml::kSuccess)
    gpu.gpu.memory_mib = static_cast<std::int64_t>(memory.total >> 20);
  unsigned minor = 0;
  if (library.call("nvmlDeviceGetMinorNumber", device, &minor) == nvml::kSuccess)
    gpu.minor = static_cast<int>(minor);
  nvml::PciInfo pci{};
  if (library.call("nvmlDeviceGetPciInfo_v3", device, &pci) == nvml::kSuccess) {
    pci.bus_id[sizeof pci.bus_id - 1] = 0;
    gpu.pci_bus_id = pci.bus_id;
    gpu.gpu.numa_node = numa_node_of(gpu.pci_bus_id);
  }
  ask_mig(library, device, gpu.gpu);
  return gpu;
}

Result<NvmlAnswer> ask(const std::string& name) {
  const auto library = TRY(nvml::Library::open(name));
  NvmlAnswer answer;
  char version[nvml::kTextBytes] = {};
  if (library->call("nvmlSystemGetDriverVersion", static_cast<char*>(version), nvml::kTextBytes) ==
      nvml::kSuccess) {
    version[nvml::kTextBytes - 1] = 0;
    answer.driver_version = version;
  }
  const std::vector<nvml::FoundDevice> devices = TRY(library->devices());
  for (const nvml::FoundDevice& found : devices) {
    auto device = ask_device(*library, found);
    if (device)
      answer.gpus.push_back(*std::move(device));
    else
      answer.warnings.push_back(device.error().message);
  }
  std::stable_sort(answer.gpus.begin(), answer.gpus.end(),
                   [](const GpuDevice& a, const GpuDevice& b) { return a.pci_bus_id < b.pci_bus_id; });
  return answer;
}

struct Shared {
  std::mutex mutex;
  std::condition_variable answered;
  std::optional<Result<NvmlAnswer>> answer;
};

}  // namespace

Result<NvmlAnswer> ask_nvml(Duration patience, const std::string& library) {
  auto shared = std::make_shared<Shared>();
  std::thread([shared, library] {
    auto answer = ask(library);
    const std::lock_guard lock(shared->mutex);
    shared->answer = std::move(answer);
    shared->answered.notify_all();
  }).detach();
  std::unique_lock lock(shared->mutex);
  if (!shared->answered.wait_for(lock, std::chrono::milliseconds(patience.ms),
                                 [&] { return shared->answer.has_value(); }))
    return fail(Code::Unavailable, "the NVIDIA driver does not answer");
  return *std::move(shared->answer);
}

}  // namespace stoker::agent
