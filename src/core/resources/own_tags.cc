#include "core/resources/own_tags.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "core/resources/fleet_tags.h"
#include "core/resources/max_running.h"
#include "core/resources/rules.h"
#include "core/resources/wishes.h"

namespace stoker::core {
namespace {

using Kind = std::optional<ResourceKind>;

struct Known {
  std::string_view rule;
  bool legal = false;
};

template <class Into, class Rule>
std::optional<Known> look_up(std::span<const Rule> rules, std::string_view key, std::string_view value) {
  const auto rule = std::ranges::find(rules, key, &Rule::key);
  if (rule == rules.end()) return std::nullopt;
  Into scratch;
  return Known{rule->rule, rule->read(value, scratch)};
}

std::optional<Known> look_up(Kind kind, std::string_view key, std::string_view value) {
  if (!kind) return std::nullopt;
  switch (*kind) {
    case ResourceKind::Job:
    case ResourceKind::JobDefinition:
      return look_up<Wishes>(wish_rules(), key, value);
    case ResourceKind::ComputeEnvironment:
      return look_up<fleet::FleetPolicy>(fleet_tag_rules(), key, value);
    case ResourceKind::SchedulingPolicy:
      if (names_share(key)) key = kMaxRunning;
      [[fallthrough]];
    case ResourceKind::JobQueue:
    case ResourceKind::QuotaShare:
      if (key == kMaxRunning) return Known{kMaxRunningRule, read_max_running(value).has_value()};
      return std::nullopt;
    case ResourceKind::ConsumableResource:
      break;
  }
  return std::nullopt;
}

template <class Rule>
std::string keys_of(std::span<const Rule> rules) {
  std::string text;
  for (const Rule& rule : rules) text += (text.empty() ? "" : ", ") + std::string(rule.key);
  return text;
}

// "for job queues; it knows stoker:max-running"
std::string known_to(Kind kind) {
  if (!kind) return "for state machines and activities; it knows none";
  const std::string cap{kMaxRunning};
  switch (*kind) {
    case ResourceKind::Job:
      return "for jobs; it knows " + keys_of(wish_rules());
    case ResourceKind::JobDefinition:
      return "for job definitions; it knows " + keys_of(wish_rules());
    case ResourceKind::ComputeEnvironment:
      return "for compute environments; it knows " + keys_of(fleet_tag_rules());
    case ResourceKind::SchedulingPolicy:
      return "for scheduling policies; it knows " + cap + ", and " + cap +
             ":NAME, where NAME is a share, or begins shares and ends in '*'";
    case ResourceKind::JobQueue:
      return "for job queues; it knows " + cap;
    case ResourceKind::QuotaShare:
      return "for quota shares; it knows " + cap;
    case ResourceKind::ConsumableResource:
      break;
  }
  return "for consumable resources; it knows none";
}

}  // namespace

std::string fault_in_own_tags(Kind kind, const Tags& tags) {
  for (const auto& [key, value] : tags) {
    if (!equal_ignoring_case(std::string_view(key).substr(0, kOwnPrefix.size()), kOwnPrefix)) continue;
    if (!key.starts_with(kOwnPrefix))
      return key + ": tags of this server begin with stoker: in small letters";
    const auto known = look_up(kind, key, value);
    if (!known) return key + " is no tag of this server " + known_to(kind);
    if (!known->legal) return key + " must be " + std::string(known->rule) + ", not '" + value + "'";
  }
  return "";
}

Result<void> check_own_tags(ResourceKind kind, const Tags& tags) {
  std::string fault = fault_in_own_tags(kind, tags);
  if (!fault.empty()) return refuse("tags", fault);
  return {};
}

}  // namespace stoker::core
