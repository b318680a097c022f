#pragma once
#include "core/world.h"

namespace stoker::core {
// Aborts with a text when cross-references, counts or resources do not agree. Costs by the size of the state.
void check_world(const World& world);
}  // namespace stoker::core
