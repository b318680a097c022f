#include "agent/container_plan.h"

#include <algorithm>
#include <array>

#include <sys/resource.h>

#include "agent/gpu_devices.h"
#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kMemoryBytesMin = 6 * kMiB;  // engines refuse less
constexpr std::int64_t kSharesMin = 2;              // the kernel's least
constexpr std::int64_t kSharesMax = 262'144;        // and its most
constexpr std::int64_t kGpuShmBytesMin = 1024 * kMiB;
constexpr std::int64_t kGpuStackBytes = 64 * kMiB;
constexpr int kCapSysResource = 24;  // linux/capability.h

struct ResourceName {
  std::string_view name;
  __rlimit_resource resource;
};
constexpr std::array<ResourceName, 15> kResources = {{{"core", RLIMIT_CORE},
                                                      {"cpu", RLIMIT_CPU},
                                                      {"data", RLIMIT_DATA},
                                                      {"fsize", RLIMIT_FSIZE},
                                                      {"locks", RLIMIT_LOCKS},
                                                      {"memlock", RLIMIT_MEMLOCK},
                                                      {"msgqueue", RLIMIT_MSGQUEUE},
                                                      {"nice", RLIMIT_NICE},
                                                      {"nofile", RLIMIT_NOFILE},
                                                      {"nproc", RLIMIT_NPROC},
                                                      {"rss", RLIMIT_RSS},
                                                      {"rtprio", RLIMIT_RTPRIO},
                                                      {"rttime", RLIMIT_RTTIME},
                                                      {"sigpending", RLIMIT_SIGPENDING},
                                                      {"stack", RLIMIT_STACK}}};

bool may_raise_limits() {
  const auto status = rt::read_file("/proc/self/status", 64u << 10);
  if (!status) return false;
  for (const auto line : split(*status, '\n')) {
    if (!line.starts_with("CapEff:")) continue;
    std::uint64_t capabilities = 0;
    for (const char c : trim(line.substr(7)))
      capabilities = capabilities * 16 + static_cast<std::uint64_t>(std::max(0, hex_digit(c)));
    return ((capabilities >> kCapSysResource) & 1) != 0;
  }
  return false;
}

// -1 is no limit, on both sides.
std::int64_t at_most(std::int64_t wanted, std::int64_t most) {
  if (most < 0) return wanted;
  return wanted < 0 ? most : std::min(wanted, most);
}

// Podman's service lowers its own limit of processes to this, and cannot go back.
std::int64_t pid_max() {
  const auto text = rt::read_file("/proc/sys/kernel/pid_max", 4096);
  return text ? parse_int(trim(*text)).value_or(-1) : -1;
}

std::string volume_name(std::string_view token, std::string_view volume) {
  return container_name(token) + "-" + std::string(volume);
}

std::string_view host_path(const json::Value& volume) {
  const auto* host = json::find(volume, "host");
  return host == nullptr ? std::string_view{} : json::get_string(*host, "sourcePath");
}

Result<void> add_mounts(const RunSpec& spec, ContainerPlan& plan) {
  const auto& volumes = json::get_array(spec.run.properties(), "volumes");
  for (const auto& point : json::get_array(spec.run.properties(), "mountPoints")) {
    const auto name = json::get_string(point, "sourceVolume");
    const auto found = std::find_if(volumes.begin(), volumes.end(), [&](const auto& volume) {
      return json::get_string(volume, "name") == name;
    });
    if (found == volumes.end())
      return fail(Code::InvalidArgument, "mount point of a volume that is not there: " + std::string(name));
    for (const char* member : {"efsVolumeConfiguration", "s3filesVolumeConfiguration"})
      if (json::find(*found, member) != nullptr)
        return fail(Code::NotSupported, "volume " + std::string(name) + ": this node has no " + member);
    const auto path = host_path(*found);
    plan.mounts.push_back({.bind = !path.empty(),
                           .source = path.empty() ? volume_name(spec.run.token, name) : std::string(path),
                           .target = std::string(json::get_string(point, "containerPath")),
                           .read_only = json::get_bool(point, "readOnly")});
  }
  return {};
}

void add_devices(const json::Value& linux_parameters, ContainerPlan& plan) {
  for (const auto& device : json::get_array(linux_parameters, "devices")) {
    std::string permissions;
    for (const auto& permission : json::get_array(device, "permissions")) {
      if (json::text(permission) == "READ") permissions += 'r';
      if (json::text(permission) == "WRITE") permissions += 'w';
      if (json::text(permission) == "MKNOD") permissions += 'm';
    }
    const auto host = json::get_string(device, "hostPath");
    plan.devices.push_back({.host = std::string(host),
                            .container = std::string(json::get_string(device, "containerPath", host)),
                            .permissions = permissions.empty() ? "rwm" : permissions});
  }
}

void add_linux_parameters(const RunSpec& spec, const EngineInfo& engine, ContainerPlan& plan) {
  const json::Value none;
  const auto* found = json::find(spec.run.properties(), "linuxParameters");
  const auto& parameters = found == nullptr ? none : *found;
  add_devices(parameters, plan);
  plan.init = json::get_bool(parameters, "initProcessEnabled");
  plan.shm_bytes = json::get_int(parameters, "sharedMemorySize") * kMiB;
  // Loaders of training data share memory; the 64 MiB of the engines end them with a bus error.
  if (plan.shm_bytes == 0 && !spec.gpus.empty())
    plan.shm_bytes = std::max(kGpuShmBytesMin, plan.memory_bytes / 2);
  for (const auto& mount : json::get_array(parameters, "tmpfs")) {
    std::string options = "size=" + std::to_string(json::get_int(mount, "size")) + "m";
    for (const auto& option : json::get_array(mount, "mountOptions"))
      options += "," + std::string(json::text(option));
    plan.tmpfs.emplace_back(std::string(json::get_string(mount, "containerPath")), options);
  }
  if (plan.memory_bytes == 0) return;
  const bool limited = json::find(parameters, "maxSwap") != nullptr;
  plan.swap_bytes =
      plan.memory_bytes + (limited ? json::get_int(parameters, "maxSwap") * kMiB : plan.memory_bytes);
  // The second cgroup generation has no such setting, and an engine there may refuse it.
  if (limited && engine.cgroup_version == 1 && json::find(parameters, "swappiness") != nullptr)
    plan.swappiness = json::get_int(parameters, "swappiness");
}

void set_default(std::vector<Ulimit>& ulimits, const Ulimit& otherwise) {
  for (const auto& one : ulimits)
    if (one.name == otherwise.name) return;
  ulimits.push_back(otherwise);
}

void add_ulimits(const RunSpec& spec, const NodeFacts& facts, ContainerPlan& plan) {
  for (const auto& one : json::get_array(spec.run.properties(), "ulimits"))
    plan.ulimits.push_back({.name = std::string(json::get_string(one, "name")),
                            .soft = json::get_int(one, "softLimit"),
                            .hard = json::get_int(one, "hardLimit")});
  if (!spec.gpus.empty()) {
    // Pinned memory, and the stack that AWS's own GPU templates ask for.
    set_default(plan.ulimits, {"memlock", -1, -1});
    set_default(plan.ulimits, {"stack", kGpuStackBytes, kGpuStackBytes});
  }
  // Docker's daemon has rights of its own. A Podman that was started like us has ours, and asks for more open
  // files and processes than it may have unless both are given.
  if (facts.rlimits_max.empty() || !facts.engine.podman) return;
  set_default(plan.ulimits, {"nofile", 1'048'576, 1'048'576});
  set_default(plan.ulimits, {"nproc", 1'048'576, 1'048'576});
  for (auto& one : plan.ulimits)
    for (const auto& [name, most] : facts.rlimits_max)
      if (name == one.name) {
        one.hard = at_most(one.hard, most);
        one.soft = at_most(one.soft, most);
      }
}

void add_environment(const RunSpec& spec, ContainerPlan& plan) {
  for (const auto& [name, value] : spec.run.environment) {
    if (name == "NVIDIA_VISIBLE_DEVICES") continue;  // which GPUs a job has is not for the job to say
    if (name == "CUDA_VISIBLE_DEVICES" && !plan.gpus.cuda_visible_devices.empty()) continue;
    plan.environment.emplace_back(name, value);
  }
  plan.environment.emplace_back("NVIDIA_VISIBLE_DEVICES", plan.gpus.visible_devices);
  if (!plan.gpus.cuda_visible_devices.empty())
    plan.environment.emplace_back("CUDA_VISIBLE_DEVICES", plan.gpus.cuda_visible_devices);
  for (auto& variable : share_environment(spec)) plan.environment.push_back(std::move(variable));
  const bool capabilities =
      std::any_of(plan.environment.begin(), plan.environment.end(),
                  [](const auto& one) { return one.first == "NVIDIA_DRIVER_CAPABILITIES"; });
  if (plan.gpus.nvidia_runtime && !capabilities)
    plan.environment.emplace_back("NVIDIA_DRIVER_CAPABILITIES", "compute,utility");
}

template <class Strings>
json::Array array_of(const Strings& strings) {
  json::Array out;
  for (const auto& one : strings) out.emplace_back(one);
  return out;
}

json::Object object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json::Object out;
  for (const auto& [key, value] : pairs) out[key] = value;
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> own_rlimits_max() {
  std::vector<std::pair<std::string, std::int64_t>> out;
  if (may_raise_limits()) return out;
  for (const auto& [name, resource] : kResources) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) continue;
    const bool unlimited = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > INT64_MAX;
    auto most = unlimited ? -1 : static_cast<std::int64_t>(limit.rlim_max);
    if (resource == RLIMIT_NPROC) most = at_most(pid_max(), most);
    out.emplace_back(std::string(name), most);
  }
  return out;
}

std::string container_name(std::string_view token) {
  return "stoker-" + std::string(token);
}

std::vector<std::string> own_volumes(const RunSpec& spec) {
  std::vector<std::string> out;
  for (const auto& volume : json::get_array(spec.run.properties(), "volumes"))
    if (host_path(volume).empty())
      out.push_back(volume_name(spec.run.token, json::get_string(volume, "name")));
  return out;
}

// Podman reports no memory kill where it does not see the kernel's event; in a cgroup of ours we see it
// ourselves.
std::string cgroup_parent(const EngineInfo& engine, std::string_view token) {
  if (!engine.podman || !engine.cgroupfs || engine.rootless) return {};
  return "/stoker/" + std::string(token);
}

Result<ContainerPlan> plan_container(const RunSpec& spec, const NodeFacts& facts) {
  const auto& run = spec.run;
  ContainerPlan plan;
  plan.name = container_name(run.token);
  plan.image = run.image;
  plan.command = run.command;
  plan.labels = {{"stoker.token", run.token},
                 {"stoker.job", run.job_id},
                 {"stoker.attempt", std::to_string(run.attempt)},
                 {"stoker.node", facts.node},
                 {"stoker.state", facts.state_dir}};
  plan.user = json::get_string(run.properties(), "user");
  plan.privileged = json::get_bool(run.properties(), "privileged");
  plan.read_only_root = json::get_bool(run.properties(), "readonlyRootFilesystem");
  if (run.memory_mib > 0) plan.memory_bytes = std::max(run.memory_mib * kMiB, kMemoryBytesMin);
  if (run.cpus_milli > 0) plan.cpu_shares = std::clamp(run.cpus_milli * 1024 / 1000, kSharesMin, kSharesMax);
  plan.cgroup_parent = cgroup_parent(facts.engine, run.token);
  plan.log_bytes_max =
      static_cast<std::int64_t>(std::min<std::uint64_t>(run.log_bytes_max, INT64_MAX / 4)) * 2;
  plan.gpus = TRY(choose_gpu_access(spec.gpus, facts.engine, facts.cdi_devices));
  TRY(add_mounts(spec, plan));
  add_linux_parameters(spec, facts.engine, plan);
  add_ulimits(spec, facts, plan);
  add_environment(spec, plan);
  return plan;
}

// Podman's Docker dialect drops CDI names without a word.
Engine::Dialect dialect_of(const ContainerPlan& plan, const EngineInfo& engine) {
  return engine.podman && !plan.gpus.cdi_names.empty() ? Engine::Dialect::Libpod : Engine::Dialect::Docker;
}

json::Value to_docker(const ContainerPlan& plan) {
  json::Object host;
  json::Array binds, mounts, devices, ulimits;
  for (const auto& mount : plan.mounts) {
    // A bind is one text with colons; a path that has one goes the longer way.
    if (mount.source.find(':') == std::string::npos && mount.target.find(':') == std::string::npos) {
      binds.emplace_back(mount.source + ":" + mount.target + (mount.read_only ? ":ro" : ""));
    } else {
      mounts.emplace_back(json::Object{{"Type", mount.bind ? "bind" : "volume"},
                                       {"Source", mount.source},
                                       {"Target", mount.target},
                                       {"ReadOnly", mount.read_only}});
    }
  }
  for (const auto& device : plan.devices)
    devices.emplace_back(json::Object{{"PathOnHost", device.host},
                                      {"PathInContainer", device.container},
                                      {"CgroupPermissions", device.permissions}});
  for (const auto& one : plan.ulimits)
    ulimits.emplace_back(json::Object{{"Name", one.name}, {"Soft", one.soft}, {"Hard", one.hard}});
  if (!binds.empty()) host["Binds"] = std::move(binds);
  if (!mounts.empty()) host["Mounts"] = std::move(mounts);
  if (!devices.empty()) host["Devices"] = std::move(devices);
  if (!ulimits.empty()) host["Ulimits"] = std::move(ulimits);
  if (!plan.tmpfs.empty()) host["Tmpfs"] = object_of(plan.tmpfs);
  if (plan.memory_bytes > 0) host["Memory"] = plan.memory_bytes;
  if (plan.memory_bytes > 0) host["MemorySwap"] = plan.swap_bytes;
  if (plan.swappiness) host["MemorySwappiness"] = *plan.swappiness;
  if (plan.cpu_shares > 0) host["CpuShares"] = plan.cpu_shares;
  if (plan.shm_bytes > 0) host["ShmSize"] = plan.shm_bytes;
  if (plan.privileged) host["Privileged"] = true;
  if (plan.read_only_root) host["ReadonlyRootfs"] = true;
  if (plan.init) host["Init"] = true;
  if (!plan.cgroup_parent.empty()) host["CgroupParent"] = plan.cgroup_parent;
  if (plan.gpus.nvidia_runtime) host["Runtime"] = "nvidia";
  if (!plan.gpus.cdi_names.empty())
    host["DeviceRequests"] =
        json::Array{json::Object{{"Driver", "cdi"}, {"DeviceIDs", array_of(plan.gpus.cdi_names)}}};
  // We read the log and keep it bounded; the engine's copy must be readable and bounded too.
  host["LogConfig"] = json::Object{
      {"Type", "json-file"}, {"Config", json::Object{{"max-size", std::to_string(plan.log_bytes_max)}}}};

  json::Object body;
  body["Image"] = plan.image;
  if (!plan.command.empty()) body["Cmd"] = array_of(plan.command);
  json::Array environment;
  for (const auto& [name, value] : plan.environment) environment.emplace_back(name + "=" + value);
  body["Env"] = std::move(environment);
  body["Labels"] = object_of(plan.labels);
  if (!plan.user.empty()) body["User"] = plan.user;
  body["HostConfig"] = std::move(host);
  return body;
}

json::Value to_libpod(const ContainerPlan& plan) {
  json::Array mounts, volumes, devices, ulimits;
  for (const auto& mount : plan.mounts) {
    json::Array options;
    if (mount.bind) options.emplace_back("rbind");
    if (mount.read_only) options.emplace_back("ro");
    if (mount.bind) {
      mounts.emplace_back(json::Object{{"type", "bind"},
                                       {"source", mount.source},
                                       {"destination", mount.target},
                                       {"options", std::move(options)}});
    } else {
      volumes.emplace_back(
          json::Object{{"Name", mount.source}, {"Dest", mount.target}, {"Options", std::move(options)}});
    }
  }
  for (const auto& [path, options] : plan.tmpfs)
    mounts.emplace_back(json::Object{{"type", "tmpfs"},
                                     {"source", "tmpfs"},
                                     {"destination", path},
                                     {"options", array_of(split(options, ','))}});
  for (const auto& device : plan.devices)
    devices.emplace_back(
        json::Object{{"path", device.host + ":" + device.container + ":" + device.permissions}});
  for (const auto& name : plan.gpus.cdi_names) devices.emplace_back(json::Object{{"path", name}});
  for (const auto& one : plan.ulimits) {
    std::string type = one.name;
    for (char& c : type) c = static_cast<char>(c - (c >= 'a' && c <= 'z' ? 'a' - 'A' : 0));
    ulimits.emplace_back(json::Object{{"type", type},
                                      {"soft", static_cast<std::uint64_t>(one.soft)},
                                      {"hard", static_cast<std::uint64_t>(one.hard)}});
  }
  json::Object limits, body;
  if (plan.memory_bytes > 0)
    limits["memory"] = json::Object{{"limit", plan.memory_bytes}, {"swap", plan.swap_bytes}};
  if (plan.swappiness) limits["memory"].as_object()["swappiness"] = *plan.swappiness;
  if (plan.cpu_shares > 0) limits["cpu"] = json::Object{{"shares", plan.cpu_shares}};

  body["name"] = plan.name;
  body["image"] = plan.image;
  if (!plan.command.empty()) body["command"] = array_of(plan.command);
  body["env"] = object_of(plan.environment);
  body["labels"] = object_of(plan.labels);
  if (!plan.user.empty()) body["user"] = plan.user;
  if (plan.privileged) body["privileged"] = true;
  if (plan.read_only_root) body["read_only_filesystem"] = true;
  if (plan.init) body["init"] = true;
  if (!mounts.empty()) body["mounts"] = std::move(mounts);
  if (!volumes.empty()) body["volumes"] = std::move(volumes);
  if (!devices.empty()) body["devices"] = std::move(devices);
  if (!ulimits.empty()) body["r_limits"] = std::move(ulimits);
  if (plan.shm_bytes > 0) body["shm_size"] = plan.shm_bytes;
  if (!limits.empty()) body["resource_limits"] = std::move(limits);
  if (!plan.cgroup_parent.empty()) body["cgroup_parent"] = plan.cgroup_parent;
  body["log_configuration"] = json::Object{{"driver", "k8s-file"}, {"size", plan.log_bytes_max}};
  return body;
}

}  // namespace stoker::agent
