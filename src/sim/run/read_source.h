#pragma once
// Where jobs come from, as the member jobs of a scenario says it.
#include "sim/run/members.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

// One entry of the list.
Result<void> read_source(Members& members, JobSource& source);
// A file that a scenario names lies below the folder of traces.
Result<void> check_below_traces(std::string_view member, const std::string& file);

}  // namespace stoker::sim
