#pragma once
// The commands that run servers instead of talking to one.
#include "cli/command.h"

namespace stoker {

cli::Command serve_command();  // stoker serve
cli::Command node_command();   // stoker node

}  // namespace stoker
