#pragma once
#include "core/world.h"

namespace stoker::core {
// Aborts with a text when state machines, executions, timers or counts do not agree. Costs by their number.
void check_machines(const World& world);
}  // namespace stoker::core
