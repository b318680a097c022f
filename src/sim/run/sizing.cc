#include "sim/run/sizing.h"

#include <algorithm>

#include "core/fleet/sizing/size.h"
#include "sim/run/machines.h"

namespace stoker::sim {
namespace {

constexpr Duration kLaunchRefusedAfter = seconds(20);
// Fleet sizing looks at most this often; what happens in between is seen together.
constexpr Duration kLooksApart = seconds(5);

void launch_machine(World& world, std::size_t environment, const fleet::Launch& launch) {
  const SimEnvironment& rules = world.scenario.environments[environment];
  const std::size_t index = add_machine(world, environment, launch.pool);
  Machine& machine = world.machines[index];
  machine.node.runs = launch.runs;
  machine.outcome.launched = true;
  ++world.launched_alive;
  if (launch.reason == fleet::LaunchReason::Demand) {
    machine.claimed = true;
    world.environments[environment].gaps.wanted(world.now);
  }
  const std::int64_t fails = machine.outcome.spot ? rules.spot.fail_permille : rules.on_demand_fail_permille;
  if (world.rng.chance(static_cast<std::uint64_t>(fails), 1000))
    world.heap.push(world.now + kLaunchRefusedAfter, DueKind::LaunchFails, index);
  else
    world.heap.push(world.now + draw(rules.boot, world.rng), DueKind::Ready, index);
}

// What waits in queues whose first environment this is.
std::vector<fleet::Demand> demands(const World& world, const std::string& environment) {
  std::vector<fleet::Demand> demands;
  const core::State& state = world.core.state();
  for (const SimQueue& queue : world.scenario.queues) {
    if (queue.environments.front() != environment) continue;
    const auto waiting = state.waiting.find(state.queue_names.at(queue.name));
    if (waiting == state.waiting.end()) continue;
    for (const auto& [group, jobs] : waiting->second) {
      const core::Job& first = *state.jobs.find(*jobs.jobs.first());
      fleet::Demand demand;
      demand.need = need_of(world.jobs[static_cast<std::size_t>(std::stoull(first.extra->name))]);
      demand.jobs = static_cast<std::int64_t>(jobs.jobs.size());
      demand.waiting_since = first.runnable_at;
      demands.push_back(std::move(demand));
    }
  }
  return demands;
}

void resize(World& world, std::size_t index) {
  EnvironmentState& environment = world.environments[index];
  fleet::FleetState state;
  for (const std::size_t machine : environment.machines) state.nodes.push_back(world.machines[machine].node);
  state.pools = environment.pools;
  state.gaps = environment.gaps;
  state.quotes = environment.quotes;
  const fleet::Plan plan =
      fleet::size_fleet(world.scenario.catalogue, *world.scenario.environments[index].policy, state,
                        demands(world, world.scenario.environments[index].name), world.now);
  for (const fleet::Launch& launch : plan.launches)
    for (std::int64_t i = 0; i < launch.count; ++i) launch_machine(world, index, launch);
  for (const fleet::Retire& retire : plan.retirements) {
    const std::size_t machine = world.machine_names.at(retire.node);
    if (world.machines[machine].outcome.launched && !retire.drain) let_go(world, machine);
  }
  if (plan.look_again) foresee_look(world, index, std::max(*plan.look_again, world.now + milliseconds(1)));
}

}  // namespace

void foresee_look(World& world, std::size_t environment, Instant at) {
  EnvironmentState& state = world.environments[environment];
  if (state.look_at && *state.look_at <= at) return;
  if (at <= world.now) {
    world.look_now = true;
    return;
  }
  state.look_at = at;
  world.heap.push(at, DueKind::Look, environment);
}

void look(World& world) {
  if (world.last_look && world.now - world.last_look < kLooksApart && !world.look_now) {
    for (std::size_t i = 0; i < world.environments.size(); ++i)
      if (world.scenario.environments[i].policy) foresee_look(world, i, world.last_look + kLooksApart);
    return;
  }
  world.look_now = false;
  world.last_look = world.now;
  for (std::size_t i = 0; i < world.environments.size(); ++i)
    if (world.scenario.environments[i].policy) resize(world, i);
}

}  // namespace stoker::sim
