#pragma once
// What sizing wants done, and why; and what it did not do, and why not.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/market/pool.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

enum class LaunchReason : std::uint8_t {
  Demand,
  Minimum,
  Desired,
  Owned,  // it was not launched: it is somebody's own, and has a price
};
std::string_view name_of(LaunchReason reason);

struct Launch {
  Pool pool;
  std::int64_t count = 0;
  LaunchReason reason = LaunchReason::Demand;
  std::string text;
  std::vector<NodeRuns> runs;  // that each of them is launched for
  // For each of them who caused its launch, by Demand::asker; others may fill the room that is left there.
  std::vector<std::uint64_t> askers = {};
  bool mig = false;  // its GPUs are to be switched to MIG when it starts
  bool operator==(const Launch&) const = default;
};

enum class RetireReason : std::uint8_t {
  IdleLonger,   // than its warm window
  Drained,      // its last run has ended
  NeverJoined,  // its agent never said hello
  Silent,       // its agent said nothing for too long
  TooOld,
  Rebalance,    // EC2 advises so: no new runs; its replacement is launched with the demand
  Consolidate,  // its runs fit elsewhere
  Budget,
  MakesRoom,  // below a limit, for machines that can hold what waits first; or for cheaper ones
};
std::string_view name_of(RetireReason reason);

struct Retire {
  std::string node;
  RetireReason reason = RetireReason::IdleLonger;
  bool drain = false;  // let its runs end first
  bool move = false;   // its runs are asked to checkpoint and go; only with drain
  Instant deadline;    // with drain: what runs then is stopped; 0: never
  std::string text;
  bool operator==(const Retire&) const = default;
};

enum class HoldKind : std::uint8_t {
  None,
  NeverFits,     // no type of the environment could hold it
  BeyondLimits,  // the environment could not hold it if it had no other machine
  Disabled,
  Budget,
  Patience,    // the slots there are will do
  Limit,       // vCPUs, GPUs, machines or launches of this pass
  NoCapacity,  // every pool it could use is parked
  NoSpot,      // it wants spot only, and there is none, or none cheap or steady enough
  NotForSpot,  // it does not want spot and there is nothing else here, or the other way round
  NoPrice,     // nothing it could use has a known price
};
std::string_view name_of(HoldKind kind);

// What becomes of one demand: its runs are split among these.
struct Fate {
  std::int64_t on_ready = 0;      // fit on machines that are there
  std::int64_t on_launching = 0;  // on machines under way
  std::int64_t on_launches = 0;   // on machines that this plan launches
  std::int64_t held = 0;
  HoldKind hold = HoldKind::None;
  std::string text;  // why they are held
  std::string due;   // what their deadline says: "on-demand: …"; "" without one
  Instant until;     // when that may change by itself; 0: not by itself
  bool operator==(const Fate&) const = default;
};

struct Plan {
  std::vector<Launch> launches;
  std::vector<Retire> retirements;
  std::vector<Fate> fates;  // one for each demand, in its order
  bool desired_reached = false;
  std::optional<Instant> look_again;  // when the passing of time alone may change the plan
  bool operator==(const Plan&) const = default;
};

}  // namespace stoker::fleet
