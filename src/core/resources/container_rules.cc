#include "core/resources/container_rules.h"

#include "core/resources/rules.h"

namespace stoker::core {
namespace {

Result<void> check_secrets(const json::Value& holder, std::string_view member, const std::string& place) {
  TRY(check_environment(holder, member, place));
  std::size_t index = 0;
  for (const auto& secret : json::get_array(holder, member))
    if (const auto at = item_of(member_of(place, member), index++); !is_given(secret, "valueFrom"))
      return refuse(at, "valueFrom is required");
  return {};
}

// One name, one value: a secret cannot take the name of another secret or variable.
Result<void> check_secret_names(const json::Value& container, const std::string& place) {
  std::set<std::string_view> names;
  for (const auto& variable : json::get_array(container, "environment"))
    names.insert(json::get_string(variable, "name"));
  for (const auto& secret : json::get_array(container, "secrets")) {
    const auto name = json::get_string(secret, "name");
    if (!names.insert(name).second)
      return refuse(member_of(place, "secrets"),
                    "the name " + std::string(name) + " is used by another secret or environment variable");
  }
  return {};
}

Result<void> check_mount_points(const json::Value& container, const std::string& place,
                                const VolumeNames& volumes) {
  std::set<std::string_view> paths;
  std::size_t index = 0;
  for (const auto& mount : json::get_array(container, "mountPoints")) {
    const std::string at = item_of(member_of(place, "mountPoints"), index++);
    const auto volume = json::get_string(mount, "sourceVolume");
    if (!volumes.contains(volume))
      return refuse(at, "sourceVolume " + std::string(volume) + " is not the name of a volume");
    const auto path = json::get_string(mount, "containerPath");
    if (path.empty()) return refuse(at, "containerPath is required");
    if (!paths.insert(path).second)
      return refuse(at, "containerPath " + std::string(path) + " is used twice");
  }
  return {};
}

Result<void> check_log(const json::Value& container, const std::string& place, Platform platform) {
  const json::Value* log = json::find(container, "logConfiguration");
  if (log == nullptr) return {};
  const std::string at = member_of(place, "logConfiguration");
  const auto driver = json::get_string(*log, "logDriver");
  if (driver.empty()) return refuse(at, "logDriver is required");
  if (platform == Platform::Fargate)
    TRY(check_one_of(*log, "logDriver", at, {"awslogs", "splunk", "awsfirelens"}));
  return check_secrets(*log, "secretOptions", at);
}

// "user", "user:group" and the like.
Result<void> check_user(const json::Value& container, const std::string& place) {
  const auto user = json::get_string(container, "user");
  if (user.empty()) return {};
  const auto colon = user.find(':');
  const bool two_colons =
      colon != std::string_view::npos && user.find(':', colon + 1) != std::string_view::npos;
  if (colon == 0 || colon == user.size() - 1 || two_colons ||
      user.find_first_of(" \t\r\n") != std::string_view::npos)
    return refuse(member_of(place, "user"), "must be a user, or a user and a group with ':' between them");
  return {};
}

Result<void> check_efs(const json::Value& efs, const std::string& place) {
  const json::Value* authorization = json::find(efs, "authorizationConfig");
  const bool access_point = authorization != nullptr && is_given(*authorization, "accessPointId");
  const bool iam = authorization != nullptr && json::get_string(*authorization, "iam") == "ENABLED";
  if ((access_point || iam) && json::get_string(efs, "transitEncryption") != "ENABLED")
    return refuse(member_of(place, "transitEncryption"),
                  "must be ENABLED when IAM authorization or an access point is used");
  const auto root = json::get_string(efs, "rootDirectory");
  constexpr std::size_t kRootDirectoryMax = 4096;
  if (root.size() > kRootDirectoryMax)
    return refuse(member_of(place, "rootDirectory"), "must have at most 4096 characters");
  if (access_point && !root.empty() && root != "/")
    return refuse(member_of(place, "rootDirectory"), "must be absent or / when an access point is used");
  return check_range(efs, "transitEncryptionPort", place, 0, 65535);
}

Result<void> check_volume(const json::Value& volume, const std::string& place, Platform platform) {
  const auto name = json::get_string(volume, "name");
  constexpr std::size_t kNameMax = 255;
  if (name.empty() || name.size() > kNameMax || !all_of_set(name, "-_"))
    return refuse(member_of(place, "name"), "must have 1 to 255 letters, digits, hyphens and underscores");
  const json::Value* host = json::find(volume, "host");
  const json::Value* efs = json::find(volume, "efsVolumeConfiguration");
  const json::Value* s3 = json::find(volume, "s3filesVolumeConfiguration");
  const auto source = host == nullptr ? std::string_view{} : json::get_string(*host, "sourcePath");
  if (int{!source.empty()} + int{efs != nullptr} + int{s3 != nullptr} > 1)
    return refuse(place, "must have only one of host, efsVolumeConfiguration and s3filesVolumeConfiguration");
  if (!source.empty() && platform == Platform::Fargate)
    return refuse(place, "host.sourcePath not applicable for FARGATE.");
  if (!source.empty() && source.front() != '/')
    return refuse(member_of(place, "host.sourcePath"), "must begin with /");
  if (efs != nullptr) TRY(check_efs(*efs, member_of(place, "efsVolumeConfiguration")));
  if (s3 != nullptr)
    TRY(check_range(*s3, "transitEncryptionPort", member_of(place, "s3filesVolumeConfiguration"), 0, 65535));
  return {};
}

Result<void> check_fargate_container(const json::Value& container, const std::string& place) {
  if (json::get_bool(container, "privileged")) return refuse(place, "privileged not applicable for FARGATE.");
  if (is_given(container, "ulimits")) return refuse(place, "ulimits not applicable for FARGATE.");
  return {};
}

}  // namespace

Result<void> check_image(std::string_view image, std::string_view place) {
  if (image.empty()) return refuse(place, "image is required");
  constexpr std::size_t kImageMax = 255;
  if (image.size() > kImageMax || !all_of_set(image, "-_:./#@"))
    return refuse(member_of(place, "image"), "must have up to 255 letters, digits and characters of -_:./#@");
  return {};
}

Result<void> check_environment(const json::Value& holder, std::string_view member, std::string_view place) {
  std::size_t index = 0;
  for (const auto& variable : json::get_array(holder, member)) {
    const std::size_t here = index++;
    const auto name = json::get_string(variable, "name");
    if (name.empty()) return refuse(item_of(member_of(place, member), here), "name is required");
    if (name.find('=') != std::string_view::npos)
      return refuse(item_of(member_of(place, member), here), "name must not hold '='");
    if (name.starts_with("AWS_BATCH"))
      return refuse(item_of(member_of(place, member), here),
                    "name must not begin with AWS_BATCH: these variables are set by the service");
  }
  return {};
}

Result<VolumeNames> check_volumes(const json::Value& holder, const std::string& place, Platform platform) {
  VolumeNames names;
  std::size_t index = 0;
  for (const auto& volume : json::get_array(holder, "volumes")) {
    const std::string at = item_of(member_of(place, "volumes"), index++);
    TRY(check_volume(volume, at, platform));
    const auto name = json::get_string(volume, "name");
    if (!names.emplace(name).second) return refuse(at, "the name " + std::string(name) + " is used twice");
  }
  return names;
}

Result<void> check_fargate_members(const json::Value& holder, const std::string& place, Platform platform) {
  if (platform == Platform::Ec2) {
    for (const std::string_view member : {"networkConfiguration", "fargatePlatformConfiguration",
                                          "ephemeralStorage", "runtimePlatform", "platformVersion"})
      if (is_given(holder, member))
        return fail(Code::InvalidArgument, std::string(member) + " not applicable for EC2.");
    return {};
  }
  if (const json::Value* storage = json::find(holder, "ephemeralStorage"))
    TRY(check_range(*storage, "sizeInGiB", member_of(place, "ephemeralStorage"), 21, 200));
  if (const json::Value* runtime = json::find(holder, "runtimePlatform")) {
    const std::string at = member_of(place, "runtimePlatform");
    TRY(check_one_of(*runtime, "operatingSystemFamily", at,
                     {"LINUX", "WINDOWS_SERVER_2019_CORE", "WINDOWS_SERVER_2019_FULL",
                      "WINDOWS_SERVER_2022_CORE", "WINDOWS_SERVER_2022_FULL"}));
    TRY(check_one_of(*runtime, "cpuArchitecture", at, {"X86_64", "ARM64"}));
  }
  if (!is_given(holder, "executionRoleArn"))
    return refuse(member_of(place, "executionRoleArn"), "is required on Fargate");
  return {};
}

Result<void> check_container(const json::Value& container, const std::string& place, Platform platform,
                             const VolumeNames& volumes) {
  if (platform == Platform::Fargate) TRY(check_fargate_container(container, place));
  if (is_given(container, "image")) TRY(check_image(json::get_string(container, "image"), place));
  TRY(check_requirements(container, place, platform));
  TRY(check_environment(container, "environment", place));
  TRY(check_secrets(container, "secrets", place));
  TRY(check_secret_names(container, place));
  TRY(check_mount_points(container, place, volumes));
  TRY(check_linux_parameters(container, place, platform));
  TRY(check_ulimits(container, place));
  TRY(check_log(container, place, platform));
  return check_user(container, place);
}

Result<void> check_container_properties(const json::Value& container, const std::string& place,
                                        ContainerPlace where) {
  TRY(check_fargate_members(container, place, where.platform));
  if (is_given(container, "instanceType") && !where.of_nodes)
    return refuse(member_of(place, "instanceType"), "is given only for multi-node parallel jobs");
  const VolumeNames volumes = TRY(check_volumes(container, place, where.platform));
  TRY(check_container(container, place, where.platform, volumes));
  if (where.of_nodes) return {};
  TRY(check_image(json::get_string(container, "image"), place));
  return check_amounts(read_requirements(container), place, where.platform);
}

}  // namespace stoker::core
