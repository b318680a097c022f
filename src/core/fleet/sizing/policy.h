#pragma once
// How the fleet of one environment may grow and shrink: what a user sets.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "base/result.h"
#include "core/fleet/budget/budget.h"
#include "core/fleet/window/warm_window.h"
#include "json/json.h"

namespace stoker::fleet {

class Catalogue;

// AWS Batch's allocation strategies (computeResources.allocationStrategy), in our words.
enum class Strategy : std::uint8_t {
  BestFit,                           // the one type that is cheapest for a run; waits when it is sold out
  BestFitProgressive,                // the types that are cheapest together; others when those are sold out
  BestFitProgressiveOrdered,         // the first type of the list that can be had
  SpotCapacityOptimized,             // the pools that are interrupted least, then by price
  SpotPriceCapacityOptimized,        // price, with a premium for interruptions
  SpotCapacityOptimizedPrioritized,  // interrupted least, then in the order of the list
};
std::string_view name_of(Strategy strategy);  // "BEST_FIT"

enum class SpotUse : std::uint8_t { First, Only, Never };

struct MarketPolicy {
  SpotUse use = SpotUse::Never;
  int price_percent_max = 100;  // a spot price above that percent of on-demand is too dear (bidPercentage)
  int failures_max = 3;         // First: so many failures of spot in a row lead to on-demand for a while
  Duration wait_max;            // First: jobs that waited longer get on-demand; 0: no such rule
  int pool_share_percent_max = 50;  // First, Only: spot machines of one pool, where there are others
  bool operator==(const MarketPolicy&) const = default;
};

struct FleetLimits {
  std::int64_t vcpus_min = 0;
  std::int64_t vcpus_max = 256;  // never exceeded, by no strategy (Batch lets some pass it by one machine)
  std::int64_t gpus_max = 0;     // 0: no limit but the others
  std::int64_t nodes_max = 10'000;
  std::int64_t launches_max = 100;  // in one pass
  bool operator==(const FleetLimits&) const = default;
};

struct ColdStart {
  Duration boot = minutes(4);  // from the launch to an agent that says hello
  Duration pull = minutes(8);  // image pull of the first job
  Money launch_fee;            // what a launch costs besides the machine's time
  [[nodiscard]] Duration total() const { return boot + pull; }
  bool operator==(const ColdStart&) const = default;
};

struct FleetPolicy {
  std::string region = "us-east-1";
  std::vector<std::string> zones;
  std::vector<std::string> types;  // of the catalogue, in the order of preference
  Strategy strategy = Strategy::BestFitProgressive;
  MarketPolicy market;
  FleetLimits limits;
  ColdStart cold;
  WarmWindow window;
  Money wait_per_minute;  // what a minute of a job's waiting is worth
  // Patience: so many waiting runs per slot of theirs, in thousandths, are left to the slots there are.
  std::int64_t patience_milli = 0;
  Duration patience_max = hours(1);  // no longer than that
  Duration run_guess = hours(1);     // of runs whose length is not known
  bool one_run = false;              // a machine takes no new runs once one has ended there
  bool consolidate = false;
  Duration consolidate_after = minutes(15);  // a machine must have been underused that long
  Duration boot_max = minutes(20);           // a launch without an agent by then is given up
  Duration silent_max = minutes(15);         // a machine without a word for that long is given up
  Duration age_max;                          // idle machines older are let go whatever the window; 0: none
  Duration stop_grace = minutes(10);         // what running jobs get when the fleet is stopped
  Budget budget;
  bool operator==(const FleetPolicy&) const = default;
};

// From JSON, all members optional but "types" and "zones":
//   {"region":"us-east-1","zones":["us-east-1a"],"types":["g5","p4d.24xlarge"],"strategy":"BEST_FIT_PROGRESSIVE",
//    "spot":{"use":"first","pricePercentMax":100,"failuresMax":3,"waitMaxSeconds":600,"poolSharePercentMax":50},
//    "limits":{"vcpusMin":0,"vcpusMax":256,"gpusMax":0,"nodesMax":100,"launchesMax":100},
//    "cold":{"bootSeconds":240,"pullSeconds":480,"launchFee":"0.10"},
//    "window":{"kind":"fixed","seconds":600} or {"kind":"learnt","mostSeconds":14400} or
//             {"kind":"schedule","seconds":0,"utcOffsetMinutes":60,
//              "rules":[{"days":["mon","tue"],"from":"09:00","to":"17:30","seconds":1800}]},
//    "waitPerMinute":"0.10","patience":0.5,"patienceMaxSeconds":3600,"runGuessSeconds":3600,
//    "consolidate":{"afterSeconds":900},"bootMaxSeconds":1200,"silentMaxSeconds":900,"ageMaxSeconds":0,
//    "stopGraceSeconds":600,
//    "budget":{"limit":"1000","warnPercent":80,"stopLaunchesPercent":100,"stopFleetPercent":120}}
// InvalidArgument names the member that breaks a rule; unknown members break one, too.
Result<FleetPolicy> read_fleet_policy(const json::Value& value, const Catalogue& catalogue);

}  // namespace stoker::fleet
