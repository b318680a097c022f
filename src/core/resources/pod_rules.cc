#include <set>

#include "base/text.h"
#include "core/resources/container_rules.h"
#include "core/resources/definition_rules.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kContainersMax = 10;
constexpr std::size_t kNamespaceMax = 63;

// In quarters of a CPU: "1", "0.25", "1.50". The text is short: digits and one point.
std::optional<std::int64_t> parse_quarters(std::string_view text) {
  constexpr std::size_t kTextMax = 12;
  if (text.size() > kTextMax || text.find_first_not_of("0123456789.") != std::string_view::npos)
    return std::nullopt;
  const auto value = parse_double(text);
  if (!value) return std::nullopt;
  const double quarters = *value * 4;  // exact: a multiple of a quarter of this size is a double
  const auto whole = static_cast<std::int64_t>(quarters);
  if (whole < 1 || static_cast<double>(whole) != quarters) return std::nullopt;
  return whole;
}

std::optional<std::int64_t> parse_mebibytes(std::string_view text) {
  if (!text.ends_with("Mi")) return std::nullopt;
  text.remove_suffix(2);
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto value = parse_int(text);
  return value && *value >= 4 ? value : std::nullopt;
}

using Parser = std::optional<std::int64_t> (*)(std::string_view);
struct Quantity {
  std::string_view key;
  Parser parse;
  std::string_view rule;
  bool required;
  bool limit_may_exceed;  // else limit and request are equal
};
constexpr Quantity kQuantities[] = {
    {"cpu", parse_quarters, "cpu must be a multiple of 0.25", true, true},
    {"memory", parse_mebibytes, "memory must be a whole number of MiB with the suffix Mi, 4Mi or more", true,
     false},
    {"nvidia.com/gpu", parse_whole_gpus, "nvidia.com/gpu must be a whole number of 1 or more", false, false},
};

Result<void> check_quantity(const json::Value& resources, const Quantity& quantity,
                            const std::string& place) {
  std::optional<std::int64_t> amounts[2];
  std::size_t index = 0;
  for (const std::string_view list : {"limits", "requests"}) {
    const std::size_t here = index++;
    const json::Value* values = json::find(resources, list);
    if (values == nullptr || json::find(*values, quantity.key) == nullptr) continue;
    amounts[here] = quantity.parse(json::get_string(*values, quantity.key));
    if (!amounts[here]) return refuse(member_of(place, list), quantity.rule);
  }
  const auto& [limit, request] = amounts;
  if (quantity.required && !limit && !request)
    return refuse(place, std::string(quantity.key) + " is required in limits or requests");
  if (!limit || !request) return {};
  if (quantity.limit_may_exceed && *limit < *request)
    return refuse(place, std::string(quantity.key) + " in limits must not be below that in requests");
  if (!quantity.limit_may_exceed && *limit != *request)
    return refuse(place, std::string(quantity.key) + " must be equal in limits and requests");
  return {};
}

Result<void> check_pod_container(const json::Value& container, const std::string& place,
                                 const VolumeNames& volumes, bool initial) {
  TRY(check_image(json::get_string(container, "image"), place));
  TRY(check_one_of(container, "imagePullPolicy", place, {"Always", "IfNotPresent", "Never"}));
  TRY(check_environment(container, "env", place));
  static const json::Value nothing = json::Object{};
  const json::Value* resources = json::find(container, "resources");
  for (Quantity quantity : kQuantities) {
    quantity.required = quantity.required && !initial;  // a pod needs no more than its main containers say
    TRY(check_quantity(resources == nullptr ? nothing : *resources, quantity, member_of(place, "resources")));
  }
  std::size_t index = 0;
  for (const auto& mount : json::get_array(container, "volumeMounts")) {
    const std::string at = item_of(member_of(place, "volumeMounts"), index++);
    const auto name = json::get_string(mount, "name");
    if (!volumes.contains(name)) return refuse(at, std::string(name) + " is not the name of a volume");
    if (!is_given(mount, "mountPath")) return refuse(at, "mountPath is required");
  }
  return {};
}

Result<VolumeNames> check_pod_volumes(const json::Value& pod, const std::string& place) {
  VolumeNames names;
  std::size_t index = 0;
  for (const auto& volume : json::get_array(pod, "volumes")) {
    const std::string at = item_of(member_of(place, "volumes"), index++);
    const auto name = json::get_string(volume, "name");
    if (name.empty()) return refuse(at, "name is required");
    if (!names.emplace(name).second) return refuse(at, "the name " + std::string(name) + " is used twice");
    int sources = 0;
    for (const std::string_view member : {"hostPath", "emptyDir", "secret", "persistentVolumeClaim"})
      sources += json::find(volume, member) != nullptr ? 1 : 0;
    if (sources != 1)
      return refuse(at, "must have exactly one of hostPath, emptyDir, secret and persistentVolumeClaim");
    if (const json::Value* empty = json::find(volume, "emptyDir"))
      TRY(check_one_of(*empty, "medium", member_of(at, "emptyDir"), {"", "Memory"}));
  }
  return names;
}

Result<void> check_namespace(const json::Value& pod, const std::string& place) {
  const json::Value* metadata = json::find(pod, "metadata");
  if (metadata == nullptr || json::find(*metadata, "namespace") == nullptr) return {};
  if (is_kubernetes_namespace(json::get_string(*metadata, "namespace"))) return {};
  return refuse(member_of(place, "metadata.namespace"), kNamespaceRule);
}

// Names are unique over the containers and the init containers.
Result<void> check_pod_containers(const json::Value& pod, std::string_view member, const std::string& place,
                                  const VolumeNames& volumes, std::set<std::string_view>& names) {
  const std::string at = member_of(place, member);
  const bool initial = member == "initContainers";
  const auto& containers = json::get_array(pod, member);
  if (containers.size() > kContainersMax) return refuse(at, "must have at most 10 containers");
  std::size_t index = 0;
  for (const auto& container : containers) {
    const std::string here = item_of(at, index++);
    auto name = json::get_string(container, "name");
    if (name.empty() && (initial || containers.size() > 1))
      return refuse(here, "name is required when there are several containers");
    if (name.empty()) name = "Default";
    if (!names.insert(name).second) return refuse(here, "the name " + std::string(name) + " is used twice");
    TRY(check_pod_container(container, here, volumes, initial));
  }
  return {};
}

}  // namespace

bool is_kubernetes_namespace(std::string_view name) {
  const auto is_edge = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > kNamespaceMax || name == "default" || name.starts_with("kube-"))
    return false;
  if (!is_edge(name.front()) || !is_edge(name.back())) return false;
  for (const char c : name)
    if (!is_edge(c) && c != '-') return false;
  return true;
}

Result<void> check_eks_properties(const json::Value& eks, const std::string& place) {
  const std::string at = member_of(place, "podProperties");
  const json::Value* pod = json::find(eks, "podProperties");
  if (pod == nullptr) return refuse(at, "is required");
  TRY(check_one_of(*pod, "dnsPolicy", at, {"Default", "ClusterFirst", "ClusterFirstWithHostNet"}));
  TRY(check_namespace(*pod, at));
  const VolumeNames volumes = TRY(check_pod_volumes(*pod, at));
  if (json::get_array(*pod, "containers").empty())
    return refuse(member_of(at, "containers"), "must not be empty");
  std::set<std::string_view> names;
  TRY(check_pod_containers(*pod, "containers", at, volumes, names));
  return check_pod_containers(*pod, "initContainers", at, volumes, names);
}

}  // namespace stoker::core
