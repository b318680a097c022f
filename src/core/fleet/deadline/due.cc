#include "core/fleet/deadline/due.h"

#include <algorithm>

namespace stoker::fleet {

DeadlineTask task_of(const Due& due, Duration guess, Duration overhead) {
  DeadlineTask task;
  task.work = due.work.ms > 0 ? due.work : guess;
  task.allowed = std::max(due.deadline - due.clock, milliseconds(1));
  task.overhead = overhead;
  task.loss = std::min(due.loss, task.work);
  return task;
}

DueChoice choose_for(const DeadlineTask& task, const Due& due, const DueRun& run, bool spot_available,
                     Instant now) {
  DeadlineView view;
  view.elapsed = std::max(now - due.clock, Duration{});
  // A job that goes on for longer than it said has a second left, as far as anybody knows.
  view.done = std::min(due.done + run.worked, task.work - seconds(1));
  view.on = run.on;
  view.spot_available = run.on == Ground::Spot ? !run.leaving : spot_available;
  view.move = run.move;
  const DeadlineChoice choice = choose_ground(policy_for(task), task, view, kDueTick);
  return {choice, explain_choice(task, view, choice)};
}

}  // namespace stoker::fleet
