#pragma once
// The runnable jobs of a queue in groups of those that are alike for scheduling: what does not fit for one of
// a group fits for none of it. So a pass costs by groups and placements, not by waiting jobs.
#include <map>
#include <string>
#include <vector>

#include "core/job/job_set.h"
#include "core/model/shape.h"
#include "core/model/types.h"

namespace stoker::core {

// Why nothing of a group could be placed, in the terms of the rule that said no.
enum class WaitKind : std::uint8_t {
  None,         // not tried yet
  Resources,    // a node could hold it, but is too full now
  Consumables,  // units of a consumable resource are taken
  Order,        // it would fit, but an earlier job waits for the same resource
  Cap,          // as many run as may at a time
  Reservation,  // the queue keeps the rest for shares that are not active (computeReservation)
  NeverFits,    // larger than every node of its environments, or than all there is of something
  NoNodes,      // its environments have no connected node
  Disabled,     // no environment of the queue is enabled
  Quota,        // its quota share may not have more
  // Why no machine is there for it, where machines are launched (provision/waits.h).
  Launching,   // some are on their way
  NoCapacity,  // EC2 had none to give a moment ago
  Limit,       // of the environment: vCPUs, GPUs, machines
  Budget,      // it is used up
  Market,      // spot, or a price, as the job or the environment wants it
  Patience,    // the machines there are will get round to it
  Invalid,     // the environment must be put right first
};
// Another machine could help who waits for this.
bool is_about_capacity(WaitKind kind);
struct WaitReason {
  WaitKind kind = WaitKind::None;
  std::string text;           // one sentence for a person
  JobNo behind;               // kind Order: the job that goes first
  Instant since;              // when this kind of reason began
  bool for_machines = false;  // kind Order: it would fit where machines are kept for that job
  bool operator==(const WaitReason&) const = default;
};

struct GroupKey {
  std::string share = {};  // shareIdentifier; "" on FIFO queues
  int priority = 0;        // schedulingPriority; 0 on FIFO queues, where it means nothing
  // When the job's definition limits how many of it run at a time: its name, and the limit.
  std::string definition = {};
  std::int64_t definition_max = 0;
  JobNo array = {};  // the job's array, when that limits how many of its children run at a time
  ShapeNo shape = {};
  bool stays = false;  // jobs that nobody may stop once they run, and which so may not borrow (quota shares)
  auto operator<=>(const GroupKey&) const = default;
};
// No jobs can be stopped so that `job` starts: found out at `at`, true while World::room_version stays.
struct NoPreemption {
  JobNo job;
  std::uint64_t room_version = 0;
  Instant at;
};
struct WaitingGroup {
  JobSet jobs;
  JobSet due;          // those with a deadline
  WaitReason reason;   // of the last pass that tried it
  WaitReason machine;  // of the last look at the fleets; kind None: they are not concerned
  NoPreemption no_preemption = {};
  // The one to show.
  [[nodiscard]] const WaitReason& shown() const { return machine.kind == WaitKind::None ? reason : machine; }
};
using WaitingJobs = std::map<GroupKey, WaitingGroup>;

struct Job;
struct State;

GroupKey group_of(const State& state, const Job& job);
// The job's group. Null when the job does not wait.
const WaitingGroup* find_waiting_group(const State& state, const Job& job);
// The one to show, of the job's group. Null when the job does not wait.
const WaitReason* find_wait_reason(const State& state, const Job& job);

// A job becomes RUNNABLE, or no longer is.
void enter_waiting(State& state, const Job& job);
void leave_waiting(State& state, const Job& job);

}  // namespace stoker::core
