#include "sim/run/machines.h"

#include <algorithm>

#include "core/provision/progress.h"
#include "sim/run/jobs.h"

namespace stoker::sim {
namespace {

Money price_of(const World& world, std::size_t environment, const fleet::Pool& pool) {
  const std::string region = world.scenario.environments[environment].region();
  if (pool.market == fleet::Market::Spot) {
    const auto& quotes = world.environments[environment].quotes;
    const auto quote = quotes.find({pool.type, pool.zone});
    if (quote != quotes.end()) return quote->second.price;
    return world.scenario.catalogue.typical_spot(pool.type, region).value_or(Money{});
  }
  return world.scenario.catalogue.on_demand(pool.type, region).value_or(Money{});
}

void remove(World& world, std::size_t index) {
  Machine& machine = world.machines[index];
  machine.gone = true;
  machine.outcome.use.ended = world.now;
  std::erase(world.environments[machine.environment].machines, index);
  --world.launched_alive;
}

// Taken back then; told before, as far as there is time.
void foresee_reclaim(World& world, std::size_t index, Instant at) {
  const SpotModel& spot = world.scenario.environments[world.machines[index].environment].spot;
  const auto before = [&](Duration time) { return std::max(world.now, at - time); };
  if (spot.advice > Duration{}) world.heap.push(before(spot.advice), DueKind::Advised, index);
  if (spot.notice > Duration{}) world.heap.push(before(spot.notice), DueKind::Noticed, index);
  world.heap.push(at, DueKind::Reclaimed, index);
}

bool in_service(const Machine& machine) {
  return !machine.gone && machine.node.phase != fleet::NodePhase::Launching;
}

// The machine goes, with the jobs that have a run on it.
void lose(World& world, std::size_t index) {
  const Machine& machine = world.machines[index];
  std::vector<std::size_t> jobs;
  for (const std::size_t job : machine.runs)
    if (std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(job);
  for (const std::size_t job : jobs) {
    note_run(world, job, false);
    ++world.outcome.jobs[job].interruptions;
  }
  apply(world, core::NodeLost{machine.node.id, "Host EC2 (instance " + machine.node.id + ") terminated.",
                              machine.outcome.use.reclaimed});
  for (const std::size_t job : jobs) {
    end_runs_elsewhere(world, job, index);
    settle(world, job, false);
  }
  remove(world, index);
}

std::size_t add_machine(World& world, std::size_t environment, const std::string& name,
                        const fleet::Pool& pool) {
  const std::size_t index = world.machines.size();
  Machine machine;
  machine.environment = environment;
  machine.type = world.scenario.catalogue.find(pool.type);
  machine.mig = world.scenario.environments[environment].mig;
  machine.node.id = name;
  machine.node.pool = pool;
  machine.node.launched_at = world.now;
  machine.outcome.type = pool.type;
  machine.outcome.region = world.scenario.environments[environment].region();
  machine.outcome.zone = pool.zone;
  machine.outcome.list_price =
      world.scenario.catalogue.on_demand(pool.type, machine.outcome.region).value_or(Money{});
  machine.outcome.gpus = machine.type->gpus;
  machine.outcome.spot = pool.market == fleet::Market::Spot;
  cost::NodeUse& use = machine.outcome.use;
  use.node = machine.node.id;
  use.environment = world.scenario.environments[environment].name;
  use.started = world.now;
  use.prices = {{world.now, price_of(world, environment, pool)}};
  world.machine_names[machine.node.id] = index;
  world.environments[environment].machines.push_back(index);
  world.machines.push_back(std::move(machine));
  return index;
}

// Whose jobs it is launched for: those of one queue, and of one tenant where tenants are shares.
cost::Payer asker_of(const World& world, const std::string& machine) {
  const core::State& state = world.core.state();
  const auto launched = state.launched.find(machine);
  const core::Job* job =
      launched == state.launched.end() ? nullptr : state.jobs.find(launched->second.asked_for);
  if (job == nullptr) return {};
  const SimJob& asks = world.jobs[std::stoull(core::whole_job(state, *job).extra->name)];
  return {.job = {}, .tenant = job->spec->share.empty() ? "" : asks.tenant, .queue = asks.queue, .tag = {}};
}

// It comes, or it does not.
void foresee_launch(World& world, std::size_t index) {
  constexpr Duration kRefusedAfter = seconds(20);
  Machine& machine = world.machines[index];
  const SimEnvironment& rules = world.scenario.environments[machine.environment];
  const std::int64_t fails = machine.outcome.spot ? rules.spot.fail_permille : rules.on_demand_fail_permille;
  if (world.rng.chance(static_cast<std::uint64_t>(fails), 1000)) {
    world.heap.push(world.now + kRefusedAfter, DueKind::LaunchFails, index);
    return;
  }
  machine.outcome.use.launch_fee = rules.policy->cold.launch_fee;
  apply(world, core::NodeLaunched{machine.node.id, machine.node.id, world.now});
  world.heap.push(world.now + draw(rules.boot, world.rng), DueKind::Ready, index);
}

}  // namespace

void add_static_machines(World& world, std::size_t environment) {
  const SimEnvironment& rules = world.scenario.environments[environment];
  std::int64_t racks = 0;
  for (const StaticMachines& some : rules.machines) {
    for (std::int64_t i = 0; i < some.count; ++i) {
      const std::string name = "static-" + std::to_string(world.machines.size());
      const std::size_t index =
          add_machine(world, environment, name, {some.type, "static", fleet::Market::OnDemand});
      cost::note_span(world.machines[index].outcome.use.kept, true, world.now);
      if (some.racks > 0)
        world.machines[index].rack =
            rules.name + "-rack-" + std::to_string(racks + i * some.racks / some.count);
      on_ready(world, index);
    }
    racks += some.racks;
  }
}

void on_launch(World& world, const core::LaunchNodes& launch) {
  std::size_t environment = 0;
  while (world.scenario.environments[environment].name != launch.environment) ++environment;
  for (const std::string& name : launch.nodes) {
    if (world.machine_names.contains(name)) continue;  // said again
    const std::size_t index = add_machine(world, environment, name, launch.pool);
    world.machines[index].mig = launch.mig;
    world.machines[index].outcome.launched = true;
    world.machines[index].outcome.use.asked_by = asker_of(world, name);
    ++world.launched_alive;
    foresee_launch(world, index);
  }
}

void on_ready(World& world, std::size_t index) {
  Machine& machine = world.machines[index];
  if (machine.gone) return;  // ended while it booted
  machine.node.phase = fleet::NodePhase::Ready;
  machine.node.ready_at = world.now;
  machine.outcome.use.ready = world.now;
  const SpotModel& spot = world.scenario.environments[machine.environment].spot;
  if (machine.outcome.spot && spot.mean_to_interruption > Duration{}) {
    const Draw life{DrawKind::Exponential, spot.mean_to_interruption, {}, 0};
    foresee_reclaim(world, index, world.now + draw(life, world.rng));
  }
  apply(world, hello(machine, world.scenario.environments[machine.environment].name));
}

void on_pulled(World& world, std::size_t index) {
  const Machine& machine = world.machines[index];
  if (machine.gone) return;
  std::vector<std::string> names;
  for (const auto& [image, there_at] : machine.images)
    if (there_at <= world.now) names.push_back(image);
  apply(world, core::NodeImagesChanged{machine.node.id, core::held_images(std::move(names))});
}

void on_launch_fails(World& world, std::size_t index) {
  Machine& machine = world.machines[index];
  if (machine.gone) return;
  ++world.outcome.launches_failed;
  apply(world, core::LaunchFailed{machine.node.id, fleet::LaunchFailure::Capacity, "no capacity"});
  machine.outcome.use.prices = {{world.now, Money{}}};  // it never was
  machine.outcome.launched = false;
  remove(world, index);
}

void on_advised(World& world, std::size_t index) {
  if (in_service(world.machines[index])) apply(world, core::RebalanceAdvised{world.machines[index].node.id});
}

void on_noticed(World& world, std::size_t index) {
  Machine& machine = world.machines[index];
  if (!in_service(machine)) return;
  machine.noticed = true;
  for (const std::size_t job : machine.runs) on_warned(world, job);
  const SpotModel& spot = world.scenario.environments[machine.environment].spot;
  apply(world, core::InterruptionNotice{machine.node.id, world.now + spot.notice});
}

void on_reclaimed(World& world, std::size_t index) {
  Machine& machine = world.machines[index];
  if (!in_service(machine) || machine.forgotten) return;
  machine.outcome.use.reclaimed = true;
  lose(world, index);
}

void foresee_losses(World& world, std::size_t environment) {
  const SpotModel& spot = world.scenario.environments[environment].spot;
  if (spot.history.losses.empty()) return;
  const std::size_t next = world.environments[environment].losses;
  const auto round = static_cast<std::int64_t>(next / spot.history.losses.size());
  const Duration at = spot.history.length * round + spot.history.losses[next % spot.history.losses.size()].at;
  const Duration before = std::max(spot.notice, spot.advice);
  world.heap.push(std::max(world.now, kStart + at - before), DueKind::SpotLosses, environment);
}

void on_spot_losses(World& world, std::size_t environment) {
  const SpotModel& spot = world.scenario.environments[environment].spot;
  EnvironmentState& state = world.environments[environment];
  const SpotLoss& loss = spot.history.losses[state.losses % spot.history.losses.size()];
  const Instant at = world.now + std::max(spot.notice, spot.advice);
  for (const std::size_t index : state.machines) {
    const Machine& machine = world.machines[index];
    if (!machine.outcome.spot || !in_service(machine) || machine.noticed) continue;
    if (world.rng.chance(static_cast<std::uint64_t>(loss.lost), static_cast<std::uint64_t>(loss.of)))
      foresee_reclaim(world, index, at);
  }
  ++state.losses;
  // When nothing is to come but losses, nothing can change any more.
  const bool more = world.heap.size() >= 2 * world.environments.size();
  if (more || world.launched_alive > 0) foresee_losses(world, environment);
}

void quote_spot(World& world, std::size_t environment, int percent) {
  const auto& policy = world.scenario.environments[environment].policy;
  if (!policy) return;
  for (const std::string& type : policy->types)
    for (const std::string& zone : policy->zones)
      if (const auto price = world.scenario.catalogue.on_demand(type, policy->region))
        world.environments[environment].quotes[{type, zone}] = {Money{price->micros * percent / 100}, 0};
  apply(world, core::SpotQuoted{world.environments[environment].quotes});
}

void foresee_price(World& world, std::size_t environment) {
  const SpotModel& spot = world.scenario.environments[environment].spot;
  const std::size_t next = world.environments[environment].prices;
  if (spot.prices.empty()) return;
  const std::size_t round = next / spot.prices.size();
  if (round > 0 && spot.prices_repeat == Duration{}) return;
  const Instant at = kStart + spot.prices_repeat * static_cast<std::int64_t>(round) +
                     spot.prices[next % spot.prices.size()].after;
  if (at - kStart > kDrawMax) return;
  world.heap.push(at, DueKind::SpotPrice, environment);
}

void on_spot_price(World& world, std::size_t environment) {
  const SpotModel& spot = world.scenario.environments[environment].spot;
  EnvironmentState& state = world.environments[environment];
  quote_spot(world, environment, spot.prices[state.prices++ % spot.prices.size()].percent);
  for (const std::size_t index : state.machines) {
    Machine& machine = world.machines[index];
    if (machine.outcome.spot)
      machine.outcome.use.prices.push_back({world.now, price_of(world, environment, machine.node.pool)});
  }
  // A job may wait for a better price, so this ends with the jobs.
  if (world.ended < world.jobs.size() || world.launched_alive > 0) foresee_price(world, environment);
}

void on_retire(World& world, const core::RetireNode& retire) {
  const auto found = world.machine_names.find(retire.node);
  if (found == world.machine_names.end()) return;
  Machine& machine = world.machines[found->second];
  if (machine.gone || machine.forgotten) return;  // said again
  const LeftRunning& left = world.scenario.environments[machine.environment].left_running;
  const bool forgotten = world.rng.chance(static_cast<std::uint64_t>(left.permille), 1000);
  if (!forgotten || !machine.node.ready_at) return lose(world, found->second);
  machine.forgotten = true;
  world.heap.push(world.now + draw({DrawKind::Exponential, left.mean, {}, 0}, world.rng), DueKind::Remembered,
                  found->second);
}

void on_remembered(World& world, std::size_t index) {
  if (!world.machines[index].gone) lose(world, index);
}

void note_kept(World& world) {
  for (std::size_t i = 0; i < world.environments.size(); ++i) {
    const auto& policy = world.scenario.environments[i].policy;
    if (!policy || policy->limits.vcpus_min == 0) continue;
    for (const std::size_t index : world.environments[i].machines) {
      Machine& machine = world.machines[index];
      const auto launched = world.core.state().launched.find(machine.node.id);
      if (launched == world.core.state().launched.end()) continue;
      const std::vector<cost::Span>& kept = launched->second.kept;
      cost::note_span(machine.outcome.use.kept, !kept.empty() && !kept.back().to, world.now);
    }
  }
}

}  // namespace stoker::sim
