#pragma once
// The management library itself: loaded at run time, called by the names of its functions. Only files that
// talk to the driver include this.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "base/result.h"

namespace stoker::agent::nvml {

// Facts of the library's ABI. Structures with a version say so in their first member: size | version << 24.
using Device = void*;
using GpuInstance = void*;
using ComputeInstance = void*;

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNoPermission = 4;
constexpr int kNotFound = 6;
constexpr int kDriverNotLoaded = 9;
constexpr int kFunctionNotFound = 13;
constexpr int kGpuLost = 15;
constexpr int kResetRequired = 16;
constexpr int kInUse = 19;
constexpr int kInsufficientResources = 23;
constexpr int kGpuNotFound = 28;
constexpr unsigned kTextBytes = 96;

struct Memory {  // version 1: bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
struct PciInfo {  // version 3
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
struct Placement {  // of a GPU instance in memory slices, of a compute instance in compute slices
  unsigned start;
  unsigned size;
};
struct GpuInstanceProfile {  // version 2
  unsigned version;
  unsigned id;
  unsigned is_p2p_supported;
  unsigned slice_count;
  unsigned instance_count;
  unsigned multiprocessor_count;
  unsigned copy_engine_count;
  unsigned decoder_count;
  unsigned encoder_count;
  unsigned jpeg_count;
  unsigned ofa_count;
  unsigned long long memory_mb;
  char name[kTextBytes];  // "MIG 1g.10gb"
};
struct GpuInstanceInfo {
  Device device;
  unsigned id;
  unsigned profile_id;
  Placement placement;
};
struct ComputeInstanceProfile {  // version 1
  unsigned id;
  unsigned slice_count;
  unsigned instance_count;
  unsigned multiprocessor_count;
  unsigned engines[5];
};
static_assert(sizeof(PciInfo) == 68 && sizeof(Memory) == 24 && sizeof(GpuInstanceProfile) == 152 &&
              sizeof(GpuInstanceInfo) == 24 && sizeof(ComputeInstanceProfile) == 36);
constexpr unsigned kGpuInstanceProfileVersion = sizeof(GpuInstanceProfile) | 2U << 24;

struct FoundDevice {
  unsigned index = 0;
  Device device = nullptr;
  int code = kSuccess;  // why there is no device
};

class Library {
 public:
  // Loaded and begun. NotFound when there is no library, too old a one, no driver or no GPU; else
  // Unavailable. The library stays loaded: it starts threads of its own, and closing it under them ends
  // badly.
  static Result<std::unique_ptr<Library>> open(const std::string& name);

  // All of the machine; 256 at most.
  [[nodiscard]] Result<std::vector<FoundDevice>> devices() const;

  // A symbol that is missing belongs to a newer driver than this one.
  template <class... Arguments>
  std::optional<int> call(const char* symbol, Arguments... arguments) const {
    void* address = ::dlsym(handle_, symbol);
    if (address == nullptr) return {};
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }
  // The same with the code of a missing function.
  template <class... Arguments>
  int ask(const char* symbol, Arguments... arguments) const {
    return call(symbol, arguments...).value_or(kFunctionNotFound);
  }
  // What a function writes that takes a device, a buffer and its size; "" where it fails.
  [[nodiscard]] std::string text(const char* symbol, Device device) const;
  [[nodiscard]] std::string words(int code) const;

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace stoker::agent::nvml
