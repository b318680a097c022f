#pragma once
// How many jobs may run at a time: of a queue, a share, a job definition, an array (resources/max_running.h).
#include <optional>

#include "core/world.h"

namespace stoker::core {

struct Contender;
struct Hold;

// The first of the four that is reached says so.
std::optional<Hold> held_by_cap(const World& world, const Contender& contender);

}  // namespace stoker::core
