#include "sim/run/world.h"

namespace stoker::sim {
namespace {

core::Settings core_settings(const Scenario& scenario) {
  core::Settings settings;
  settings.placement = scenario.placement;
  settings.history = hours(1);  // nobody asks for old jobs
  return settings;
}

}  // namespace

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
}

void ask(World& world, core::Request request) {
  apply(world, core::Requested{core::RequestId{++world.requests}, std::move(request)});
}

}  // namespace stoker::sim
