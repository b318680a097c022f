#pragma once
// The state of an execution as records, and back. Private to run/.
#include "core/workflow/run/state.h"

namespace stoker::workflow {

ExecutionRecord execution_record(const ExecutionState& state);
PayloadRecord input_record(const ExecutionState& state);
ThreadRecord thread_record(const ExecutionState& state, const Thread& thread);
// A branch or iteration that is over: its output waits for its siblings.
ThreadRecord finished_record(const ExecutionState& state, const Thread& parent, std::size_t index);
MapRunRecord map_run_record(const ExecutionState& state, const MapRun& run);
PayloadRecord map_items_record(const ExecutionState& state, const MapRun& run);
MapChildRecord map_child_record(const ExecutionState& state, const MapRun& run, std::size_t index);

// Fills a state that has its program and limits.
Result<void> load_state(ExecutionState& state, const Snapshot& snapshot);

}  // namespace stoker::workflow
