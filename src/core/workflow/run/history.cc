#include "core/workflow/run/history.h"

#include <array>

namespace stoker::workflow {
namespace {

struct Row {
  std::string_view name;
  std::string_view member;
};
// In the order of EventType (the API's model, HistoryEventType and HistoryEvent).
constexpr std::array<Row, kEventTypeCount> kRows = {
    Row{"ActivityFailed", "activityFailedEventDetails"},
    Row{"ActivityScheduled", "activityScheduledEventDetails"},
    Row{"ActivityScheduleFailed", "activityScheduleFailedEventDetails"},
    Row{"ActivityStarted", "activityStartedEventDetails"},
    Row{"ActivitySucceeded", "activitySucceededEventDetails"},
    Row{"ActivityTimedOut", "activityTimedOutEventDetails"},
    Row{"ChoiceStateEntered", "stateEnteredEventDetails"},
    Row{"ChoiceStateExited", "stateExitedEventDetails"},
    Row{"EvaluationFailed", "evaluationFailedEventDetails"},
    Row{"ExecutionAborted", "executionAbortedEventDetails"},
    Row{"ExecutionFailed", "executionFailedEventDetails"},
    Row{"ExecutionRedriven", "executionRedrivenEventDetails"},
    Row{"ExecutionStarted", "executionStartedEventDetails"},
    Row{"ExecutionSucceeded", "executionSucceededEventDetails"},
    Row{"ExecutionTimedOut", "executionTimedOutEventDetails"},
    Row{"FailStateEntered", "stateEnteredEventDetails"},
    Row{"LambdaFunctionFailed", "lambdaFunctionFailedEventDetails"},
    Row{"LambdaFunctionScheduled", "lambdaFunctionScheduledEventDetails"},
    Row{"LambdaFunctionScheduleFailed", "lambdaFunctionScheduleFailedEventDetails"},
    Row{"LambdaFunctionStarted", ""},
    Row{"LambdaFunctionStartFailed", "lambdaFunctionStartFailedEventDetails"},
    Row{"LambdaFunctionSucceeded", "lambdaFunctionSucceededEventDetails"},
    Row{"LambdaFunctionTimedOut", "lambdaFunctionTimedOutEventDetails"},
    Row{"MapIterationAborted", "mapIterationAbortedEventDetails"},
    Row{"MapIterationFailed", "mapIterationFailedEventDetails"},
    Row{"MapIterationStarted", "mapIterationStartedEventDetails"},
    Row{"MapIterationSucceeded", "mapIterationSucceededEventDetails"},
    Row{"MapRunAborted", ""},
    Row{"MapRunFailed", "mapRunFailedEventDetails"},
    Row{"MapRunRedriven", "mapRunRedrivenEventDetails"},
    Row{"MapRunStarted", "mapRunStartedEventDetails"},
    Row{"MapRunSucceeded", ""},
    Row{"MapStateAborted", ""},
    Row{"MapStateEntered", "stateEnteredEventDetails"},
    Row{"MapStateExited", "stateExitedEventDetails"},
    Row{"MapStateFailed", ""},
    Row{"MapStateStarted", "mapStateStartedEventDetails"},
    Row{"MapStateSucceeded", ""},
    Row{"ParallelStateAborted", ""},
    Row{"ParallelStateEntered", "stateEnteredEventDetails"},
    Row{"ParallelStateExited", "stateExitedEventDetails"},
    Row{"ParallelStateFailed", ""},
    Row{"ParallelStateStarted", ""},
    Row{"ParallelStateSucceeded", ""},
    Row{"PassStateEntered", "stateEnteredEventDetails"},
    Row{"PassStateExited", "stateExitedEventDetails"},
    Row{"SucceedStateEntered", "stateEnteredEventDetails"},
    Row{"SucceedStateExited", "stateExitedEventDetails"},
    Row{"TaskFailed", "taskFailedEventDetails"},
    Row{"TaskScheduled", "taskScheduledEventDetails"},
    Row{"TaskStarted", "taskStartedEventDetails"},
    Row{"TaskStartFailed", "taskStartFailedEventDetails"},
    Row{"TaskStateAborted", ""},
    Row{"TaskStateEntered", "stateEnteredEventDetails"},
    Row{"TaskStateExited", "stateExitedEventDetails"},
    Row{"TaskSubmitFailed", "taskSubmitFailedEventDetails"},
    Row{"TaskSubmitted", "taskSubmittedEventDetails"},
    Row{"TaskSucceeded", "taskSucceededEventDetails"},
    Row{"TaskTimedOut", "taskTimedOutEventDetails"},
    Row{"WaitStateAborted", ""},
    Row{"WaitStateEntered", "stateEnteredEventDetails"},
    Row{"WaitStateExited", "stateExitedEventDetails"},
};

}  // namespace

std::string_view name(EventType type) {
  return kRows[static_cast<std::size_t>(type)].name;
}
std::string_view details_member(EventType type) {
  return kRows[static_cast<std::size_t>(type)].member;
}

}  // namespace stoker::workflow
