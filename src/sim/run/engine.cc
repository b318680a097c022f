#include "sim/run/engine.h"

#include <algorithm>
#include <utility>

#include "sim/run/jobs.h"
#include "sim/run/machines.h"
#include "sim/run/set_up.h"

namespace stoker::sim {
namespace {

constexpr std::uint64_t kTurnsBetweenChecks = 1000;
constexpr std::uint64_t kTurnsBetweenNews = 4096;

void happen(World& world, const Due& due) {
  switch (due.kind) {
    case DueKind::Submit:
      return submit(world, due.subject);
    case DueKind::Works:
      return on_works(world, due);
    case DueKind::Ends:
      return on_ends(world, due);
    case DueKind::Killed:
      return on_killed(world, due);
    case DueKind::Ready:
      return on_ready(world, due.subject);
    case DueKind::Pulled:
      return on_pulled(world, due.subject);
    case DueKind::LaunchFails:
      return on_launch_fails(world, due.subject);
    case DueKind::Advised:
      return on_advised(world, due.subject);
    case DueKind::Noticed:
      return on_noticed(world, due.subject);
    case DueKind::SpotLosses:
      return on_spot_losses(world, due.subject);
    case DueKind::SpotPrice:
      return on_spot_price(world, due.subject);
    case DueKind::Reclaimed:
      return on_reclaimed(world, due.subject);
    case DueKind::Remembered:
      return on_remembered(world, due.subject);
  }
}

void carry_out(World& world, const core::Action& action) {
  if (const auto* start = std::get_if<core::StartRun>(&action)) return on_start(world, *start);
  if (const auto* stop = std::get_if<core::StopRun>(&action)) return on_stop(world, *stop);
  if (const auto* launch = std::get_if<core::LaunchNodes>(&action)) return on_launch(world, *launch);
  if (const auto* retire = std::get_if<core::RetireNode>(&action)) return on_retire(world, *retire);
  if (const auto* replied = std::get_if<core::Replied>(&action)) return on_replied(world, *replied);
}

void log_actions(EventLog& log, core::Actions actions) {
  for (core::Action& action : actions)
    if (auto* start = std::get_if<core::StartRun>(&action)) start->spec = nullptr;
  log.back().actions = std::move(actions);
}

void note_budgets(World& world) {
  for (std::size_t i = 0; i < world.environments.size(); ++i) {
    const SimEnvironment& rules = world.scenario.environments[i];
    if (!rules.policy || rules.policy->budget.limit <= Money{}) continue;
    const auto fleet = world.core.state().fleets.find(rules.name);
    if (fleet == world.core.state().fleets.end()) continue;
    const fleet::BudgetVerdict& verdict = fleet->second.budget;
    if (std::exchange(world.environments[i].budget, verdict.level) == verdict.level) continue;
    if (verdict.level != fleet::BudgetLevel::Fine)
      world.outcome.budgets.push_back({rules.name, world.now, verdict.level, verdict.text});
  }
}

// As the server's: all that has happened, what fell due, one pass, then the actions.
void turn(World& world) {
  if (world.log != nullptr) world.log->back().at = world.now;
  if (!world.by_number.empty()) world.progressed = world.now;
  while (!world.heap.empty() && world.heap.top().at <= world.now) happen(world, world.heap.pop());
  if (const auto timer = world.core.next_wakeup(); timer && *timer <= world.now)
    world.core.apply(world.now, core::TimerFired{}, world.actions);
  world.core.schedule(world.now, world.actions);
  world.turn_owed = false;
  note_budgets(world);
  note_kept(world);
  static_cast<void>(world.core.take_changes());
  core::Actions actions;
  actions.swap(world.actions);
  if (world.log != nullptr) {
    log_actions(*world.log, actions);
    world.log->emplace_back();  // for what the actions bring about
  }
  for (const core::Action& action : actions) carry_out(world, action);
  if (++world.outcome.turns % kTurnsBetweenChecks == 0 && world.jobs.size() < 5000)
    world.core.check_invariants();
  if (world.progress != nullptr && world.outcome.turns % kTurnsBetweenNews == 0)
    world.progress->at(world.ended, world.jobs.size(), world.now - kStart);
}

Instant last_instant(const World& world) {
  if (world.scenario.length > Duration{}) return kStart + world.scenario.length;
  const bool runs = !world.by_number.empty();
  return runs ? kStart + kSimulatedMax : std::min(kStart + kSimulatedMax, world.progressed + kStalledMax);
}

std::optional<Instant> next_instant(const World& world) {
  if (world.turn_owed) return world.now;
  std::optional<Instant> next;
  if (!world.heap.empty()) next = world.heap.top().at;
  const auto timer = world.core.next_wakeup();
  if (timer && (!next || *timer < *next)) next = std::max(*timer, world.now);
  if (next && *next >= last_instant(world)) return std::nullopt;
  return next;
}

bool over(const World& world) {
  return world.scenario.length == Duration{} && world.ended == world.jobs.size() && world.launched_alive == 0;
}

void close(World& world) {
  world.outcome.ended = world.now;
  for (std::size_t index = 0; index < world.jobs.size(); ++index)
    if (world.outcome.jobs[index].end == JobEnd::Running) note_running(world, index);
  for (const auto& [queue, waiting] : world.core.state().waiting)
    for (const auto& [group, jobs] : waiting) {
      const core::Job& first = *world.core.state().jobs.find(*jobs.jobs.first());
      world.outcome.jobs[static_cast<std::size_t>(std::stoull(first.extra->name))].waits = jobs.shown().text;
    }
  for (Machine& machine : world.machines) {
    if (!machine.outcome.launched && machine.gone) continue;  // a launch that brought nothing
    world.outcome.machines.push_back(std::move(machine.outcome));
  }
}

}  // namespace

Outcome simulate(const Scenario& scenario, const std::vector<SimJob>& jobs, std::uint64_t seed,
                 Progress* progress, EventLog* log) {
  World world(scenario, jobs, seed, progress);
  world.log = log;
  if (log != nullptr) log->assign(1, {});
  set_up(world);
  turn(world);
  for (std::size_t i = 0; i < scenario.environments.size(); ++i) {
    foresee_losses(world, i);
    foresee_price(world, i);
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    world.heap.push(kStart + jobs[i].submit, DueKind::Submit, i);
    world.progressed = std::max(world.progressed, kStart + jobs[i].submit);
  }
  while (const auto next = next_instant(world)) {
    world.now = *next;
    turn(world);
    if (over(world)) break;
  }
  if (scenario.length > Duration{}) world.now = std::max(world.now, kStart + scenario.length);
  close(world);
  return std::move(world.outcome);
}

}  // namespace stoker::sim
