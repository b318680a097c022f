#pragma once
// Which retrier or catcher takes an error (amazon-states-language.md 5.2, 5.3).
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/definition/definition.h"

namespace stoker::workflow {

// States.ALL takes every error but States.Runtime, States.TaskFailed every one but States.Timeout and
// States.Runtime; a heartbeat that ran out is both a States.Timeout and a States.HeartbeatTimeout.
bool takes(const std::vector<std::string>& error_equals, std::string_view error);

struct Retrying {
  std::size_t retrier = 0;
  Duration delay;               // before the next try, with jitter
  std::int64_t interval_s = 0;  // without jitter, in whole seconds
};
// `counters` has how often each retrier was used in this visit of the state; the one that is used is counted.
// Nothing when no retrier takes the error, or the first that does is spent.
std::optional<Retrying> retry(const std::vector<asl::Retrier>& retriers, std::vector<std::int64_t>& counters,
                              std::string_view error, const std::function<std::uint64_t()>& random);

// Index of the first catcher that takes the error.
std::optional<std::size_t> find_catcher(const std::vector<asl::Catcher>& catchers, std::string_view error);

}  // namespace stoker::workflow
