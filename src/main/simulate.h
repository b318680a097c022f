#pragma once
#include "cli/command.h"

namespace stoker {

// stoker simulate EXPERIMENT …: the first word says which.
cli::Command simulate_command();

// ---- the experiments, one file each ----

cli::Command packing_experiment();
cli::Command run_experiment();
cli::Command rounds_experiment();
cli::Command deadline_experiment();

}  // namespace stoker
