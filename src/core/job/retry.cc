#include "core/job/retry.h"

#include "base/text.h"

namespace stoker::core {
namespace {

bool matches(const std::optional<std::string>& pattern, std::string_view value) {
  return !pattern || glob_match(*pattern, value);
}

}  // namespace

bool may_run_again(const RetryStrategy& strategy, const Attempt& attempt) {
  const std::string exit_code = attempt.exit_code ? std::to_string(*attempt.exit_code) : "";
  for (const RetryRule& rule : strategy.rules)
    if (matches(rule.on_status_reason, attempt.status_reason) && matches(rule.on_reason, attempt.reason) &&
        matches(rule.on_exit_code, exit_code))
      return rule.retry;
  return true;
}

bool should_retry(const RetryStrategy& strategy, int attempts_counted, const Attempt& attempt) {
  return attempts_counted < strategy.attempts && may_run_again(strategy, attempt);
}

}  // namespace stoker::core
