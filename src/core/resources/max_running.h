#pragma once
// How many jobs may run at a time, as tags say it (docs/job-tags.md): "stoker:max-running" on a job queue, a
// quota share, a job definition or an array job; on a scheduling policy for each share, and
// "stoker:max-running:NAME" there for one share, or, when NAME ends in '*', for each that begins so.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/model/types.h"

namespace stoker::core {

inline constexpr std::string_view kMaxRunning = "stoker:max-running";
inline constexpr std::string_view kMaxRunningRule = "a whole number from 1 to 1000000";

// Nothing for what is no legal value.
std::optional<std::int64_t> read_max_running(std::string_view value);
// Nothing when the tag is missing or no legal value.
std::optional<std::int64_t> max_running_in(const Tags& tags);
// For a share of a policy with these tags: its own, that of its prefix (the longest), or that for each share.
std::optional<std::int64_t> max_running_of_share(const Tags& policy, std::string_view share);
// "stoker:max-running:NAME" with what can be the name of a share, or begin some: letters, digits, '-' and
// '_', and a '*' at the end.
bool names_share(std::string_view key);
// Of a job's tags: only an array has something to limit.
Result<void> check_array_limit(const Tags& tags, bool is_array);

}  // namespace stoker::core
