#include "sim/run/world.h"

namespace stoker::sim {
namespace {

// Environments with a fleet say with it what no document of theirs could.
std::shared_ptr<const core::Launching> launching(const Scenario& scenario) {
  auto launching = std::make_shared<core::Launching>();
  launching->catalogue = scenario.catalogue;
  for (const SimEnvironment& environment : scenario.environments) {
    if (!environment.policy) continue;
    fleet::FleetPolicy policy = *environment.policy;
    policy.one_run = environment.one_run_a_machine;
    launching->policies.emplace(environment.name, std::move(policy));
  }
  return launching;
}

}  // namespace

core::Settings core_settings(const Scenario& scenario) {
  core::Settings settings;
  settings.launching = launching(scenario);
  settings.placement = scenario.placement;
  settings.history = hours(1);  // nobody asks for old jobs
  return settings;
}

World::World(const Scenario& the_scenario, const std::vector<SimJob>& the_jobs, std::uint64_t seed,
             Progress* the_progress)
    : scenario(the_scenario),
      jobs(the_jobs),
      rng(seed),
      progress(the_progress),
      core(core_settings(the_scenario)),
      states(the_jobs.size()),
      environments(the_scenario.environments.size()) {
  for (const SimQueue& queue : scenario.queues) queues[queue.name] = &queue;
  outcome.jobs.resize(the_jobs.size());
  outcome.started = kStart;
}

void apply(World& world, core::Event event) {
  world.core.apply(world.now, event, world.actions);
  world.turn_owed = true;
  if (world.log != nullptr) world.log->back().events.push_back(std::move(event));
}

void ask(World& world, core::Request request) {
  apply(world, core::Requested{core::RequestId{++world.requests}, std::move(request)});
}

}  // namespace stoker::sim
