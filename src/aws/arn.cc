#include "aws/arn.h"

#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kArn = "arn:";
constexpr int kRevisionDigitsMax = 9;

std::string arn(std::string_view service, const Place& place, std::string_view rest) {
  std::string out = "arn:aws:";
  out.reserve(out.size() + service.size() + place.region.size() + place.account.size() + rest.size() + 3);
  out.append(service)
      .append(":")
      .append(place.region)
      .append(":")
      .append(place.account)
      .append(":")
      .append(rest);
  return out;
}

// What follows the fifth colon; nothing when there are fewer or the service is another.
std::optional<std::string_view> rest_of_arn(std::string_view text, std::string_view service) {
  if (!text.starts_with(kArn)) return std::nullopt;
  std::string_view found_service;
  for (int i = 0; i < 5; ++i) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    if (i == 2) found_service = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (found_service != service) return std::nullopt;
  return text;
}

std::unexpected<Error> not_an_arn(std::string_view text, std::string_view type) {
  return fail(Code::InvalidArgument,
              to_valid_utf8(text.substr(0, 512)) + " is not the ARN of a " + std::string(type));
}

}  // namespace

std::string batch_arn(const Place& place, std::string_view type, std::string_view name) {
  std::string rest;
  rest.reserve(type.size() + name.size() + 1);
  rest.append(type).append("/").append(name);
  return arn("batch", place, rest);
}
std::string task_arn(const Place& place, std::string_view task) {
  return arn("ecs", place, "task/stoker/" + std::string(task));
}
std::string container_instance_arn(const Place& place, std::string_view node) {
  return arn("ecs", place, "container-instance/stoker/" + std::string(node));
}
std::string log_group_arn(const Place& place, std::string_view group) {
  return arn("logs", place, "log-group:" + std::string(group));
}

Result<std::string> name_in_arn(std::string_view text, std::string_view type) {
  const auto rest = rest_of_arn(text, "batch");
  if (!rest || !rest->starts_with(type) || rest->size() < type.size() + 2 || (*rest)[type.size()] != '/') {
    return not_an_arn(text, type);
  }
  return std::string(rest->substr(type.size() + 1));
}

Result<std::string> name_in(std::string_view text, std::string_view type) {
  if (!text.starts_with(kArn)) return std::string(text);
  return name_in_arn(text, type);
}

std::string log_group_in(std::string_view text) {
  constexpr std::string_view kPrefix = "log-group:";
  auto rest = rest_of_arn(text, "logs");
  if (!rest || !rest->starts_with(kPrefix)) return std::string(text);
  rest->remove_prefix(kPrefix.size());
  if (rest->ends_with(":*")) rest->remove_suffix(2);
  return std::string(*rest);
}

Result<DefinitionId> definition_in(std::string_view text) {
  const std::string id = TRY(name_in(text, "job-definition"));
  const std::size_t colon = id.rfind(':');
  const auto revision = colon == std::string::npos || id.size() - colon - 1 > kRevisionDigitsMax
                            ? std::nullopt
                            : parse_int(std::string_view(id).substr(colon + 1));
  if (!revision || *revision < 1) {
    return fail(Code::InvalidArgument,
                "Job definition " + id + " must be given as name:revision or as its ARN");
  }
  return DefinitionId{id.substr(0, colon), static_cast<int>(*revision)};
}

constexpr std::string_view kQuotaShare = "/quota-share/";

Result<QuotaShareId> quota_share_in(std::string_view text) {
  const auto rest = rest_of_arn(text, "batch");
  constexpr std::string_view kQueue = "job-queue/";
  const auto between = rest ? rest->find(kQuotaShare) : std::string_view::npos;
  if (between == std::string_view::npos || !rest->starts_with(kQueue)) return not_an_arn(text, "quota share");
  return QuotaShareId{std::string(rest->substr(kQueue.size(), between - kQueue.size())),
                      std::string(rest->substr(between + kQuotaShare.size()))};
}

std::string quota_share_arn(const Place& place, std::string_view queue, std::string_view name) {
  return batch_arn(place, "job-queue", std::string(queue).append(kQuotaShare).append(name));
}

Result<core::ResourceRef> resource_in(std::string_view text) {
  using enum core::ResourceKind;
  struct Row {
    std::string_view type;
    core::ResourceKind kind;
  };
  static constexpr Row kRows[] = {{"job/", Job},
                                  {"job-definition/", JobDefinition},
                                  {"job-queue/", JobQueue},
                                  {"compute-environment/", ComputeEnvironment},
                                  {"scheduling-policy/", SchedulingPolicy},
                                  {"consumable-resource/", ConsumableResource}};
  const auto rest = rest_of_arn(text, "batch");
  for (const Row& row : kRows) {
    if (!rest || !rest->starts_with(row.type) || rest->size() == row.type.size()) continue;
    std::string name(rest->substr(row.type.size()));
    if (row.kind == JobQueue && name.find(kQuotaShare) != std::string::npos)
      return core::ResourceRef{QuotaShare, std::move(name), 0};
    if (row.kind != JobDefinition) return core::ResourceRef{row.kind, std::move(name), 0};
    auto [definition, revision] = TRY(definition_in(name));
    return core::ResourceRef{row.kind, std::move(definition), revision};
  }
  return not_an_arn(text, "resource that can have tags");
}

std::optional<JobName> job_in(std::string_view text) {
  constexpr std::size_t kUuidSize = 36;
  if (const auto rest = rest_of_arn(text, "batch")) {
    if (!rest->starts_with("job/")) return std::nullopt;
    text = rest->substr(4);
  }
  const auto id = Uuid::parse(text.substr(0, kUuidSize));
  if (!id) return std::nullopt;
  if (text.size() == kUuidSize) return JobName{*id, -1};
  const char mark = text[kUuidSize];
  if ((mark != ':' && mark != '#') || text.size() > kUuidSize + 6) return std::nullopt;
  const auto index = parse_int(text.substr(kUuidSize + 1));
  if (!index || *index < 0) return std::nullopt;
  return JobName{*id, static_cast<int>(*index), mark == '#'};
}

}  // namespace stoker::aws
