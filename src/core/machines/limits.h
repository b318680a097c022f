#pragma once
// How much of everything there may be. AWS Step Functions quotas, except where they only protect Amazon.
#include <cstddef>

#include "base/time.h"

namespace stoker::core {

inline constexpr std::size_t kMachinesMax = 10'000;
inline constexpr std::size_t kActivitiesMax = 10'000;
inline constexpr std::size_t kVersionsMax = 1'000;  // of one state machine
inline constexpr std::size_t kAliasesMax = 100;     // of one state machine
inline constexpr std::size_t kRoutesMax = 2;        // of one alias
inline constexpr std::size_t kMachineTagsMax = 50;  // of one resource
inline constexpr std::size_t kPollersMax = 1'000;   // of one activity

// Remembered executions, running and ended.
inline constexpr std::size_t kExecutionsMax = 20'000'000;
// A turn stays short: news and effects, timers, and executions forgotten; what is left follows in the next.
inline constexpr std::size_t kWorkPerTurnMax = 20'000;
inline constexpr std::size_t kTimersPerTurnMax = 2'000;
inline constexpr std::uint64_t kTurnLengthMax = 30'000;  // events of histories and steps of interpreters
inline constexpr std::size_t kForgottenPerTurnMax = 50;
// RedriveExecution, clientToken (API Reference).
inline constexpr std::size_t kRedriveTokensMax = 10;
inline constexpr Duration kRedriveTokenTime = minutes(15);
inline constexpr Duration kPollTime = seconds(60);  // GetActivityTask

}  // namespace stoker::core
