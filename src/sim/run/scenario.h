#pragma once
// What is simulated: jobs from traces or generators, machines that are there or launched as needed, prices,
// failures. The format is docs/scenarios.md.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/cost/billing.h"
#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/policy.h"
#include "core/model/quota.h"
#include "core/placement/policy_name.h"
#include "json/json.h"
#include "sim/run/generate.h"
#include "sim/run/traces.h"

namespace stoker::sim {

inline constexpr std::size_t kJobSourcesMax = 100;
inline constexpr std::size_t kSimEnvironmentsMax = 100;
inline constexpr std::size_t kSimQueuesMax = 100;
inline constexpr std::size_t kSimJobsMax = 5'000'000;     // in all
inline constexpr std::int64_t kSimMachinesMax = 100'000;  // in all
// Where a scenario does not say how long, and its jobs or machines find no end.
inline constexpr Duration kSimulatedMax = days(7300);
// Nor is it told for longer how nothing runs. More than a month: budgets begin anew with each.
inline constexpr Duration kStalledMax = days(40);

struct TraceSource {
  TraceKind kind = TraceKind::Itp;
  std::string file;                // below the folder of traces; "archive.tar.gz:file" for one of an archive
  std::int64_t limit = 0;          // the first so many jobs; 0: all
  std::int64_t gpus_max = 0;       // larger jobs are left out, and counted; 0: none
  std::int64_t gpus_per_node = 0;  // larger jobs are split into nodes; 0: as the largest machine has
  std::int64_t gpus_per_unit = 1;  // Demand: each unit of the curve is a job with so many
  std::int64_t cpus_milli_per_gpu = 1000;  // where the trace says nothing
  std::int64_t memory_mib_per_gpu = 1024;
  std::vector<Duration> time_limits;  // ascending: each job has the first that it keeps
  std::int64_t cpus_milli = 0;        // of each job, or node, whatever its GPUs; 0: by GPU
  std::string throughputs;            // Gavel: the file with the speeds of its models, below the folder, too
  std::string gpu_model = "v100";     // Gavel: as that file names it
  SimJob form;                        // queue, tenant where the trace has none, checkpoint, failures
};
// Exactly one of both.
struct JobSource {
  std::optional<TraceSource> trace;
  std::optional<Generator> generator;
};

struct StaticMachines {
  std::string type;  // of the catalogue
  std::int64_t count = 0;
  std::int64_t racks = 0;  // of their own, evenly filled; 0: nobody knows where they stand
};
// From then on spot costs that part of on-demand.
struct SpotPrice {
  Duration after;  // the start, or the last repetition
  int percent = 100;
};
struct SpotModel {
  int price_percent = 100;         // of on-demand; 100: the catalogue's typical spot price
  std::vector<SpotPrice> prices;   // ascending; after the first of them in place of price_percent
  Duration prices_repeat;          // 0: not
  std::int64_t fail_permille = 0;  // launches that bring nothing
  Duration mean_to_interruption;   // of one machine; 0: never
  // A recorded fleet, over and over: of its machines at a loss so many went, and as large a part of ours
  // goes.
  std::string events;
  SpotHistory history;  // of `events`, once read
  Duration notice;      // the seller tells so long before it takes a machine back; 0: it does not
  Duration advice;      // and advises to leave it so long before; 0: it does not
};
// Machines that somebody forgets to end: they are paid for longer, count against limits, and are used by
// nobody.
struct LeftRunning {
  std::int64_t permille = 0;
  Duration mean;
};
struct SimEnvironment {
  std::string name;
  std::vector<StaticMachines> machines;      // there from the start to the end
  std::optional<fleet::FleetPolicy> policy;  // launched as needed
  bool mig = false;                          // GPUs that can make MIG devices serve nothing else
  Draw boot = always(minutes(4));
  Draw pull = always({});                // of an image that the machine does not hold
  std::int64_t pull_mib_per_second = 0;  // in place of that where the size of the image is told; 0: not
  bool keeps_images = true;              // else every run pulls
  std::int64_t on_demand_fail_permille = 0;
  SpotModel spot;
  LeftRunning left_running;
  bool one_run_a_machine = false;  // a launched machine goes with its first run
  cost::BillingRule billing;
  bool spread_idle_cost = false;  // those who run on a machine pay for what is idle beside them

  // Otherwise it does not matter who holds which image.
  [[nodiscard]] bool pulls_once() const {
    return keeps_images && (pull != always({}) || pull_mib_per_second > 0);
  }
  [[nodiscard]] std::string region() const { return policy ? policy->region : "us-east-1"; }
};
struct SimQueue {
  std::string name;
  int priority = 1;
  std::vector<std::string> environments;
  // As CreateSchedulingPolicy takes it: {"fairsharePolicy":{…}}; each tenant is a share. Null: first come
  // first served.
  json::Shared scheduling_policy;
  // Each tenant is the share of that name; without any, there are no limits.
  std::vector<core::QuotaShare> quota_shares;
};

struct Scenario {
  std::string name;
  std::string about;  // what it has in common with others of its file
  std::string story;
  std::uint64_t seed = 1;
  Duration length;  // arrivals end then, and what still runs is counted so far; 0: until all is done
  std::vector<JobSource> jobs;
  std::vector<SimEnvironment> environments;
  std::vector<SimQueue> queues;
  core::PolicyName placement = core::kDefaultPolicy;
  Draw restart = always({});  // load of a checkpoint, of each start after the first
  fleet::Catalogue catalogue;
};

// InvalidArgument names the member, and what it must be; unknown members are faults.
Result<Scenario> read_scenario(const json::Value& value);

}  // namespace stoker::sim
