#include "core/resources/retry_rules.h"

#include <algorithm>
#include <initializer_list>

#include "base/text.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kAttemptsMax = 10;
constexpr std::size_t kRulesMax = 5;
constexpr std::size_t kPatternMax = 512;
constexpr std::int64_t kTimeoutMinSeconds = 60;

// Wider than Amazon's: any printable text, and '*' anywhere.
Result<void> check_pattern(const json::Value& rule, std::string_view member, const std::string& place) {
  const auto pattern = json::get_string(rule, member);
  if (character_count(pattern) > kPatternMax)
    return refuse(member_of(place, member), "must have at most 512 characters");
  const bool printable = std::all_of(pattern.begin(), pattern.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  });
  if (!printable) return refuse(member_of(place, member), "must not hold control characters");
  if (member == "onExitCode" && pattern.find_first_not_of("0123456789*") != std::string_view::npos)
    return refuse(member_of(place, member), "must consist of digits, and '*' for any");
  return {};
}

std::optional<std::string> pattern_of(const json::Value& rule, std::string_view member) {
  if (json::find(rule, member) == nullptr) return std::nullopt;
  return std::string(json::get_string(rule, member));
}

}  // namespace

Result<void> check_retry(const json::Value& holder) {
  const json::Value* strategy = json::find(holder, "retryStrategy");
  if (strategy == nullptr) return {};
  const std::string place = "retryStrategy";
  TRY(check_range(*strategy, "attempts", place, 1, kAttemptsMax));
  const auto& rules = json::get_array(*strategy, "evaluateOnExit");
  if (rules.size() > kRulesMax)
    return refuse(member_of(place, "evaluateOnExit"), "must have at most 5 entries");
  if (!rules.empty() && json::find(*strategy, "attempts") == nullptr)
    return refuse(member_of(place, "attempts"), "is required when evaluateOnExit is given");
  std::size_t index = 0;
  for (const auto& rule : rules) {
    const std::string at = item_of(member_of(place, "evaluateOnExit"), index++);
    for (const std::string_view member : {"onStatusReason", "onReason", "onExitCode"})
      TRY(check_pattern(rule, member, at));
    const auto action = json::get_string(rule, "action");
    if (!equal_ignoring_case(action, "RETRY") && !equal_ignoring_case(action, "EXIT"))
      return refuse(member_of(at, "action"), "must be RETRY or EXIT");
  }
  return {};
}

Result<void> check_timeout(const json::Value& holder) {
  const json::Value* timeout = json::find(holder, "timeout");
  if (timeout == nullptr) return {};
  return check_range(*timeout, "attemptDurationSeconds", "timeout", kTimeoutMinSeconds, INT32_MAX);
}

std::optional<RetryStrategy> read_retry(const json::Value& holder) {
  const json::Value* strategy = json::find(holder, "retryStrategy");
  if (strategy == nullptr) return std::nullopt;
  RetryStrategy result;
  result.attempts =
      static_cast<int>(std::clamp<std::int64_t>(json::get_int(*strategy, "attempts", 1), 1, kAttemptsMax));
  for (const auto& rule : json::get_array(*strategy, "evaluateOnExit"))
    result.rules.push_back({.on_status_reason = pattern_of(rule, "onStatusReason"),
                            .on_reason = pattern_of(rule, "onReason"),
                            .on_exit_code = pattern_of(rule, "onExitCode"),
                            .retry = !equal_ignoring_case(json::get_string(rule, "action"), "EXIT")});
  return result;
}

std::optional<Duration> read_timeout(const json::Value& holder) {
  const json::Value* timeout = json::find(holder, "timeout");
  if (timeout == nullptr || json::find(*timeout, "attemptDurationSeconds") == nullptr) return std::nullopt;
  return seconds(json::get_int(*timeout, "attemptDurationSeconds"));
}

}  // namespace stoker::core
