#include "agent/container_gpus.h"

#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::string_view kKind = "nvidia.com/gpu";
constexpr std::size_t kSpecBytesMax = 4u << 20;
constexpr std::size_t kSpecsMax = 1000;  // files in one directory
constexpr std::size_t kDevicesMax = 10'000;

void read_json(const std::string& text, std::set<std::string>& out) {
  const auto spec = json::parse(text);
  if (!spec || json::get_string(*spec, "kind") != kKind) return;
  for (const auto& device : json::get_array(*spec, "devices"))
    if (out.size() < kDevicesMax) out.emplace(json::get_string(device, "name"));
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

void read_yaml(const std::string& text, std::set<std::string>& out) {
  bool ours = false;
  std::set<std::string> names;
  for (const auto line : split(text, '\n')) {
    if (!line.empty() && line.front() != ' ' && yaml_value(line, "kind") == kKind) ours = true;
    if (const auto name = yaml_value(line, "name"); !name.empty() && names.size() < kDevicesMax)
      names.emplace(name);
  }
  if (ours) out.merge(names);
}

}  // namespace

std::vector<std::string> cdi_directories() {
  return {"/etc/cdi", "/var/run/cdi"};
}

std::set<std::string> cdi_gpus(const std::vector<std::string>& directories) {
  std::set<std::string> out;
  for (const auto& directory : directories) {
    const auto names = rt::list_directory(directory, kSpecsMax);
    if (!names) continue;
    for (const auto& name : *names) {
      const bool json = name.ends_with(".json");
      if (!json && !name.ends_with(".yaml") && !name.ends_with(".yml")) continue;
      const auto text = rt::read_file(directory + "/" + name, kSpecBytesMax);
      if (!text) continue;
      json ? read_json(*text, out) : read_yaml(*text, out);
    }
  }
  out.erase("");
  return out;
}

Result<GpuAccess> choose_gpu_access(const std::vector<GpuDevice>& gpus, const EngineInfo& engine,
                                    const std::set<std::string>& cdi_devices) {
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
    for (const auto& uuid : uuids) access.cdi_names.push_back(std::string(kKind) + "=" + uuid);
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
