#include "agent/container_gpus.h"

#include <algorithm>

#include "base/text.h"
#include "rt/file.h"
#include "rt/subprocess.h"

namespace stoker::agent {
namespace {

constexpr std::string_view kVendor = "stoker.local";
// The first that lists a device counts.
constexpr std::string_view kKinds[] = {"nvidia.com/gpu", "stoker.local/gpu"};
constexpr std::size_t kSpecBytesMax = 4u << 20;
constexpr std::size_t kSpecsMax = 1000;  // files in one directory
constexpr std::size_t kDevicesMax = 10'000;

void add(std::string_view name, std::string_view kind, CdiDevices& out) {
  if (!name.empty()) out.emplace(name, std::string(kind) + '=' + std::string(name));
}

void read_json(const std::string& text, std::string_view kind, CdiDevices& out) {
  const auto spec = json::parse(text);
  if (!spec || json::get_string(*spec, "kind") != kind) return;
  for (const auto& device : json::get_array(*spec, "devices"))
    if (out.size() < kDevicesMax) add(json::get_string(device, "name"), kind, out);
}

std::string_view unquote(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// The value of "key: value", also as the first member of a list's entry ("- key: value").
std::string_view yaml_value(std::string_view line, std::string_view key) {
  line = trim(line);
  if (line.starts_with("- ")) line = trim(line.substr(2));
  if (!line.starts_with(key)) return {};
  line.remove_prefix(key.size());
  return line.starts_with(':') ? unquote(line.substr(1)) : std::string_view{};
}

void read_yaml(const std::string& text, std::string_view kind, CdiDevices& out) {
  bool ours = false;
  std::vector<std::string_view> names;
  for (const auto line : split(text, '\n')) {
    if (!line.empty() && line.front() != ' ' && yaml_value(line, "kind") == kind) ours = true;
    if (const auto name = yaml_value(line, "name"); !name.empty() && names.size() < kDevicesMax)
      names.push_back(name);
  }
  if (!ours) return;
  for (const std::string_view name : names) add(name, kind, out);
}

}  // namespace

std::vector<std::string> cdi_directories() {
  return {"/etc/cdi", "/var/run/cdi"};
}

CdiDevices cdi_gpus(const std::vector<std::string>& directories) {
  CdiDevices out;
  for (const std::string_view kind : kKinds)
    for (const auto& directory : directories)
      for (const auto& name : rt::list_directory(directory, kSpecsMax).value_or(std::vector<std::string>{})) {
        const bool json = name.ends_with(".json");
        if (!json && !name.ends_with(".yaml") && !name.ends_with(".yml")) continue;
        const auto text = rt::read_file(directory + "/" + name, kSpecBytesMax);
        if (!text) continue;
        json ? read_json(*text, kind, out) : read_yaml(*text, kind, out);
      }
  return out;
}

Result<void> refresh_cdi(const std::string& tool, const std::string& file) {
  rt::Spawn spawn;
  spawn.argv = {tool,
                "cdi",
                "generate",
                "--vendor=" + std::string(kVendor),
                "--class=gpu",
                "--output=" + file,
                "--device-name-strategy=uuid"};
  const auto done = TRY(rt::capture(std::move(spawn)));
  if (done.exit.success()) return {};
  return fail(Code::Unavailable, tool + " cdi generate: " + std::string(trim(done.errors)));
}

bool wants_fresh_cdi(const std::vector<GpuDevice>& gpus, const EngineInfo& engine, const CdiDevices& listed) {
  if (!engine.cdi || (engine.nvidia_runtime && !engine.podman)) return false;
  return std::ranges::any_of(
      gpus, [&](const GpuDevice& it) { return it.needs_preparing() && !listed.contains(it.visible_name()); });
}

Result<GpuAccess> choose_gpu_access(const std::vector<GpuDevice>& gpus, const EngineInfo& engine,
                                    const CdiDevices& cdi_devices) {
  GpuAccess access;
  if (gpus.empty()) return access;
  std::vector<std::string> uuids;
  bool pretended = false;
  bool listed = engine.cdi;
  for (const auto& device : gpus) {
    uuids.push_back(device.visible_name());
    pretended = pretended || device.minor < 0;
    listed = listed && cdi_devices.contains(device.visible_name());
  }
  const std::string names = join(uuids, ",");
  if (pretended) {
    access.cuda_visible_devices = names;
    // The nvidia runtime would look for them.
    if (!engine.nvidia_is_default) access.visible_devices = names;
    return access;
  }
  if (listed) {
    // The runtime must not add devices of its own to what CDI gives.
    for (const auto& uuid : uuids) access.cdi_names.push_back(cdi_devices.at(uuid));
    return access;
  }
  if (engine.nvidia_runtime && !engine.podman) {
    access.nvidia_runtime = true;
    access.visible_devices = names;
    return access;
  }
  return fail(Code::NotSupported,
              "this node cannot give GPUs to containers: no CDI specification lists " + names +
                  (engine.cdi ? "" : " (nor has the container engine CDI switched on)") +
                  " and the container engine has no nvidia runtime; nvidia-ctk cdi generate "
                  "--output=/etc/cdi/nvidia.yaml makes a specification");
}

}  // namespace stoker::agent
