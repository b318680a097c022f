#pragma once
// Executions as records and back.
#include "core/records.h"
#include "core/world.h"

namespace stoker::core {

// What changed in executions since the last call, for Core::take_changes(). Ended ones leave memory here.
void take_execution_changes(World& world, Records& records);
// Everything as records: the whole of running executions, the row of ended ones (its body "").
void add_all_executions(const World& world, Records& records);
Result<void> load_executions(World& world, const Records& records);

}  // namespace stoker::core
