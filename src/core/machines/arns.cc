#include "core/machines/arns.h"

#include <array>

#include "base/text.h"
#include "core/machines/errors.h"

namespace stoker::core {
namespace {

struct KindName {
  ArnKind kind;
  std::string_view name;
};
constexpr std::array<KindName, 5> kKinds = {{{ArnKind::StateMachine, "stateMachine"},
                                             {ArnKind::Execution, "execution"},
                                             {ArnKind::Express, "express"},
                                             {ArnKind::MapRun, "mapRun"},
                                             {ArnKind::Activity, "activity"}}};

std::string_view name_of(ArnKind kind) {
  return kKinds[static_cast<std::size_t>(kind)].name;
}

// How many parts follow the kind: at least and at most.
struct Parts {
  std::size_t least;
  std::size_t most;
};
Parts parts_of(ArnKind kind) {
  switch (kind) {
    case ArnKind::StateMachine:
      return {1, 2};
    case ArnKind::Execution:
    case ArnKind::MapRun:
      return {2, 2};
    case ArnKind::Express:
      return {2, 3};
    case ArnKind::Activity:
      return {1, 1};
  }
  return {1, 1};
}

std::string arn(const Place& place, std::string_view kind, std::initializer_list<std::string_view> parts) {
  std::string out = "arn:" + place.partition + ":states:" + place.region + ':' + place.account + ':';
  out += kind;
  for (const std::string_view part : parts) {
    out += ':';
    out += part;
  }
  return out;
}

constexpr std::size_t kPrefixParts = 6;  // arn, partition, service, region, account, kind

}  // namespace

std::optional<int> StatesArn::version() const {
  const auto number = parse_int(qualifier);
  if (!number || *number < 1 || *number > INT32_MAX) return std::nullopt;
  return static_cast<int>(*number);
}

Result<StatesArn> parse_states_arn(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() <= kPrefixParts || parts[0] != "arn" || parts[2] != "states")
    return invalid_arn("Invalid ARN prefix: " + std::string(text));
  StatesArn out;
  const auto* kind = std::ranges::find(kKinds, parts[5], &KindName::name);
  if (kind == kKinds.end())
    return invalid_arn("Resource type not valid in this context: " + std::string(parts[5]));
  out.kind = kind->kind;
  const std::size_t count = parts.size() - kPrefixParts;
  const Parts wanted = parts_of(out.kind);
  if (count < wanted.least || count > wanted.most)
    return invalid_arn("Resource type not valid in this context: " + std::string(parts[5]));
  std::string_view name = parts[6];
  if (const auto slash = name.find('/'); slash != std::string_view::npos) {
    out.label = name.substr(slash + 1);
    name = name.substr(0, slash);
  }
  out.name = name;
  if (count > 1) out.qualifier = parts[7];
  if (count > 2) out.run = parts[8];
  return out;
}

Result<StatesArn> parse_states_arn(std::string_view text, ArnKind kind) {
  StatesArn out = TRY(parse_states_arn(text));
  if (out.kind != kind)
    return invalid_arn("Resource type not valid in this context: " + std::string(name_of(out.kind)));
  return out;
}

std::string machine_arn(const Place& place, std::string_view name) {
  return arn(place, "stateMachine", {name});
}
std::string version_arn(const Place& place, std::string_view name, int version) {
  return arn(place, "stateMachine", {name, std::to_string(version)});
}
std::string alias_arn(const Place& place, std::string_view name, std::string_view alias) {
  return arn(place, "stateMachine", {name, alias});
}
std::string activity_arn(const Place& place, std::string_view name) {
  return arn(place, "activity", {name});
}
std::string execution_arn(const Place& place, std::string_view machine, std::string_view execution) {
  return arn(place, "execution", {machine, execution});
}
std::string express_arn(const Place& place, std::string_view machine, std::string_view execution,
                        std::string_view run) {
  return arn(place, "express", {machine, execution, run});
}
std::string map_run_arn(const Place& place, std::string_view machine, std::string_view label,
                        std::string_view id) {
  return arn(place, "mapRun", {std::string(machine) + '/' + std::string(label), id});
}

}  // namespace stoker::core
