#include "sim/run/set_up.h"

#include "sim/run/machines.h"
#include "sim/run/members.h"

namespace stoker::sim {
namespace {

void create_environment(World& world, const SimEnvironment& environment) {
  core::CreateComputeEnvironment request;
  request.name = environment.name;
  request.managed = false;
  request.uuid = "sim";
  request.document = std::make_shared<const json::Value>(json::Object{});
  ask(world, std::move(request));
}

void add_machines(World& world, std::size_t index) {
  const SimEnvironment& environment = world.scenario.environments[index];
  add_static_machines(world, index);
  if (environment.spot.price_percent < 100) quote_spot(world, index, environment.spot.price_percent);
}

void create_queue(World& world, const SimQueue& queue) {
  core::CreateJobQueue request;
  request.name = queue.name;
  request.priority = queue.priority;
  if (queue.scheduling_policy) {
    request.scheduling_policy = queue.name;
    ask(world, core::CreateSchedulingPolicy{queue.name, queue.scheduling_policy, {}});
  }
  int order = 1;
  for (const std::string& name : queue.environments) request.environments.push_back({order++, name});
  ask(world, std::move(request));
  for (const core::QuotaShare& share : queue.quota_shares) {
    core::CreateQuotaShare create;
    create.name = share.name;
    create.queue = queue.name;
    create.limits = share.limits;
    create.sharing = share.sharing;
    create.preempts_inside = share.preempts_inside;
    ask(world, std::move(create));
  }
}

// What the core said since the last time.
Result<void> take_answers(World& world, std::string_view list, std::size_t index) {
  core::Actions actions;
  actions.swap(world.actions);
  for (const core::Action& action : actions)
    if (const auto* replied = std::get_if<core::Replied>(&action); replied != nullptr && !replied->answer)
      return bad_member(numbered(list, index), replied->answer.error().message);
  return {};
}

}  // namespace

void set_up(World& world) {
  world.now = kStart;
  for (std::size_t i = 0; i < world.scenario.environments.size(); ++i) {
    create_environment(world, world.scenario.environments[i]);
    add_machines(world, i);
  }
  for (const SimQueue& queue : world.scenario.queues) create_queue(world, queue);
}

Result<void> check_set_up(const Scenario& scenario) {
  const std::vector<SimJob> no_jobs;
  World world(scenario, no_jobs, 1, nullptr);
  for (std::size_t i = 0; i < scenario.environments.size(); ++i) {
    create_environment(world, scenario.environments[i]);
    TRY(take_answers(world, "environments", i));
  }
  for (std::size_t i = 0; i < scenario.queues.size(); ++i) {
    create_queue(world, scenario.queues[i]);
    TRY(take_answers(world, "queues", i));
  }
  return {};
}

}  // namespace stoker::sim
