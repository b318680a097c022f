#pragma once
// The events of a history as people read them.
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/execution_tree.h"
#include "cli/table.h"
#include "json/json.h"

namespace stoker::cli {

// What is worth knowing of an event besides its type: input or output, job, failure; one line, may be "".
std::string event_details(const json::Value& event);

// `events` in the order of their ids, all from the first. `reverse`: the last one on top.
Table history_table(const std::vector<json::Value>& events, bool reverse);

// The line that tells of an event while it happens, without time and place: "job 1b9d6bcd", "failed: ...".
// "": the event is not worth a line. `place`: where the tree, which has the event already, put it.
std::string event_news(const json::Value& event, const ExecutionTree& tree, ExecutionTree::Place place);

}  // namespace stoker::cli
