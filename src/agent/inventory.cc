#include "agent/inventory.h"

#include <algorithm>
#include <array>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sched.h>

#include "agent/gpu_devices.h"
#include "agent/nvml.h"
#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kPretendedMax = 1024;
constexpr std::int64_t kUnknownModelMib = 16'384;

struct Model {
  std::string_view name;
  std::int64_t memory_mib;
};
// As their makers name the sizes; the longer name first where one begins with another.
constexpr Model kModels[] = {
    {"A100-80GB", 81'920}, {"A100-40GB", 40'960}, {"A100", 40'960},  {"A10G", 24'576},
    {"A10", 24'576},       {"A30", 24'576},       {"A40", 49'152},   {"A16", 16'384},
    {"A2", 16'384},        {"B200", 183'296},     {"B300", 276'480}, {"GB200", 189'440},
    {"H100", 81'920},      {"H200", 144'384},     {"H800", 81'920},  {"K80", 12'288},
    {"L4", 24'576},        {"L40S", 49'152},      {"L40", 49'152},   {"M60", 8'192},
    {"P100", 16'384},      {"P4", 8'192},         {"P40", 24'576},   {"T4G", 16'384},
    {"T4", 16'384},        {"V100-32GB", 32'768}, {"V100", 16'384},  {"RTX 3090", 24'576},
    {"RTX 4090", 24'576},  {"RTX 5090", 32'768},
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// The model of the table that the name means, the longest where several are in it; null: unknown.
const Model* find_model(std::string_view name) {
  const std::string wanted = to_lower(name);
  const Model* best = nullptr;
  for (const Model& known : kModels) {
    const std::size_t at = wanted.find(to_lower(known.name));
    if (at == std::string::npos) continue;
    // "H200" must not be found in "GH200X": a name begins at a word.
    if (at > 0 && is_word(wanted[at - 1])) continue;
    if (best == nullptr || known.name.size() > best->name.size()) best = &known;
  }
  return best;
}

// The size that a driver puts into the name, as in "A100-SXM4-80GB" and "H100 80GB HBM3".
std::optional<std::int64_t> memory_in_name(std::string_view name) {
  const std::string text = to_lower(name);
  const std::size_t unit = text.find("gb");
  if (unit == std::string::npos || (unit + 2 < text.size() && is_word(text[unit + 2]))) return std::nullopt;
  std::size_t begin = unit;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
  if (begin == unit || unit - begin > 4 || begin == 0 || is_word(text[begin - 1])) return std::nullopt;
  return parse_int(text.substr(begin, unit - begin)).value_or(0) * 1024;
}

std::unexpected<Error> not_gpus() {
  return fail(Code::InvalidArgument,
              "expected auto, auto/mig, none or COUNTxMODEL, as in 4xA10G or 2xA10G,1xT4");
}
std::unexpected<Error> too_many() {
  return fail(Code::InvalidArgument, "at most " + std::to_string(kPretendedMax) + " can be pretended");
}

// One part of the setting: "4xA10G" or "A10G". A model that is not in the table needs its count: a word alone
// that is not known is a slip, "nonne" no GPU.
Result<std::pair<std::size_t, std::string>> parse_part(std::string_view part) {
  part = trim(part);
  std::size_t count = 1;
  bool counted = false;
  const std::size_t x = part.find('x');
  if (x != std::string_view::npos && x > 0)
    if (const auto number = parse_int(part.substr(0, x))) {
      if (*number < 0) return not_gpus();
      if (*number > static_cast<std::int64_t>(kPretendedMax)) return too_many();
      count = static_cast<std::size_t>(*number);
      part.remove_prefix(x + 1);
      counted = true;
    }
  if (part.empty() || std::isalpha(static_cast<unsigned char>(part[0])) == 0 ||
      part.find_first_of("\t\n\"") != std::string_view::npos)
    return not_gpus();
  if (!counted && find_model(part.substr(0, part.find('/'))) == nullptr) return not_gpus();
  return std::pair{count, std::string(part)};
}

std::int64_t number_in(const std::string& path, std::int64_t otherwise) {
  const auto text = rt::read_file(path, 4096);
  if (!text) return otherwise;
  return parse_int(trim(*text)).value_or(otherwise);
}

std::int64_t meminfo_mib() {
  const auto text = rt::read_file("/proc/meminfo", 1 << 20);
  if (!text) return 0;
  for (const std::string_view line : split(*text, '\n')) {
    if (!line.starts_with("MemTotal:")) continue;
    std::string_view rest = trim(line.substr(9));
    return parse_int(rest.substr(0, rest.find(' '))).value_or(0) / 1024;
  }
  return 0;
}

// The directory of this process's group in a hierarchy mounted at its usual place; "" when there is none.
std::string own_group(std::string_view controller, const std::string& mount) {
  const auto text = rt::read_file("/proc/self/cgroup", 1 << 20);
  if (!text) return {};
  for (const std::string_view line : split(*text, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const bool here = controller.empty() ? parts[0] == "0" : parts[1] == controller;
    if (!here) continue;
    std::string directory = mount + std::string(line.substr(parts[0].size() + parts[1].size() + 2));
    return rt::file_exists(directory) ? directory : mount;
  }
  return {};
}

}  // namespace

std::int64_t gpu_memory_mib(std::string_view model) {
  if (const auto told = memory_in_name(model)) return *told;
  const Model* known = find_model(model);
  return known == nullptr ? kUnknownModelMib : known->memory_mib;
}

Result<std::vector<GpuDevice>> pretend_gpus(std::string_view setting) {
  std::vector<GpuDevice> devices;
  for (const std::string_view part : split(setting, ',')) {
    const auto [count, model] = TRY(parse_part(part));
    for (std::size_t i = 0; i < count; ++i) {
      if (devices.size() >= kPretendedMax) return too_many();
      GpuDevice device;
      device.gpu.uuid = "GPU-pretended-" + std::to_string(devices.size());
      device.gpu.model = model.substr(0, model.find('/'));
      device.gpu.memory_mib = gpu_memory_mib(device.gpu.model);
      const std::string more = model.contains('/') ? model.substr(model.find('/') + 1) : "";
      if (more == "bad")
        device.gpu.health = wire::GpuHealth::Bad;
      else if (model.contains('/') && !pretend_mig(device.gpu, more))
        return fail(Code::InvalidArgument,
                    "after a '/' comes mig, bad, or MIG profiles as in A100-80GB/3g.40gb+2g.20gb");
      devices.push_back(std::move(device));
    }
  }
  return devices;
}

bool is_pretended(std::string_view setting) {
  return setting != "auto" && setting != kAutoMig && setting != "none" && !setting.empty();
}

Result<Gpus> find_gpus(std::string_view setting, const std::string& nvml_library) {
  Gpus gpus;
  if (setting == "none") return gpus;
  if (!is_pretended(setting)) {
    auto answer = ask_nvml(seconds(30), nvml_library);
    if (answer) {
      gpus.devices = std::move(answer->gpus);
      gpus.warnings = std::move(answer->warnings);
    } else if (answer.error().code != Code::NotFound) {
      gpus.warnings.push_back("no GPU is used: " + answer.error().message);
    }
    return gpus;
  }
  gpus.pretended = true;
  gpus.devices = TRY(pretend_gpus(setting));
  return gpus;
}

std::int64_t available_cpus_milli() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::int64_t cpus = 1000;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) cpus = std::max(1, CPU_COUNT(&set)) * std::int64_t{1000};
  if (const std::string group = own_group("", "/sys/fs/cgroup"); !group.empty()) {
    const auto text = rt::read_file(group + "/cpu.max", 4096);
    const auto parts = text ? split(trim(*text), ' ') : std::vector<std::string_view>{};
    if (parts.size() == 2) {
      const auto quota = parse_int(parts[0]);
      const auto period = parse_int(parts[1]);
      if (quota && period && *period > 0) cpus = std::min(cpus, *quota * 1000 / *period);
    }
  }
  if (const std::string group = own_group("cpu", "/sys/fs/cgroup/cpu"); !group.empty()) {
    const std::int64_t quota = number_in(group + "/cpu.cfs_quota_us", -1);
    const std::int64_t period = number_in(group + "/cpu.cfs_period_us", 0);
    if (quota > 0 && period > 0) cpus = std::min(cpus, quota * 1000 / period);
  }
  return std::max<std::int64_t>(cpus, 1);
}

std::int64_t available_memory_mib() {
  std::int64_t memory = meminfo_mib();
  const auto bound_by = [&](std::int64_t bytes) {
    if (bytes > 0) memory = std::min(memory, bytes >> 20);
  };
  if (const std::string group = own_group("", "/sys/fs/cgroup"); !group.empty())
    bound_by(number_in(group + "/memory.max", 0));
  if (const std::string group = own_group("memory", "/sys/fs/cgroup/memory"); !group.empty())
    bound_by(number_in(group + "/memory.limit_in_bytes", 0));
  return std::max<std::int64_t>(memory - kReservedMemoryMib, 0);
}

std::string own_address(std::string_view server) {
  if (server.starts_with("unix:")) return "127.0.0.1";
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  std::string found;
  for (const ifaddrs* one = all; one != nullptr && found.empty(); one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    if ((one->ifa_flags & IFF_UP) == 0 || (one->ifa_flags & IFF_LOOPBACK) != 0) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr) found = text.data();
  }
  ::freeifaddrs(all);
  return found;
}

std::string machine_boot_id() {
  return std::string(trim(rt::read_file("/proc/sys/kernel/random/boot_id", 4096).value_or("unknown")));
}

std::string boot_instance() {
  const std::string boot = machine_boot_id();
  // Field 22 of the first process's stat: when it started. The program's name, in parentheses, is behind
  // field 1.
  const std::string stat = rt::read_file("/proc/1/stat", 4096).value_or("");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return boot;
  const auto fields = split(std::string_view(stat).substr(name_end + 2), ' ');
  return fields.size() > 19 ? boot + ':' + std::string(fields[19]) : boot;
}

}  // namespace stoker::agent
