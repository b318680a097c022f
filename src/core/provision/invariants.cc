#include "core/provision/invariants.h"

#include "base/assert.h"
#include "core/world.h"

namespace stoker::core {

void check_provision(const World& world) {
  const State& state = world.state;
  for (const auto& [name, fleet] : state.fleets) {
    ASSERT(fleet.environment == name && state.environments.contains(name), "a fleet has its environment");
    ASSERT(fleet.spent >= Money{}, "nobody pays us");
    Money lines;
    for (const Money cost : fleet.costs) lines += cost;
    ASSERT(lines == fleet.billed, "the lines of all bills add up to them");
  }
  for (const auto& [key, day] : state.cost_days) {
    ASSERT(key == std::pair(day.day, day.environment) && day_of(day.day) == day.day, "found by its day");
    Money lines;
    for (const auto& [line, sums] : day.lines)
      for (const Money cost : sums.billed) lines += cost;
    ASSERT(lines == day.billed, "the lines of a day add up to its bills");
  }
  for (const auto& [name, launched] : state.launched) {
    ASSERT(launched.name == name && !launched.environment.empty(), "found by its name");
    ASSERT(!launched.ready_at || launched.started_at, "a machine that says hello runs");
    ASSERT(!launched.idle_since || (launched.ready_at && !launched.claimed), "idle, so nobody's");
    ASSERT(!launched.ready_at || launched.runs.empty(), "what it was launched for has come to it");
    for (const cost::Span& span : launched.kept)
      ASSERT(span.to ? span.from <= span.to : &span == &launched.kept.back(), "only the last one goes on");
    const auto node = state.nodes.find(name);
    if (node == state.nodes.end()) continue;
    ASSERT(!node->second.connected || launched.ready_at, "connected, so ready");
    if (launched.ready_at && world.provision.touched.empty())
      ASSERT(node->second.runs.empty() == static_cast<bool>(launched.idle_since),
             "idle while nothing runs there");
    if (node->second.connected)
      ASSERT(node->second.draining == (launched.draining || launched.retired), "who leaves gets no runs");
  }
}

}  // namespace stoker::core
