#pragma once
// What --gpus of the server and of the agent may be.
#include <string_view>

#include "base/result.h"

namespace stoker {

// Before anything starts: an agent that refuses it would be a server without a node.
Result<void> check_gpus_option(std::string_view setting);

}  // namespace stoker
