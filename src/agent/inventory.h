#pragma once
// What this node has for jobs.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/driver.h"
#include "base/result.h"

namespace stoker::agent {

struct Gpus {
  std::vector<GpuDevice> devices;
  bool pretended = false;
  std::vector<std::string> warnings;
};

// The setting with which MIG is switched on where GPUs have it.
inline constexpr std::string_view kAutoMig = "auto/mig";

// Pretended ones: "4xA10G", "A10G", "2xA10G,1xT4", with MIG "A100-80GB/3g.40gb+2g.20gb" or "2xH100/mig"
// (gpu_devices.h), out of order "T4/bad". InvalidArgument for other texts.
Result<std::vector<GpuDevice>> pretend_gpus(std::string_view setting);
// None of the three below.
bool is_pretended(std::string_view setting);

// "auto", "auto/mig": what NVML says; "none"; or pretended ones.
Result<Gpus> find_gpus(std::string_view setting, const std::string& nvml_library = "libnvidia-ml.so.1");

// MiB of a GPU model: as its name says ("NVIDIA A100-SXM4-80GB"), by its usual name ("A10G", "NVIDIA H200"),
// 16384 for unknown ones.
std::int64_t gpu_memory_mib(std::string_view model);

// Processors that this process may use, in thousandths; a quota of its control group counts.
std::int64_t available_cpus_milli();
// Memory that jobs may have in all: the machine's or this process's control group's, whichever is less,
// without kReservedMemoryMib for the system and ourselves.
std::int64_t available_memory_mib();
inline constexpr std::int64_t kReservedMemoryMib = 128;

// The IPv4 address under which other nodes reach this one: that of its first interface that is up. Of a node
// whose server is on the same machine ("unix:...") 127.0.0.1. "" when there is none.
std::string own_address(std::string_view server);

// Changes whenever what ran before is gone: with every boot, and with every start of the container we may
// live in.
std::string boot_instance();
// Of the machine alone.
std::string machine_boot_id();

}  // namespace stoker::agent
