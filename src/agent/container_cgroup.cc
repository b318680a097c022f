#include "agent/container_cgroup.h"

#include <cerrno>

#include <unistd.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::size_t kControllersMax = 100;

std::int64_t read_number(const std::string& path) {
  const auto text = rt::read_file(path, 4096);
  return text ? parse_int(trim(*text)).value_or(0) : 0;
}

bool counted_a_kill(const std::string& path) {
  const auto text = rt::read_file(path, 64u << 10);
  if (!text) return false;
  for (const auto line : split(*text, '\n'))
    if (line.starts_with("oom_kill ") && parse_int(trim(line.substr(9))).value_or(0) > 0) return true;
  return false;
}

}  // namespace

bool cgroup_saw_memory_kill(const std::string& parent, std::int64_t memory_mib, const std::string& root) {
  if (parent.empty() || memory_mib <= 0) return false;
  if (counted_a_kill(root + parent + "/memory.events")) return true;
  // A page or two below the limit is where the kernel gives up.
  return read_number(root + "/memory" + parent + "/memory.max_usage_in_bytes") >= (memory_mib - 1) * kMiB;
}

bool remove_cgroup(const std::string& parent, const std::string& root) {
  if (parent.empty()) return true;
  bool gone = true;
  const auto remove = [&](const std::string& hierarchy) {
    // Podman's own supervisor has a group in there.
    ::rmdir((hierarchy + parent + "/conmon").c_str());
    if (::rmdir((hierarchy + parent).c_str()) != 0 && errno == EBUSY) gone = false;
  };
  remove(root);
  const auto hierarchies = rt::list_directory(root, kControllersMax);
  if (!hierarchies) return gone;
  for (const auto& one : *hierarchies) remove(root + "/" + one);
  return gone;
}

}  // namespace stoker::agent
