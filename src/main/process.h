#pragma once
// The real world around a command: streams, terminal, environment, signals.
#include "cli/context.h"

namespace stoker {

// Writing to a closed pipe ends the process quietly, as with other programs.
cli::Context process_context();

}  // namespace stoker
