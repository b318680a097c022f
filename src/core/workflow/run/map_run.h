#pragma once
// What map runs count and give. Private to run/.
#include "core/workflow/run/flow.h"
#include "core/workflow/run/state.h"

namespace stoker::workflow {

ChildStatus child_status(Status status);
Status status_of(ChildStatus status);

// Keep the counts of DescribeMapRun: a child is in exactly one of them, and so are its items.
void add_running_child(MapRun& run, std::size_t items);
void move_child(MapRun& run, MapChild& child, ChildStatus to);

// Whether the results are written somewhere by a ResultWriter, instead of becoming the result of the state.
bool exports(const MapRun& run);
// Keeps what the child gave, unless all outputs together cannot become a result any more.
void keep_output(const Limits& limits, MapRun& run, MapChild& child, std::string output);
void count_output(MapRun& run, const MapChild& child);
// Empties the text and gives its memory back, which clear() would keep for each of a million children.
void release(std::string& text);
// The record of how this child ended, which then need not be kept: nothing when it runs, or when nobody will
// read it.
std::optional<MapResultRecord> take_map_result(const ExecutionState& state, MapRun& run, std::size_t index);

// The outputs of the children that succeeded, in order, as the Map's result; transformed as a ResultWriter
// without a place asks for. States.DataLimitExceeded when they are too large together.
Evaluated<Document> inline_result(const ExecutionState& state, const MapRun& run);

}  // namespace stoker::workflow
