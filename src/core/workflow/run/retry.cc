#include "core/workflow/run/retry.h"

#include <algorithm>
#include <cmath>

namespace stoker::workflow {
namespace {

// Delays beyond this overflow nothing and outlive any execution.
constexpr double kDelayMaxS = 99'999'999.0;

bool takes_one(std::string_view wanted, std::string_view error) {
  if (wanted == error) return true;
  if (wanted == asl::kAll) return true;
  const bool timeout = error == asl::kTimeout || error == asl::kHeartbeatTimeout;
  if (wanted == asl::kTaskFailed) return !timeout;
  return wanted == asl::kTimeout && timeout;
}

}  // namespace

bool takes(const std::vector<std::string>& error_equals, std::string_view error) {
  // RECORDED: States.Runtime is retried and caught by nothing, not even by its own name.
  if (error == asl::kRuntime) return false;
  return std::ranges::any_of(error_equals, [&](const auto& wanted) { return takes_one(wanted, error); });
}

std::optional<Retrying> retry(const std::vector<asl::Retrier>& retriers, std::vector<std::int64_t>& counters,
                              std::string_view error, const std::function<std::uint64_t()>& random) {
  counters.resize(retriers.size());
  for (std::size_t i = 0; i < retriers.size(); ++i) {
    const asl::Retrier& retrier = retriers[i];
    if (!takes(retrier.error_equals, error)) continue;
    // The first that takes the error decides; when it is spent no later one is tried.
    if (counters[i] >= retrier.attempts_max) return std::nullopt;
    // Delay before retry k, from 1: interval * rate^(k-1), at most MaxDelaySeconds.
    double delay = static_cast<double>(retrier.interval_s) *
                   std::pow(retrier.backoff_rate, static_cast<double>(counters[i]));
    if (retrier.delay_max_s) delay = std::min(delay, static_cast<double>(*retrier.delay_max_s));
    if (!(delay <= kDelayMaxS)) delay = kDelayMaxS;
    ++counters[i];
    const auto ms = static_cast<std::int64_t>(delay * 1000);
    Retrying retrying{
        .retrier = i, .delay = milliseconds(ms), .interval_s = static_cast<std::int64_t>(delay)};
    // FULL: anywhere in [0, delay].
    if (retrier.full_jitter)
      retrying.delay = milliseconds(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ms + 1)));
    return retrying;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_catcher(const std::vector<asl::Catcher>& catchers, std::string_view error) {
  for (std::size_t i = 0; i < catchers.size(); ++i)
    if (takes(catchers[i].error_equals, error)) return i;
  return std::nullopt;
}

}  // namespace stoker::workflow
