#pragma once
#include "cli/command.h"

namespace stoker {

// stoker simulate EXPERIMENT …: the first word says which.
cli::Command simulate_command();

// Says what is wrong, and returns the exit status for it. There is no server here that could refuse: what is
// more than a bound allows is wrong with the command line or a file. One line that does a terminal no harm.
int complain_of_input(cli::Context& context, Error error);

// ---- the experiments, one file each ----

cli::Command packing_experiment();
cli::Command run_experiment();
cli::Command rounds_experiment();
cli::Command deadline_experiment();

}  // namespace stoker
