#include "agent/nvml.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <dlfcn.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

// Facts of the library's ABI.
using NvmlDevice = void*;
constexpr int kSuccess = 0;
constexpr int kDriverNotLoaded = 9;
constexpr int kGpuNotFound = 28;
constexpr unsigned kTextBytes = 96;
struct NvmlMemory {  // version 1: bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
struct NvmlPciInfo {  // version 3
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(NvmlPciInfo) == 68 && sizeof(NvmlMemory) == 24);

constexpr unsigned kDevicesMax = 256;
constexpr unsigned kMigDevicesMax = 64;  // of one GPU; today's have at most seven

class Library {
 public:
  static Result<std::unique_ptr<Library>> open(const std::string& name) {
    void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return fail(Code::NotFound, "there is no NVIDIA driver library (" + name + ")");
    return std::unique_ptr<Library>(new Library(handle));
  }
  // The library stays loaded: it starts threads of its own, and closing it under them ends badly.

  // A symbol that is missing belongs to a newer driver than this one.
  template <class... Arguments>
  std::optional<int> call(const char* symbol, Arguments... arguments) const {
    void* address = ::dlsym(handle_, symbol);
    if (address == nullptr) return {};
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }
  [[nodiscard]] std::string words(int code) const {
    void* address = ::dlsym(handle_, "nvmlErrorString");
    const char* text = address == nullptr ? nullptr : reinterpret_cast<const char* (*)(int)>(address)(code);
    return text == nullptr ? "code " + std::to_string(code) : text;
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

using TextBuffer = char[kTextBytes];

std::string get_text(const Library& library, const char* symbol, NvmlDevice device) {
  TextBuffer text = {};
  const auto code = library.call(symbol, device, static_cast<char*>(text), kTextBytes);
  text[kTextBytes - 1] = 0;
  return code == kSuccess ? std::string(text) : std::string();
}

// -1 where the kernel does not tell. NVML writes eight digits of the domain, the kernel four.
int numa_node_of(const std::string& bus_id) {
  if (bus_id.size() < 12) return -1;
  const auto text = rt::read_file(
      "/sys/bus/pci/devices/" + to_lower(std::string_view(bus_id).substr(4)) + "/numa_node", 64);
  return text ? static_cast<int>(std::clamp<std::int64_t>(parse_int(trim(*text)).value_or(-1), -1, 1024))
              : -1;
}

// The MIG devices that somebody made on it. A GPU in MIG mode serves nothing else.
void ask_mig(const Library& library, NvmlDevice device, wire::Gpu& gpu) {
  unsigned current = 0;
  unsigned pending = 0;
  if (library.call("nvmlDeviceGetMigMode", device, &current, &pending) != kSuccess || current == 0) return;
  gpu.mig = wire::MigMode::Fixed;
  unsigned count = 0;
  if (library.call("nvmlDeviceGetMaxMigDeviceCount", device, &count) != kSuccess) return;
  for (unsigned i = 0; i < std::min(count, kMigDevicesMax); ++i) {
    NvmlDevice part = nullptr;
    if (library.call("nvmlDeviceGetMigDeviceHandleByIndex", device, i, &part) != kSuccess) continue;
    const std::string name = get_text(library, "nvmlDeviceGetName", part);  // "NVIDIA A100 MIG 1g.10gb"
    const std::string uuid = get_text(library, "nvmlDeviceGetUUID", part);
    const auto word = name.rfind(' ');
    if (uuid.empty() || word == std::string::npos) continue;
    gpu.mig_devices.push_back({uuid, name.substr(word + 1), static_cast<int>(i)});
  }
}

Result<GpuDevice> ask_device(const Library& library, unsigned index) {
  NvmlDevice device = nullptr;
  const auto found = library.call("nvmlDeviceGetHandleByIndex_v2", index, &device);
  if (found != kSuccess)
    return fail(Code::Unavailable, "GPU " + std::to_string(index) + ": " + library.words(found.value_or(13)));
  GpuDevice gpu;
  gpu.gpu.uuid = get_text(library, "nvmlDeviceGetUUID", device);
  gpu.gpu.model = get_text(library, "nvmlDeviceGetName", device);
  if (gpu.gpu.uuid.empty())
    return fail(Code::Unavailable, "GPU " + std::to_string(index) + " does not tell its UUID");
  NvmlMemory memory{};
  if (library.call("nvmlDeviceGetMemoryInfo", device, &memory) == kSuccess)
    gpu.gpu.memory_mib = static_cast<std::int64_t>(memory.total >> 20);
  unsigned minor = 0;
  if (library.call("nvmlDeviceGetMinorNumber", device, &minor) == kSuccess)
    gpu.minor = static_cast<int>(minor);
  NvmlPciInfo pci{};
  if (library.call("nvmlDeviceGetPciInfo_v3", device, &pci) == kSuccess) {
    pci.bus_id[sizeof pci.bus_id - 1] = 0;
    gpu.pci_bus_id = pci.bus_id;
    gpu.gpu.numa_node = numa_node_of(gpu.pci_bus_id);
  }
  ask_mig(library, device, gpu.gpu);
  return gpu;
}

Result<NvmlAnswer> ask(const std::string& name) {
  const auto library = TRY(Library::open(name));
  const auto init = library->call("nvmlInit_v2");
  if (!init) return fail(Code::NotFound, "the NVIDIA driver library is too old");
  if (*init == kDriverNotLoaded || *init == kGpuNotFound) return fail(Code::NotFound, library->words(*init));
  if (*init != kSuccess) return fail(Code::Unavailable, "NVML: " + library->words(*init));
  NvmlAnswer answer;
  TextBuffer version = {};
  if (library->call("nvmlSystemGetDriverVersion", static_cast<char*>(version), kTextBytes) == kSuccess) {
    version[kTextBytes - 1] = 0;
    answer.driver_version = version;
  }
  unsigned count = 0;
  const auto counted = library->call("nvmlDeviceGetCount_v2", &count);
  if (counted != kSuccess) return fail(Code::Unavailable, "NVML: " + library->words(counted.value_or(13)));
  for (unsigned i = 0; i < std::min(count, kDevicesMax); ++i) {
    auto device = ask_device(*library, i);
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
