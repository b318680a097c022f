#include "core/fleet/deadline/replay.h"

#include <algorithm>

#include "base/assert.h"

namespace stoker::fleet {
namespace {

void move_to(Ground ground, const DeadlineTask& task, DeadlineView& view, DeadlineOutcome& outcome) {
  if (ground == view.on) return;
  view.on = ground;
  view.overhead_left = task.overhead;
  if (ground != Ground::Nothing) ++outcome.starts;
}

}  // namespace

DeadlineOutcome replay_deadline(DeadlinePolicy policy, const DeadlineTask& task, const SpotSeries& series,
                                std::size_t first, const GroundPrices& prices) {
  ASSERT(series.gap.ms > 0 && !series.available.empty(), "a series without time");
  DeadlineOutcome outcome;
  DeadlineView view;
  for (std::size_t tick = first; view.elapsed < task.allowed; ++tick) {
    view.spot_available = series.available[std::min(tick, series.available.size() - 1)];
    if (view.on == Ground::Spot && !view.spot_available) {
      ++outcome.interruptions;
      move_to(Ground::Nothing, task, view, outcome);
    }
    const DeadlineChoice choice = choose_ground(policy, task, view, series.gap);
    ++outcome.decisions[static_cast<std::size_t>(choice.rule)];
    if (choice.rule == DeadlineRule::Finished) break;
    move_to(choice.on, task, view, outcome);
    Duration step = std::min(series.gap, task.allowed - view.elapsed);
    if (view.on != Ground::Nothing) {
      step = std::min(step, view.overhead_left + (task.work - view.done));
      const Duration starting = std::min(view.overhead_left, step);
      view.overhead_left = view.overhead_left - starting;
      view.done = view.done + (step - starting);
      (view.on == Ground::Spot ? outcome.on_spot : outcome.on_demand).ms += step.ms;
    }
    view.elapsed = view.elapsed + step;
  }
  outcome.met = view.done >= task.work;
  if (outcome.met) outcome.finished = view.elapsed;
  outcome.cost = cost_of(prices.spot, outcome.on_spot) + cost_of(prices.on_demand, outcome.on_demand);
  return outcome;
}

}  // namespace stoker::fleet
