#pragma once
// containerOverrides, of a job or of a range of nodes: what they may say, and merged in (aws-batch.md 3.2).
#include <map>
#include <string>

#include "base/result.h"
#include "core/model/definition.h"
#include "core/resources/container_rules.h"

namespace stoker::core {

// `properties`: the containerProperties that they are for.
Result<void> check_container_overrides(const json::Value& properties, const json::Value& container,
                                       const std::string& place, ContainerPlace where);

// Merged into `base`, and Ref:: placeholders replaced. InvalidArgument only for a Ref:: without a parameter.
Result<ContainerSpec> merge_container(const ContainerSpec& base, const json::Value& container,
                                      const std::map<std::string, std::string>& parameters);

}  // namespace stoker::core
