#pragma once
// Whether the accounts of a core add up.
#include <string>

#include "core/state.h"

namespace stoker::core::testing {

// To the millionth of a dollar, so long as no job was forgotten: work and warm-up is what jobs paid; what
// queues and environments paid besides is idle time, waste and what was given back of that; and all of it is
// what machines were billed. The first fault in words, else "".
std::string fault_in_costs(const State& state);

// The accounts as FOCUS add up to the same. The first fault in words, else "".
std::string fault_in_focus(const State& state, Instant now);

}  // namespace stoker::core::testing
