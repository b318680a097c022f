#pragma once
// Functions behind an endpoint that speaks the Invoke API of AWS Lambda (2015-03-31).
#include "tasks/caller.h"

namespace stoker::tasks {

// "arn:aws:lambda:r:a:function:name:q", "name:q", "name".
struct FunctionName {
  std::string name;
  std::string qualifier;  // "" = none
  bool operator==(const FunctionName&) const = default;
};
FunctionName read_function_name(std::string_view text);

// arn:aws:states:::lambda:invoke: the answer of the API, with the payload in it.
TaskResult invoke_function(const TaskRequest& request, const Options& options, Caller& caller);
// A function's own ARN: the parameters are the payload, and so is the output.
TaskResult call_function(const TaskRequest& request, const Options& options, Caller& caller);

}  // namespace stoker::tasks
