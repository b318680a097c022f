#pragma once
// Everything the core knows. Read freely; only Core changes it.
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/job/job_table.h"
#include "core/machines/execution_table.h"
#include "core/machines/registry.h"
#include "core/model/definition.h"
#include "core/model/quota.h"
#include "core/model/resources.h"
#include "core/provision/cost_days.h"
#include "core/provision/fleet.h"
#include "core/schedule/quota/book.h"
#include "core/schedule/waiting.h"

namespace stoker::core {

struct DefinitionRevisions {
  int last_revision = 0;    // numbers go on after a deregistration
  std::int64_t active = 0;  // jobs STARTING or RUNNING; follows from the jobs, not in a record
  std::map<int, std::shared_ptr<const JobDefinition>> revisions;
  [[nodiscard]] std::shared_ptr<const JobDefinition> latest_active() const;
};

// Others are being stopped so that a waiting job can run (schedule/preempt/claims.h).
struct Claim {
  std::string node;         // where it will run, there or not; "": anywhere, its share had to give
  std::set<JobNo> victims;  // not ended yet
  bool operator==(const Claim&) const = default;
};

struct State {
  std::map<std::string, DefinitionRevisions> definitions;
  std::map<std::string, ComputeEnvironment> environments;
  std::map<std::string, SchedulingPolicy> policies;
  std::map<std::string, ConsumableResource> consumables;
  std::map<std::string, Node> nodes;
  std::map<QueueNo, std::map<std::string, QuotaShare>> quota_shares;  // queues that have some; by name
  std::map<QueueNo, QuotaBook> quota_books;      // what runs of jobs with shares hold (not in records)
  std::map<std::string, Fleet> fleets;           // by environment, from the first look at it
  std::map<std::string, LaunchedNode> launched;  // by name, until they are gone
  CostDays cost_days;                            // of machines, as far as accounted for
  std::map<std::pair<std::string, std::string>, fleet::SpotQuote> spot_quotes;  // by type, zone

  std::map<QueueNo, JobQueue> queues;          // deleted ones too, while jobs of them are remembered
  std::map<std::string, QueueNo> queue_names;  // not deleted

  JobTable jobs;
  std::map<SpecNo, std::unique_ptr<JobSpec>> specs;
  std::deque<Shape> shapes;  // they stay where they are; ShapeNo{n} is shapes[n - 1]
  std::map<QueueNo, WaitingJobs> waiting;
  std::map<QueueNo, std::map<std::string, ShareUse>> shares;  // by shareIdentifier
  std::map<JobNo, Claim> claims;  // follow from the attempts that are being stopped (not in records)

  MachineRegistry machines;
  ExecutionTable executions;

  // Null when absent.
  [[nodiscard]] const JobQueue* find_queue(std::string_view name) const;
  [[nodiscard]] const QuotaShare* find_quota_share(QueueNo queue, std::string_view name) const;
  [[nodiscard]] QuotaShare* find_quota_share(QueueNo queue, std::string_view name);
  // "name" (latest active) or "name:revision" (active or not). Null when absent.
  [[nodiscard]] std::shared_ptr<const JobDefinition> find_definition(std::string_view id) const;
  [[nodiscard]] const Shape& shape(ShapeNo no) const { return shapes[no.value - 1]; }
};

}  // namespace stoker::core
