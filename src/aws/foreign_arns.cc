#include "aws/foreign_arns.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace stoker::aws {
namespace {

// Members of Batch, of Logs and of our own API whose values can be ARNs of ours, or, of `values`, the
// elements.
constexpr std::array<std::string_view, 14> kNames = {"arn",
                                                     "arrayJobId",
                                                     "computeEnvironment",
                                                     "consumableResource",
                                                     "jobDefinition",
                                                     "jobId",
                                                     "jobQueue",
                                                     "logGroupIdentifier",
                                                     "multiNodeJobId",
                                                     "quotaShareArn",
                                                     "resourceArn",
                                                     "schedulingPolicyArn",
                                                     "serviceEnvironment",
                                                     "values"};
static_assert(std::ranges::is_sorted(kNames));

// Members that have such members inside. No maps of users: their keys can be anything.
constexpr std::array<std::string_view, 10> kHolders = {"computeEnvironmentOrder",
                                                       "consumableResourceList",
                                                       "consumableResourceProperties",
                                                       "consumableResourcePropertiesOverride",
                                                       "dependsOn",
                                                       "filters",
                                                       "nodeOverrides",
                                                       "nodeProperties",
                                                       "nodePropertyOverrides",
                                                       "nodeRangeProperties"};
static_assert(std::ranges::is_sorted(kHolders));

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::binary_search(names, name);
}

Result<void> check_arn(const Place& place, const json::Value& value) {
  if (!value.is_string() || !is_foreign(place, json::text(value))) return {};
  const std::string_view text = json::text(value);
  return fail(Code::InvalidArgument, to_valid_utf8(text.substr(0, 512)) +
                                         " does not exist: ARNs of this server begin with arn:aws:" +
                                         std::string(split(text, ':')[2]) + ":" + place.region + ":" +
                                         place.account + ":");
}

Result<void> check_member(const Place& place, std::string_view name, const json::Value& value) {
  if (value.is_string()) return is_one_of(kNames, name) ? check_arn(place, value) : Result<void>{};
  if (value.is_object()) return is_one_of(kHolders, name) ? check_arns(place, value) : Result<void>{};
  if (!value.is_array()) return {};
  const bool names = is_one_of(kNames, name);
  const bool holders = is_one_of(kHolders, name);
  if (!names && !holders) return {};
  for (const json::Value& element : value.get_array()) {
    if (names) TRY(check_arn(place, element));
    if (holders && element.is_object()) TRY(check_arns(place, element));
  }
  return {};
}

}  // namespace

bool is_foreign(const Place& place, std::string_view text) {
  if (!text.starts_with("arn:")) return false;
  const auto parts = split(text.substr(0, 512), ':');  // arn, partition, service, region, account, ...
  if (parts.size() < 6 || (parts[2] != "batch" && parts[2] != "logs")) return false;
  return parts[1] != "aws" || parts[3] != place.region || parts[4] != place.account;
}

Result<void> check_arns(const Place& place, const json::Value& input) {
  if (!input.is_object()) return {};
  for (const auto& member : input.get_object()) TRY(check_member(place, member.key(), member.value()));
  return {};
}

}  // namespace stoker::aws
