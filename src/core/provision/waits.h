#pragma once
// Why there is no machine for those who wait, in the words of the rules that decided.
#include "core/world.h"

namespace stoker::core {

// Sets WaitingShape::machine of every shape from the fates of the last look.
void explain_waits(World& world, Instant now);

}  // namespace stoker::core
