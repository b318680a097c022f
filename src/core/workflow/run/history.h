#pragma once
// The events of an execution's history, as GetExecutionHistory shows them (amazon-states-language.md 7).
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"

namespace stoker::workflow {

enum class EventType : std::uint8_t {
  ActivityFailed,
  ActivityScheduled,
  ActivityScheduleFailed,
  ActivityStarted,
  ActivitySucceeded,
  ActivityTimedOut,
  ChoiceStateEntered,
  ChoiceStateExited,
  EvaluationFailed,
  ExecutionAborted,
  ExecutionFailed,
  ExecutionRedriven,
  ExecutionStarted,
  ExecutionSucceeded,
  ExecutionTimedOut,
  FailStateEntered,
  LambdaFunctionFailed,
  LambdaFunctionScheduled,
  LambdaFunctionScheduleFailed,
  LambdaFunctionStarted,
  LambdaFunctionStartFailed,
  LambdaFunctionSucceeded,
  LambdaFunctionTimedOut,
  MapIterationAborted,
  MapIterationFailed,
  MapIterationStarted,
  MapIterationSucceeded,
  MapRunAborted,
  MapRunFailed,
  MapRunRedriven,
  MapRunStarted,
  MapRunSucceeded,
  MapStateAborted,
  MapStateEntered,
  MapStateExited,
  MapStateFailed,
  MapStateStarted,
  MapStateSucceeded,
  ParallelStateAborted,
  ParallelStateEntered,
  ParallelStateExited,
  ParallelStateFailed,
  ParallelStateStarted,
  ParallelStateSucceeded,
  PassStateEntered,
  PassStateExited,
  SucceedStateEntered,
  SucceedStateExited,
  TaskFailed,
  TaskScheduled,
  TaskStarted,
  TaskStartFailed,
  TaskStateAborted,
  TaskStateEntered,
  TaskStateExited,
  TaskSubmitFailed,
  TaskSubmitted,
  TaskSucceeded,
  TaskTimedOut,
  WaitStateAborted,
  WaitStateEntered,
  WaitStateExited,
};
inline constexpr std::size_t kEventTypeCount = 62;

std::string_view name(EventType type);            // "PassStateEntered"
std::string_view details_member(EventType type);  // "stateEnteredEventDetails"; "": the type has none

// One row of a history. Written once, never changed.
struct HistoryEvent {
  std::uint64_t execution = 0;
  std::uint64_t id = 0;        // 1, 2, 3, ... without gaps
  std::uint64_t previous = 0;  // previousEventId
  EventType type{};
  Instant at;
  // The details as a JSON object with AWS's member names; "": the type has none. Inputs and outputs stand in
  // it as strings of JSON beside their ...Details; leaving both out is up to the reader of the history.
  std::string details;
  bool operator==(const HistoryEvent&) const = default;
};

}  // namespace stoker::workflow
