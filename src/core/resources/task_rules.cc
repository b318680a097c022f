#include <map>
#include <set>

#include "core/resources/container_rules.h"
#include "core/resources/definition_rules.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kContainersMax = 10;
constexpr std::int64_t kFargateStopTimeoutMax = 120;

using Names = std::map<std::string_view, const json::Value*>;

bool is_essential(const json::Value& container) {
  return json::get_bool(container, "essential", true);
}

Result<Names> check_names(const json::Array& containers, const std::string& place) {
  Names names;
  std::size_t index = 0;
  for (const auto& container : containers) {
    const std::string at = item_of(place, index++);
    const auto name = json::get_string(container, "name");
    if (name.empty() && containers.size() > 1)
      return refuse(at, "name is required when there are several containers");
    if (!names.emplace(name, &container).second)
      return refuse(at, "the name " + std::string(name) + " is used twice");
  }
  return names;
}

Result<void> check_depends_on(const json::Value& container, const std::string& place, const Names& names) {
  std::size_t index = 0;
  for (const auto& dependency : json::get_array(container, "dependsOn")) {
    const std::string at = item_of(member_of(place, "dependsOn"), index++);
    const auto found = names.find(json::get_string(dependency, "containerName"));
    if (found == names.end() || found->second == &container)
      return refuse(at, "containerName must name another container of the task");
    const auto condition = json::get_string(dependency, "condition");
    if (condition != "START" && condition != "COMPLETE" && condition != "SUCCESS")
      return refuse(at, "condition must be START, COMPLETE or SUCCESS");
    if (condition != "START" && is_essential(*found->second))
      return refuse(at, "COMPLETE and SUCCESS cannot wait for an essential container");
  }
  return {};
}

// Containers are taken away as soon as nothing in the rest is their dependency's owner; a rest is a circle.
bool has_circle(const Names& names) {
  std::set<std::string_view> rest;
  for (const auto& [name, container] : names) rest.insert(name);
  for (bool moved = true; moved;) {
    moved = false;
    for (auto it = rest.begin(); it != rest.end();) {
      bool waits = false;
      for (const auto& dependency : json::get_array(*names.at(*it), "dependsOn"))
        waits = waits || rest.contains(json::get_string(dependency, "containerName"));
      moved = moved || !waits;
      it = waits ? std::next(it) : rest.erase(it);
    }
  }
  return !rest.empty();
}

Result<void> check_task_container(const json::Value& container, const std::string& place, Platform platform,
                                  const VolumeNames& volumes) {
  TRY(check_image(json::get_string(container, "image"), place));
  TRY(check_container(container, place, platform, volumes));
  TRY(check_range(container, "startTimeout", place, 2, INT32_MAX));
  TRY(check_range(container, "stopTimeout", place, 2,
                  platform == Platform::Fargate ? kFargateStopTimeoutMax : std::int64_t{INT32_MAX}));
  if (const json::Value* firelens = json::find(container, "firelensConfiguration"))
    TRY(check_one_of(*firelens, "type", member_of(place, "firelensConfiguration"), {"fluentd", "fluentbit"}));
  return {};
}

Result<void> check_containers(const json::Array& containers, const std::string& place, Platform platform,
                              const VolumeNames& volumes) {
  if (containers.empty() || containers.size() > kContainersMax)
    return refuse(place, "must have 1 to 10 containers");
  const Names names = TRY(check_names(containers, place));
  bool essential = false;
  Requirements total;
  std::size_t index = 0;
  for (const auto& container : containers) {
    const std::string at = item_of(place, index++);
    TRY(check_task_container(container, at, platform, volumes));
    TRY(check_depends_on(container, at, names));
    essential = essential || is_essential(container);
    const Requirements own = read_requirements(container);
    TRY(check_amounts(own, at, Platform::Ec2));
    total.cpus_milli = total.cpus_milli.value_or(0) + *own.cpus_milli;
    total.memory_mib = total.memory_mib.value_or(0) + *own.memory_mib;
  }
  if (!essential) return refuse(place, "at least one container must be essential");
  if (has_circle(names)) return refuse(place, "dependsOn must not go in a circle");
  return check_amounts(total, place, platform);  // on Fargate the sums must be a pair that it has
}

Result<void> check_task(const json::Value& task, const std::string& place, Platform platform) {
  TRY(check_fargate_members(task, place, platform));
  TRY(check_one_of(task, "ipcMode", place, {"host", "task", "none"}));
  TRY(check_one_of(task, "pidMode", place, {"host", "task"}));
  if (platform == Platform::Fargate && is_given(task, "ipcMode"))
    return refuse(place, "ipcMode not applicable for FARGATE.");
  if (platform == Platform::Fargate && json::get_string(task, "pidMode") == "host")
    return refuse(member_of(place, "pidMode"), "must be task on Fargate");
  const VolumeNames volumes = TRY(check_volumes(task, place, platform));
  return check_containers(json::get_array(task, "containers"), member_of(place, "containers"), platform,
                          volumes);
}

}  // namespace

Result<void> check_ecs_properties(const json::Value& ecs, const std::string& place, Platform platform) {
  const std::string at = member_of(place, "taskProperties");
  const auto& tasks = json::get_array(ecs, "taskProperties");
  if (tasks.size() != 1) return refuse(at, "must have exactly one entry");
  return check_task(tasks.front(), item_of(at, 0), platform);
}

}  // namespace stoker::core
