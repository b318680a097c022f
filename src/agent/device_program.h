#pragma once
// Version 2 of control groups has no file for devices: a small BPF program decides.
#include <vector>

#include "agent/cgroups.h"
#include "base/result.h"
#include "rt/fd.h"

namespace stoker::agent {

// Attaches a program to the group's directory that forbids these devices and allows everything else. It works
// as long as it is attached; `replaced` (may hold nothing) is detached afterwards.
Result<rt::UniqueFd> attach_device_program(const std::string& cgroup, const std::vector<DeviceNumber>& denied,
                                           const rt::UniqueFd& replaced);

}  // namespace stoker::agent
