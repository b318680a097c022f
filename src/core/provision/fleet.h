#pragma once
// The machines that the core launches for a MANAGED compute environment, and what is remembered of the pools
// they come from.
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cost/ledger.h"
#include "core/fleet/sizing/plan.h"
#include "core/fleet/sizing/state.h"
#include "core/model/types.h"
#include "core/provision/cost_days.h"
#include "core/schedule/waiting.h"

namespace stoker::core {

// A machine from the decision to launch it until it is gone; or somebody's own that has a price (owned.h). A
// node of the same name appears when its agent says hello. Times that are 0 have not come yet.
struct LaunchedNode {
  std::string name;  // of the node; also the token that makes its launch happen once
  std::string environment;
  fleet::Pool pool;
  Resources total;  // as the catalogue has its type
  Money price;      // per hour, when it was launched
  Money on_demand;  // what one costs on demand; 0: the same
  fleet::LaunchReason reason = fleet::LaunchReason::Demand;
  Instant asked_at;
  std::string instance;               // the engine's name for it; "": the engine has not said that it has it
  Instant started_at;                 // it is paid for since then
  Instant ready_at;                   // its agent said hello
  Instant idle_since;                 // its last run ended; 0: it runs something, or is not ready
  bool claimed = false;               // launched for waiting runs, none of which came to it yet
  std::vector<fleet::NodeRuns> runs;  // those; none once it is ready

  bool mig = false;        // its GPUs are switched to MIG when it starts
  bool rebalance = false;  // EC2 advises to leave it
  bool draining = false;   // takes no new runs
  bool retired = false;    // to be ended; gone when the engine says so
  Instant deadline;        // draining: what runs then is ended with it; 0: never
  std::string why;         // draining or retired

  // Who pays for what nobody uses (cost/ledger.h).
  CostPayer asked_by;            // whose demand it was launched for; nobody: a minimum, or what is desired
  CostPayer used_by;             // who used it last before accounted_from
  std::vector<cost::Span> kept;  // when the minimum of its environment keeps it; since accounted_from

  Instant accounted_from;  // its cost from there on is not accounted for yet; 0: since its start

  // Not in the record.
  JobNo asked_for;  // the first job of the demand that it was launched for; 0: of none, or not known any more
  struct Served {
    JobNo job;
    int attempt = 0;  // from 1
  };
  std::vector<Served> served;  // runs since accounted_from
  Instant heard_at;            // last word of its agent before it disconnected
  Instant underused_since;     // half of it or more is free
  Instant told_at;             // the launch or the end was last asked of the engine; 0: owed since a restart
};

// Instance types that the environments of a queue can launch, and what an hour of one costs at least where it
// can be had now; 0: nowhere.
using OfferedTypes = std::map<std::string, Money>;

struct Fleet {
  std::string environment;
  fleet::PoolBook pools;
  fleet::GapBook gaps;
  std::map<std::string, std::string> zones;  // by subnet, as the engine told
  std::uint64_t launches = 0;                // ever: the next machine gets the next number
  std::int64_t desired_seen = -1;            // the desiredvCpus of the document that were acted on; -1: none
  std::int64_t vcpus_desired = 0;            // asked for and not reached yet
  std::string fault;  // why nothing is launched: what only its owner can put right; "" when all is well
  Instant month;      // spending is counted from there
  Money spent;        // in this month, by machines that are gone
  // All that was accounted for, ever: the bills of machines, and their lines by cost::Kind, which add up to
  // them.
  Money billed;
  std::array<Money, cost::kKindCount> costs{};

  // Of the last look, not in the record.
  using Waits = std::pair<QueueNo, GroupKey>;
  std::map<Waits, fleet::Fate> fates;  // of those who wait
  // What was decided for jobs with a deadline, in words: waiting ones, and those on its spot machines.
  std::map<fleet::Due, std::string> dues;
  std::string complaint;  // why it is INVALID: its document cannot be acted on, or the fault above
  std::string pending;    // why nothing can be launched yet
  fleet::BudgetVerdict budget;
  bool one_run = false;  // its policy says so
  Instant subnets_asked_at;
};

}  // namespace stoker::core
