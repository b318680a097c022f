#pragma once
// How many jobs may run at a time: of a queue, a share, a job definition, an array (resources/max_running.h).
#include <optional>

#include "core/world.h"

namespace stoker::core {

struct Contender;
struct Hold;

// Some limit counts the contender's job.
bool is_capped(const World& world, const Contender& contender);
// The first of them that is reached says so.
std::optional<Hold> held_by_cap(const World& world, const Contender& contender);

}  // namespace stoker::core
