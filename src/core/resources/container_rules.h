#pragma once
// Rules of one container's members that the service model does not state (aws-batch.md 2.2 and 2.4).
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/resources/requirements.h"
#include "json/json.h"

namespace stoker::core {

// Names of the volumes that mount points may use.
using VolumeNames = std::set<std::string, std::less<>>;

// Where a container stands.
struct ContainerPlace {
  Platform platform = Platform::Ec2;
  bool of_nodes = false;  // in a node range: image, VCPU and MEMORY may come from another range
};

// A whole containerProperties.
Result<void> check_container_properties(const json::Value& container, const std::string& place,
                                        ContainerPlace where);
// The members that containerProperties and the containers of ecsProperties share; not the amounts.
Result<void> check_container(const json::Value& container, const std::string& place, Platform platform,
                             const VolumeNames& volumes);
Result<VolumeNames> check_volumes(const json::Value& holder, const std::string& place, Platform platform);
Result<void> check_image(std::string_view image, std::string_view place);
// Names are given, hold neither '=' nor NUL, and do not begin with AWS_BATCH. `member`: environment, env or
// secrets.
Result<void> check_environment(const json::Value& holder, std::string_view member, std::string_view place);
// linuxParameters and ulimits (linux_rules.cc).
Result<void> check_linux_parameters(const json::Value& holder, const std::string& place, Platform platform);
Result<void> check_ulimits(const json::Value& holder, const std::string& place);
// ephemeralStorage, networkConfiguration, runtimePlatform and the like: for Fargate only.
Result<void> check_fargate_members(const json::Value& holder, const std::string& place, Platform platform);

}  // namespace stoker::core
