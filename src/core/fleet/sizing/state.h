#pragma once
// The machines of one environment as sizing sees them.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/budget/budget.h"
#include "core/fleet/demand/room.h"
#include "core/fleet/market/pool.h"
#include "core/fleet/window/gap_book.h"

namespace stoker::fleet {

enum class NodePhase : std::uint8_t {
  Launching,  // asked for; its agent has not said hello
  Ready,
  Draining,  // gets no new run
};

// Runs on a machine that ask for the same thing; or those that a machine is launched for.
struct NodeRuns {
  Need need;
  std::int64_t runs = 0;
  bool movable = false;  // may be stopped and started elsewhere
  // Of movable ones: the work that all of them together would do again, and their starts elsewhere; and when
  // the last of them would end by itself, as far as known.
  Duration redone = {};
  Duration left = {};
  std::optional<Due> due = {};  // one run; what it did and would keep counts as done
  std::uint64_t asker = 0;      // Demand::asker of the first of them
  bool operator==(const NodeRuns&) const = default;
};

struct FleetNode {
  std::string id;
  Pool pool;
  NodePhase phase = NodePhase::Launching;
  Instant launched_at;
  Instant ready_at;         // 0: not yet
  Instant heard_at;         // last word of its agent; 0: never
  Instant idle_since;       // 0: it runs something, or is not ready
  Instant underused_since;  // half of it or more has been free since; 0: it is not
  bool rebalance = false;   // EC2 advises to leave it
  bool mig = false;         // its GPUs are switched to MIG
  Room free;                // Ready only
  std::vector<NodeRuns> runs;
};

// What spot costs and risks in a zone now.
struct SpotQuote {
  Money price;                            // per hour
  std::int64_t interruption_percent = 0;  // a month, at most; 0: not known
};

struct FleetState {
  bool enabled = true;  // a DISABLED environment keeps its minimum and grows no further
  std::vector<FleetNode> nodes;
  PoolBook pools;
  GapBook gaps;
  std::map<std::pair<std::string, std::string>, SpotQuote> quotes;  // by type, zone; else the catalogue's
  std::int64_t vcpus_desired = 0;  // asked for by the user, once; the caller clears it when the plan says so
  BudgetVerdict budget;
};

}  // namespace stoker::fleet
