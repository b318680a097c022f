#include "core/resources/max_running.h"

#include "core/resources/rules.h"
#include "core/resources/tag_values.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kMost = 1'000'000;

std::optional<std::int64_t> value_of(const Tags& tags, const std::string& key) {
  const auto found = tags.find(key);
  return found == tags.end() ? std::nullopt : read_max_running(found->second);
}

}  // namespace

std::optional<std::int64_t> read_max_running(std::string_view value) {
  return read_count(value, kMost);
}

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

bool names_share(std::string_view key) {
  if (!key.starts_with(kMaxRunning)) return false;
  key.remove_prefix(kMaxRunning.size());
  if (key.size() < 2 || key.front() != ':') return false;
  key.remove_prefix(1);
  if (key.ends_with('*')) key.remove_suffix(1);
  return all_of_set(key, "-_");
}

Result<void> check_array_limit(const Tags& tags, bool is_array) {
  if (!is_array && tags.contains(std::string(kMaxRunning)))
    return refuse("tags", std::string(kMaxRunning) + " is for array jobs, whose children it limits");
  return {};
}

}  // namespace stoker::core
