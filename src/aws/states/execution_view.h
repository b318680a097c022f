#pragma once
// How an execution looks, and how the whole of one is had: running ones are in memory, ended ones in the
// store.
#include <functional>

#include "aws/operation.h"
#include "core/workflow/run/execution.h"

namespace stoker::aws {

// What the state knows of an execution beside its interpreter, copied, so that it can be used on any thread.
struct ExecutionFacts {
  std::uint64_t no = 0;
  std::string arn, machine_arn, version_arn, alias_arn, map_run_arn, name;
};

json::Object describe_execution(const ExecutionFacts& facts, const workflow::Execution& execution,
                                Instant now, bool metadata_only);
// As ListExecutions shows it.
json::Object list_entry(const core::Place& place, const core::ExecutionInfo& info);

// Calls `view` with the execution of that ARN, from memory or from the store, and `done` with what it gives.
using ExecutionView =
    std::move_only_function<Result<json::Value>(const ExecutionFacts&, const workflow::Execution&, Instant)>;
void with_execution(Backend& backend, std::string arn, ExecutionView view, Completion done);
// The same by number; `missing` is the error when it is not there.
void with_execution(Backend& backend, std::uint64_t no, Error missing, ExecutionView view, Completion done);

}  // namespace stoker::aws
