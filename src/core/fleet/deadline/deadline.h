#pragma once
// Spot with a deadline: where a job that keeps its progress should run next, so that it is done in time and
// costs little. Uniform Progress and its relatives, after Wu et al., "Can't Be Late: Optimizing Spot Instance
// Savings under Deadlines" (NSDI 2024). Pure: the same answer for the same view, in the simulator and
// outside.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace stoker::fleet {

// The job as it was when its clock began.
struct DeadlineTask {
  Duration work;      // compute time it needs in all, without restarts
  Duration allowed;   // from the start of its clock to the deadline
  Duration overhead;  // what every start costs before progress goes on: boot, pull, load of the checkpoint
  // Of work, at most, that goes with a machine that is taken away: what was done since the last checkpoint;
  // for a job that keeps nothing, all of it.
  Duration loss = {};
};

enum class Ground : std::uint8_t { Nothing, Spot, OnDemand };
constexpr std::string_view name_of(Ground ground) {
  return ground == Ground::Spot ? "spot" : ground == Ground::OnDemand ? "on-demand" : "nothing";
}

// The job now. While it starts, `overhead_left` says how much of that is still before it.
struct DeadlineView {
  Duration elapsed;  // since its clock began
  Duration done;     // work
  Ground on = Ground::Nothing;
  Duration overhead_left;
  bool spot_available = false;  // could be had now; while on spot: it was not taken away
  // What it costs to move it from spot to an on-demand machine that is there: lost work and a start without a
  // boot. Nothing: it cannot be moved.
  std::optional<Duration> move = {};
};

enum class DeadlineRule : std::uint8_t {
  UseSpot,        // spot is there and there is time to lose
  KeepSpot,       // stay until it is taken away, even when behind
  CatchUp,        // behind uniform progress and no spot: on-demand
  KeepOnDemand,   // stay until ahead of uniform progress by two starts, so that it does not flap
  LeaveOnDemand,  // ahead enough: wait for spot, which costs nothing
  SafetyNet,      // what is left of the time is needed: on-demand to the end
  Wait,           // ahead: wait for spot
  Finished,
  LeaveSpot,  // an interruption now would make it late, a move in time would not
};
std::string_view name_of(DeadlineRule rule);

enum class DeadlinePolicy : std::uint8_t {
  OnDemandOnly,
  Greedy,                // spot or nothing until the safety net must act
  SpotElseOnDemand,      // spot when it is there, else on-demand
  UniformProgress,       // leaves on-demand for spot only when ahead by two starts
  UniformProgressEager,  // leaves on-demand for spot as soon as it is there
};
std::string_view name_of(DeadlinePolicy policy);

struct DeadlineChoice {
  Ground on = Ground::Nothing;
  DeadlineRule rule = DeadlineRule::Finished;
  bool operator==(const DeadlineChoice&) const = default;
};

// A job on spot is left there until it is taken away, since leaving it loses a start for sure, but for
// LeaveSpot: where the two starts that the safety net keeps in hand are gone, because it came to spot without
// this function or its start took long, and it can be moved.
//
// `tick` bounds how late the next call may be: the safety net acts that much earlier.
// Holds the deadline whenever work + 2 overheads + tick <= allowed at the start and on-demand can be had.
DeadlineChoice choose_ground(DeadlinePolicy policy, const DeadlineTask& task, const DeadlineView& view,
                             Duration tick);

// "on-demand: 40 min of slack are left for 35 min of work (safety net)", "…: 5 min too late for …".
std::string explain_choice(const DeadlineTask& task, const DeadlineView& view, const DeadlineChoice& choice);

// By slack: how much time the job may lose, against its work and against the price of a start. See
// docs/decisions for the measurements behind it.
DeadlinePolicy policy_for(const DeadlineTask& task);
// "slack 25 % of the work, 40 starts long: uniform-progress-eager"
std::string explain_policy(const DeadlineTask& task);

}  // namespace stoker::fleet
