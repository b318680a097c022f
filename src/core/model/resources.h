#pragma once
// Queues, compute environments, scheduling policies, consumable resources; nodes have a header of their own.
#include <optional>
#include <string>
#include <vector>

#include "core/model/fair_share.h"
#include "core/model/node.h"
#include "core/model/types.h"
#include "json/json.h"

namespace stoker::core {

// jobStateTimeLimitActions: cancel the head of the queue after it waited `most` for the reason with this
// code.
struct TimeLimitAction {
  std::string reason;  // "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT"
  Duration most;
  std::string action;  // CANCEL
  std::string state;   // RUNNABLE
  bool operator==(const TimeLimitAction&) const = default;
};

// The job at the head of a queue that waits for a reason about which there is such an action. Recorded, so
// that a restart does not begin its time anew.
struct StuckHead {
  JobNo job;  // 0: there is none
  std::string reason;
  Instant since;
  bool operator==(const StuckHead&) const = default;
};

struct JobQueue {
  QueueNo no;  // a name may be used again after deletion; the number is not
  std::string name;
  bool enabled = true;
  bool deleted = false;                   // kept while jobs of it are remembered; no longer listed
  int priority = 0;                       // higher first
  std::vector<std::string> environments;  // names, as they were given
  std::vector<int> environment_orders;    // the `order` values as given
  std::string scheduling_policy;          // name, "" for a FIFO queue
  std::string type;                       // jobQueueType as given, may be ""
  std::vector<TimeLimitAction> time_limit_actions;
  StuckHead stuck = {};
  Tags tags;
  // These follow from the jobs and are not in the record.
  std::uint64_t jobs = 0;   // remembered ones
  std::int64_t active = 0;  // STARTING or RUNNING, children one by one
  Resources used;           // what those hold
  // The names by their `order` values: the order in which places are looked for.
  [[nodiscard]] std::vector<std::string> environments_by_order() const;
};

struct ComputeEnvironment {
  std::string name;
  bool managed = true;
  bool enabled = true;
  json::Shared
      document;  // serviceRole, computeResources, eksConfiguration, unmanagedvCpus, ... as given and updated
  std::string uuid;
  Tags tags;
  Instant created_at;
  [[nodiscard]] bool fargate() const;  // computeResources.type is FARGATE or FARGATE_SPOT
};

struct SchedulingPolicy {
  std::string name;
  json::Shared document;  // {fairsharePolicy:{…}} or {quotaSharePolicy:{…}}, complete with defaults
  Tags tags;
  FairShare fair_share = {};  // what it says; the defaults for the other kind
  [[nodiscard]] bool is_quota() const { return json::find(*document, "quotaSharePolicy") != nullptr; }
};

struct ConsumableResource {
  std::string name;
  std::int64_t total = 0;
  std::int64_t in_use = 0;  // held by active jobs (not in the record)
  bool replenishable = true;
  Instant created_at;
  Tags tags;
  // clientTokens of updates, valid kTokenLife: a repeated one is answered and not applied again.
  std::vector<std::pair<std::string, Instant>> update_tokens;
};

}  // namespace stoker::core
