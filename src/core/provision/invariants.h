#pragma once

namespace stoker::core {

struct World;

// Launched machines and their nodes agree. Aborts with a text when they do not.
void check_provision(const World& world);

}  // namespace stoker::core
