#pragma once
// Whether the accounts of a core add up.
#include <string>

#include "core/state.h"

namespace stoker::core::testing {

// To the millionth of a dollar: what jobs paid and what environments paid themselves is what machines were
// billed; so long as no job was forgotten. The first fault in words, else "".
std::string fault_in_costs(const State& state);

// The accounts as FOCUS add up to the same. The first fault in words, else "".
std::string fault_in_focus(const State& state, Instant now);

}  // namespace stoker::core::testing
