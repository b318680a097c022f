#pragma once
#include "cli/command.h"

namespace stoker {

// stoker simulate EXPERIMENT …: the first word says which.
cli::Command simulate_command();

// ---- the experiments, one file each ----

cli::Command packing_experiment();
cli::Command run_experiment();

}  // namespace stoker
