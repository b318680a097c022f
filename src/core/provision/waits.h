#pragma once
// Why there is no machine for those who wait, in the words of the rules that decided.
#include <set>

#include "core/world.h"

namespace stoker::core {

// Sets WaitingGroup::machine of every group from the fates of the last look. `limited`: groups of which not
// all could start even if there were machines.
void explain_waits(World& world, const std::set<Fleet::Waits>& limited, Instant now);

}  // namespace stoker::core
