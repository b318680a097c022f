#pragma once
// Job records: a row of columns, and JSON for what few jobs have.
#include "base/result.h"
#include "core/records.h"
#include "core/world.h"

namespace stoker::core {

JobRecord to_record(const Job& job);
// Puts jobs (ascending, their specs and queues loaded before) into the state; afterwards everything that
// follows from them is there: children, dependants, waiting sets, held resources, timers.
Result<void> load_jobs(World& world, const std::vector<JobRecord>& records);

}  // namespace stoker::core
