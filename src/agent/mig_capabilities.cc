#include "agent/mig_capabilities.h"

#include <algorithm>
#include <optional>

#include <unistd.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kTableBytesMax = 4u << 20;
constexpr std::size_t kEntriesMax = 16'384;

// "gi7" with prefix "gi" is 7.
std::optional<int> number_behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return {};
  const auto number = parse_int(text.substr(prefix.size()));
  if (!number || *number < 0 || *number > 65'535) return {};
  return static_cast<int>(*number);
}

std::uint32_t major_of(const std::string& devices, std::string_view name) {
  for (const std::string_view line : split(devices, '\n')) {
    const std::string_view words = trim(line);
    const auto space = words.find(' ');
    if (space == std::string_view::npos || trim(words.substr(space)) != name) continue;
    const auto major = parse_int(words.substr(0, space));
    if (major && *major > 0 && *major < 4096) return static_cast<std::uint32_t>(*major);
  }
  return 0;
}

}  // namespace

// Lines like "config 1", "gpu0/gi7/access 66", "gpu0/gi7/ci0/access 67".
MigCapabilities MigCapabilities::read(const std::string& proc) {
  MigCapabilities read;
  const auto table = rt::read_file(proc + "/driver/nvidia-caps/mig-minors", kTableBytesMax);
  const auto devices = rt::read_file(proc + "/devices", kTableBytesMax);
  if (!table || !devices) return read;
  read.major_ = major_of(*devices, "nvidia-caps");
  if (read.major_ == 0) return read;
  for (const std::string_view line : split(*table, '\n')) {
    const auto space = line.rfind(' ');
    if (space == std::string_view::npos || read.entries_.size() == kEntriesMax) continue;
    const auto minor = number_behind(line.substr(space + 1), "");
    if (!minor) continue;
    if (line.substr(0, space) == "config") read.config_minor_ = *minor;
    const auto parts = split(line.substr(0, space), '/');
    if (parts.size() < 3 || parts.back() != "access") continue;
    const auto gpu = number_behind(parts[0], "gpu");
    const auto gpu_instance = number_behind(parts[1], "gi");
    const auto compute_instance = parts.size() == 4 ? number_behind(parts[2], "ci") : -1;
    if (gpu && gpu_instance && compute_instance)
      read.entries_.push_back({*gpu, *gpu_instance, *compute_instance, static_cast<std::uint32_t>(*minor)});
  }
  return read;
}

std::vector<DeviceNumber> MigCapabilities::denied(const std::vector<GpuDevice>& gpus) const {
  std::vector<DeviceNumber> denied;
  if (config_minor_ >= 0) denied.push_back({major_, static_cast<std::uint32_t>(config_minor_)});
  for (const Entry& entry : entries_) {
    const auto of_this_gpu = [&](const GpuDevice& it) {
      return it.minor == entry.gpu && !it.mig_device.empty();
    };
    const auto is_own = [&](const GpuDevice& it) {
      return of_this_gpu(it) && it.gpu_instance == entry.gpu_instance &&
             (entry.compute_instance < 0 || it.compute_instance == entry.compute_instance);
    };
    if (std::ranges::any_of(gpus, of_this_gpu) && std::ranges::none_of(gpus, is_own))
      denied.push_back({major_, entry.minor});
  }
  return denied;
}

bool MigCapabilities::may_change_layouts(const std::string& dev) const {
  if (::geteuid() == 0) return true;
  const std::string file = dev + "/nvidia-caps/nvidia-cap" + std::to_string(config_minor_);
  return config_minor_ >= 0 && ::access(file.c_str(), R_OK) == 0;
}

}  // namespace stoker::agent
