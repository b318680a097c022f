#pragma once
// What a placed run takes of its share, in units that depend on its place.
#include <string>
#include <vector>

#include "core/model/node.h"
#include "core/model/quota.h"

namespace stoker::core {

// `devices` as Attempt::gpus names them. The part of a machine is the largest of its parts of vCPUs, memory
// and GPUs, rounded up.
QuotaUse quota_use(const Node& node, const Resources& resources, const std::vector<std::string>& devices);

}  // namespace stoker::core
