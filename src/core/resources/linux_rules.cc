#include <algorithm>
#include <array>
#include <set>

#include "core/resources/container_rules.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::array<std::string_view, 39> kMountOptions = {
    "defaults",   "ro",          "rw",         "suid",        "nosuid",        "dev",     "nodev",
    "exec",       "noexec",      "sync",       "async",       "dirsync",       "remount", "mand",
    "nomand",     "atime",       "noatime",    "diratime",    "nodiratime",    "bind",    "rbind",
    "unbindable", "runbindable", "private",    "rprivate",    "shared",        "rshared", "slave",
    "rslave",     "relatime",    "norelatime", "strictatime", "nostrictatime", "mode",    "uid",
    "gid",        "nr_inodes",   "nr_blocks",  "mpol"};

Result<void> check_tmpfs(const json::Value& parameters, const std::string& place) {
  std::size_t index = 0;
  for (const auto& tmpfs : json::get_array(parameters, "tmpfs")) {
    const std::string at = item_of(member_of(place, "tmpfs"), index++);
    const auto path = json::get_string(tmpfs, "containerPath");
    if (path.empty() || path.front() != '/') return refuse(at, "containerPath must begin with /");
    if (json::find(tmpfs, "size") == nullptr) return refuse(at, "size is required");
    TRY(check_range(tmpfs, "size", at, 1, INT32_MAX));
    for (const auto& option : json::get_array(tmpfs, "mountOptions")) {
      // "mode=1777" and the like carry a value.
      const auto name = json::text(option).substr(0, json::text(option).find('='));
      if (std::find(kMountOptions.begin(), kMountOptions.end(), name) == kMountOptions.end())
        return refuse(member_of(at, "mountOptions"),
                      std::string(json::text(option)) + " is no option of tmpfs");
    }
  }
  return {};
}

Result<void> check_devices(const json::Value& parameters, const std::string& place) {
  std::size_t index = 0;
  for (const auto& device : json::get_array(parameters, "devices")) {
    const std::string at = item_of(member_of(place, "devices"), index++);
    const auto path = json::get_string(device, "hostPath");
    if (path.empty() || path.front() != '/') return refuse(at, "hostPath must begin with /");
    if (const auto inside = json::get_string(device, "containerPath");
        !inside.empty() && inside.front() != '/')
      return refuse(at, "containerPath must begin with /");
  }
  return {};
}

}  // namespace

Result<void> check_linux_parameters(const json::Value& holder, const std::string& place, Platform platform) {
  const json::Value* parameters = json::find(holder, "linuxParameters");
  if (parameters == nullptr) return {};
  const std::string at = member_of(place, "linuxParameters");
  if (platform == Platform::Fargate)
    for (const std::string_view member : {"devices", "sharedMemorySize", "tmpfs", "maxSwap", "swappiness"})
      if (is_given(*parameters, member))
        return refuse(at, std::string(member) + " not applicable for FARGATE.");
  TRY(check_range(*parameters, "sharedMemorySize", at, 1, INT32_MAX));
  TRY(check_range(*parameters, "maxSwap", at, 0, INT32_MAX));
  TRY(check_range(*parameters, "swappiness", at, 0, 100));
  TRY(check_devices(*parameters, at));
  return check_tmpfs(*parameters, at);
}

Result<void> check_ulimits(const json::Value& holder, const std::string& place) {
  std::set<std::string_view> names;
  std::size_t index = 0;
  for (const auto& limit : json::get_array(holder, "ulimits")) {
    const std::string at = item_of(member_of(place, "ulimits"), index++);
    TRY(check_one_of(limit, "name", at,
                     {"core", "cpu", "data", "fsize", "locks", "memlock", "msgqueue", "nice", "nofile",
                      "nproc", "rss", "rtprio", "rttime", "sigpending", "stack"}));
    if (!names.insert(json::get_string(limit, "name")).second) return refuse(at, "this limit is given twice");
    const auto soft = json::get_int(limit, "softLimit");
    const auto hard = json::get_int(limit, "hardLimit");
    if (soft < -1 || hard < -1) return refuse(at, "limits must be 0 or more, or -1 for no limit");
    if (hard != -1 && (soft == -1 || soft > hard)) return refuse(at, "softLimit must not be above hardLimit");
  }
  return {};
}

}  // namespace stoker::core
