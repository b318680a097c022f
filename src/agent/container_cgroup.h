#pragma once
// The control group that a container was put under (container_plan.h's cgroup_parent), read where the engine
// does not tell about memory kills. `parent` is relative to each hierarchy; "" reads and removes nothing.
#include <cstdint>
#include <string>

namespace stoker::agent {

// Second generation: the kernel counted a kill. First generation, which does not count them for a parent: the
// peak reached the limit.
bool cgroup_saw_memory_kill(const std::string& parent, std::int64_t memory_mib,
                            const std::string& root = "/sys/fs/cgroup");
// Engines leave the groups behind, empty once their supervisor has gone too. False when one is still in use.
bool remove_cgroup(const std::string& parent, const std::string& root = "/sys/fs/cgroup");

}  // namespace stoker::agent
