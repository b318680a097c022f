#include "core/fleet/deadline/deadline.h"

#include <algorithm>

#include "base/money.h"

namespace stoker::fleet {
namespace {

// Time that may pass without work.
Duration slack(const DeadlineTask& task, const DeadlineView& view) {
  return task.allowed - view.elapsed - (task.work - view.done);
}

// e(t): the work that is done at `elapsed` if the job goes on evenly to its deadline.
Duration even_progress(const DeadlineTask& task, Duration elapsed) {
  if (task.allowed.ms <= 0) return task.work;
  return {static_cast<std::int64_t>(static_cast<Wide>(elapsed.ms) * task.work.ms / task.allowed.ms)};
}

// Whether the job would come too late if it did not go to on-demand by the next call. Two starts are kept in
// hand: one for the machine that is then taken, one for the machine that may just have been lost.
bool must_hurry(const DeadlineTask& task, const DeadlineView& view, Duration tick) {
  return slack(task, view) < task.loss + task.overhead * 2 + tick;
}

// Whether the job on spot should go while it can: if it were interrupted now it would come too late, moved it
// would not. A job that would be done before another machine is there stays.
bool should_leave_spot(const DeadlineTask& task, const DeadlineView& view, Duration tick) {
  const Duration left = slack(task, view);
  return view.move && left < task.loss + task.overhead + tick && left >= *view.move + tick &&
         task.work - view.done > task.overhead;
}

// Whether a job on on-demand is so far ahead that a new start later on is paid for.
bool ahead_by_two_starts(const DeadlineTask& task, const DeadlineView& view) {
  return view.done >= even_progress(task, view.elapsed + task.overhead * 2);
}

DeadlineChoice uniform_progress(const DeadlineTask& task, const DeadlineView& view, bool eager) {
  if (view.on == Ground::Spot && view.spot_available) return {Ground::Spot, DeadlineRule::KeepSpot};
  if (view.on == Ground::OnDemand) {
    const bool may_leave = ahead_by_two_starts(task, view);
    if (view.spot_available && (eager || may_leave)) return {Ground::Spot, DeadlineRule::UseSpot};
    if (!may_leave) return {Ground::OnDemand, DeadlineRule::KeepOnDemand};
    return {Ground::Nothing, DeadlineRule::LeaveOnDemand};
  }
  if (view.spot_available) return {Ground::Spot, DeadlineRule::UseSpot};
  if (view.done < even_progress(task, view.elapsed)) return {Ground::OnDemand, DeadlineRule::CatchUp};
  return {Ground::Nothing, DeadlineRule::Wait};
}

DeadlineChoice spot_or(Ground otherwise, const DeadlineView& view) {
  if (view.spot_available)
    return {Ground::Spot, view.on == Ground::Spot ? DeadlineRule::KeepSpot : DeadlineRule::UseSpot};
  return {otherwise, otherwise == Ground::Nothing ? DeadlineRule::Wait : DeadlineRule::CatchUp};
}

// "45 s", "40 min", "2 h 5 min": rounded down.
std::string describe(Duration time) {
  const std::int64_t whole = std::max<std::int64_t>(0, time.ms) / 1000;
  if (whole < 60) return std::to_string(whole) + " s";
  const std::int64_t minutes = whole / 60;
  if (minutes < 60) return std::to_string(minutes) + " min";
  std::string text = std::to_string(minutes / 60) + " h";
  if (minutes % 60 != 0) text += " " + std::to_string(minutes % 60) + " min";
  return text;
}

std::int64_t permille(Duration part, Duration whole) {
  return whole.ms <= 0 ? 0 : static_cast<std::int64_t>(static_cast<Wide>(part.ms) * 1000 / whole.ms);
}

}  // namespace

std::string_view name_of(DeadlineRule rule) {
  switch (rule) {
    case DeadlineRule::UseSpot:
      return "use-spot";
    case DeadlineRule::KeepSpot:
      return "keep-spot";
    case DeadlineRule::CatchUp:
      return "catch-up";
    case DeadlineRule::KeepOnDemand:
      return "keep-on-demand";
    case DeadlineRule::LeaveOnDemand:
      return "leave-on-demand";
    case DeadlineRule::SafetyNet:
      return "safety-net";
    case DeadlineRule::Wait:
      return "wait";
    case DeadlineRule::Finished:
      return "finished";
    case DeadlineRule::LeaveSpot:
      return "leave-spot";
  }
  return "";
}

std::string_view name_of(DeadlinePolicy policy) {
  switch (policy) {
    case DeadlinePolicy::OnDemandOnly:
      return "on-demand-only";
    case DeadlinePolicy::Greedy:
      return "greedy";
    case DeadlinePolicy::SpotElseOnDemand:
      return "spot-else-on-demand";
    case DeadlinePolicy::UniformProgress:
      return "uniform-progress";
    case DeadlinePolicy::UniformProgressEager:
      return "uniform-progress-eager";
  }
  return "";
}

DeadlineChoice choose_ground(DeadlinePolicy policy, const DeadlineTask& task, const DeadlineView& view,
                             Duration tick) {
  // 1. Nothing left to do.
  if (view.done >= task.work) return {Ground::Nothing, DeadlineRule::Finished};
  if (policy == DeadlinePolicy::OnDemandOnly) return {Ground::OnDemand, DeadlineRule::KeepOnDemand};
  // 2. A spot machine that runs is left only when it is taken away: to leave it early loses a start for sure,
  //    and the two starts in hand cover its loss at any later moment. Where they are gone it is left in time.
  if (view.on == Ground::Spot && view.spot_available) {
    if (should_leave_spot(task, view, tick)) return {Ground::OnDemand, DeadlineRule::LeaveSpot};
    return {Ground::Spot, DeadlineRule::KeepSpot};
  }
  // 3. The safety net comes before any policy.
  if (must_hurry(task, view, tick)) return {Ground::OnDemand, DeadlineRule::SafetyNet};
  // 4. The policy.
  switch (policy) {
    case DeadlinePolicy::Greedy:
      return spot_or(Ground::Nothing, view);
    case DeadlinePolicy::SpotElseOnDemand:
      return spot_or(Ground::OnDemand, view);
    case DeadlinePolicy::UniformProgressEager:
      return uniform_progress(task, view, true);
    case DeadlinePolicy::UniformProgress:
    case DeadlinePolicy::OnDemandOnly:
      break;
  }
  return uniform_progress(task, view, false);
}

std::string explain_choice(const DeadlineTask& task, const DeadlineView& view, const DeadlineChoice& choice) {
  const Duration left = slack(task, view);
  std::string text = choice.on == Ground::Nothing ? "waits for spot" : std::string(name_of(choice.on));
  text += left.ms < 0 ? ": " + describe({-left.ms}) + " too late for "
                      : ": " + describe(left) + " of slack are left for ";
  return text + describe(task.work - view.done) + " of work (" + std::string(name_of(choice.rule)) + ")";
}

DeadlinePolicy policy_for(const DeadlineTask& task) {
  // With much slack waiting is nearly free, and the more so the dearer a start is. With little slack evenness
  // pays. The line between the two is fitted to replays of nine zones (docs/decisions/032).
  constexpr std::int64_t kSlackLeast = 300;
  constexpr std::int64_t kStartWeight = 65;
  constexpr std::int64_t kGreedyFrom = 720;
  const std::int64_t slack = permille(task.allowed - task.work, task.work);
  const std::int64_t starts = permille(Duration{task.overhead.ms * kStartWeight}, task.work);
  const bool much = slack >= kSlackLeast && slack + starts >= kGreedyFrom;
  return much ? DeadlinePolicy::Greedy : DeadlinePolicy::UniformProgressEager;
}

std::string explain_policy(const DeadlineTask& task) {
  const Duration slack = task.allowed - task.work;
  std::string text = "slack is " + std::to_string(permille(slack, task.work) / 10) + " % of the work";
  if (task.overhead.ms > 0) text += " and " + std::to_string(slack.ms / task.overhead.ms) + " starts long";
  return text + ": " + std::string(name_of(policy_for(task)));
}

}  // namespace stoker::fleet
