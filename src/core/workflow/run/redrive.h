#pragma once
#include <string>

#include "core/workflow/run/state.h"

namespace stoker::workflow {
// Why the execution cannot be redriven; "": it can.
std::string redrive_refusal(const ExecutionState& state, Instant now);
}  // namespace stoker::workflow
