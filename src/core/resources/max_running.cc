#include "core/resources/max_running.h"

#include "base/text.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

std::optional<std::int64_t> read_max(std::string_view text) {
  const auto number = parse_int(text);
  return number && *number >= 1 && *number <= kMaxRunningMost ? number : std::nullopt;
}

std::optional<std::int64_t> value_of(const Tags& tags, const std::string& key) {
  const auto found = tags.find(key);
  return found == tags.end() ? std::nullopt : read_max(found->second);
}

}  // namespace

std::optional<std::int64_t> max_running_in(const Tags& tags) {
  return value_of(tags, std::string(kMaxRunning));
}

std::optional<std::int64_t> max_running_of_share(const Tags& policy, std::string_view share) {
  const std::string own = std::string(kMaxRunning) + ":";
  const auto any = policy.lower_bound(std::string(kMaxRunning));
  if (any == policy.end() || !any->first.starts_with(kMaxRunning)) return std::nullopt;
  if (const auto named = value_of(policy, own + std::string(share))) return named;
  for (std::size_t size = share.size() + 1; size-- > 0;)
    if (const auto prefix = value_of(policy, own + std::string(share.substr(0, size)) + "*")) return prefix;
  return max_running_in(policy);
}

Result<void> check_max_running(const Tags& tags) {
  for (auto at = tags.lower_bound(std::string(kMaxRunning));
       at != tags.end() && at->first.starts_with(kMaxRunning); ++at) {
    const auto& [key, value] = *at;
    if (key.size() > kMaxRunning.size() && key[kMaxRunning.size()] != ':') continue;  // another tag
    if (!read_max(value))
      return refuse("tags", key + " must be a whole number from 1 to 1000000, not '" + value + "'");
  }
  return {};
}

Result<void> check_array_limit(const Tags& tags, bool is_array) {
  if (!is_array && tags.contains(std::string(kMaxRunning)))
    return refuse("tags", std::string(kMaxRunning) + " is for array jobs, whose children it limits");
  return check_max_running(tags);
}

}  // namespace stoker::core
