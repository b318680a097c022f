#pragma once
// What callers ask for, in the core's words: names, not ARNs; structs, not wire shapes. The face has checked
// the shape (types, lengths, enums); the core checks everything that depends on its state or on the meaning.
// A refused request changes nothing.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/machines/requests.h"
#include "core/model/definition.h"
#include "core/model/job.h"
#include "core/model/quota.h"
#include "core/model/resources.h"

namespace stoker::core {

// ---- job definitions ----
struct RegisterJobDefinition {
  std::string name;
  json::Shared document;  // the whole request but the tags
  Tags tags;
};
struct DeregisterJobDefinition {
  std::string name;
  int revision = 0;
};

// ---- queues and environments ----
struct EnvironmentOrder {
  int order = 0;
  std::string environment;  // name
};
struct CreateJobQueue {
  std::string name;
  bool enabled = true;
  int priority = 0;
  std::vector<EnvironmentOrder> environments;
  std::string scheduling_policy;
  std::string type;
  std::vector<TimeLimitAction> time_limit_actions;
  Tags tags;
};
struct UpdateJobQueue {
  std::string name;
  std::optional<bool> enabled;
  std::optional<int> priority;
  std::optional<std::vector<EnvironmentOrder>> environments;
  std::optional<std::string> scheduling_policy;
  std::optional<std::vector<TimeLimitAction>> time_limit_actions;
};
struct DeleteJobQueue {
  std::string name;
};
struct CreateComputeEnvironment {
  std::string name;
  bool managed = true;
  bool enabled = true;
  json::Shared document;  // the request but for name, type, state and tags
  std::string uuid;       // minted by the caller
  Tags tags;
};
struct UpdateComputeEnvironment {
  std::string name;
  std::optional<bool> enabled;
  json::Shared document;  // the request but for name and state; aws-batch.md 7.7 says how it is merged
};
struct DeleteComputeEnvironment {
  std::string name;
};

// ---- scheduling policies, consumable resources, tags ----
struct CreateSchedulingPolicy {
  std::string name;
  json::Shared document;
  Tags tags;
};
struct UpdateSchedulingPolicy {
  std::string name;
  json::Shared document;
};
struct DeleteSchedulingPolicy {
  std::string name;
};
struct CreateConsumableResource {
  std::string name;
  std::int64_t total = 0;
  bool replenishable = true;
  Tags tags;
};
struct UpdateConsumableResource {
  std::string name;
  enum class Operation : std::uint8_t { Set, Add, Remove } operation = Operation::Set;
  std::int64_t quantity = 0;
  std::string client_token;  // "" = none
};
struct DeleteConsumableResource {
  std::string name;
};

struct CreateQuotaShare {
  std::string name;
  std::string queue;                  // name
  std::vector<CapacityLimit> limits;  // max and given; the unit is read by the core
  QuotaSharing sharing;
  bool preempts_inside = false;
  bool enabled = true;
  Tags tags;
};
struct UpdateQuotaShare {
  std::string queue;
  std::string name;
  std::optional<std::vector<CapacityLimit>> limits;
  std::optional<QuotaSharing> sharing;
  std::optional<bool> preempts_inside;
  std::optional<bool> enabled;
};
struct DeleteQuotaShare {
  std::string queue;
  std::string name;
};

enum class ResourceKind : std::uint8_t {
  Job,
  JobDefinition,
  JobQueue,
  ComputeEnvironment,
  SchedulingPolicy,
  ConsumableResource,
  QuotaShare
};
struct ResourceRef {
  ResourceKind kind = ResourceKind::Job;
  std::string name;  // jobs: the id as the API writes it; quota shares: "QUEUE/quota-share/NAME"
  int revision = 0;  // job definitions
};
struct TagResource {
  ResourceRef resource;
  Tags tags;
};
struct UntagResource {
  ResourceRef resource;
  std::vector<std::string> keys;
};

// ---- jobs ----
struct SubmitJob {
  Uuid id;  // minted by the caller
  std::string job_name;
  std::string queue;       // name
  std::string definition;  // "name" (its latest active revision) or "name:revision"
  json::Shared
      overrides;  // containerOverrides, parameters, retryStrategy, timeout, ...: null when there are none
  int array_size = 0;  // 0: no array
  std::vector<Dependency> depends_on;
  std::optional<Tags> tags;
  std::optional<StartedBy> started_by = {};  // by SubmitTaskJob
};
// A submission by a task of a workflow.
struct SubmitTaskJob {
  workflow::TaskToken token;
  SubmitJob job;
};
// A job that waits: what is given is changed (our own operation).
struct UpdateJob {
  Uuid id;
  int index = -1;
  std::optional<int> priority;
  std::optional<std::string> share;
  std::optional<std::string> queue;
};
struct CancelJob {
  Uuid id;
  int index = -1;
  std::string reason;
};
struct TerminateJob {
  Uuid id;
  int index = -1;
  std::string reason;
};

using Request =
    std::variant<RegisterJobDefinition, DeregisterJobDefinition, CreateJobQueue, UpdateJobQueue,
                 DeleteJobQueue, CreateComputeEnvironment, UpdateComputeEnvironment, DeleteComputeEnvironment,
                 CreateSchedulingPolicy, UpdateSchedulingPolicy, DeleteSchedulingPolicy,
                 CreateConsumableResource, UpdateConsumableResource, DeleteConsumableResource,
                 CreateQuotaShare, UpdateQuotaShare, DeleteQuotaShare, TagResource, UntagResource, SubmitJob,
                 UpdateJob, CancelJob, TerminateJob,
                 // machines/requests.h
                 CreateStateMachine, UpdateStateMachine, DeleteStateMachine, PublishStateMachineVersion,
                 DeleteStateMachineVersion, CreateStateMachineAlias, UpdateStateMachineAlias,
                 DeleteStateMachineAlias, CreateActivity, DeleteActivity, TagMachineResource,
                 UntagMachineResource, StartExecution, StopExecution, RedriveExecution, ChangeMapRun,
                 GetActivityTask, SendTaskSuccess, SendTaskFailure, SendTaskHeartbeat, SubmitTaskJob>;

// ---- answers ----
struct Done {};
struct DefinitionRegistered {
  std::string name;
  int revision = 0;
};
struct JobAccepted {
  Uuid id;
};
using Answer =
    std::variant<Done, DefinitionRegistered, JobAccepted, ArnCreated, StateMachineUpdated, ExecutionStarted,
                 ExecutionStopped, ExecutionRedriven, SyncExecutionEnded, ActivityTaskGiven>;

}  // namespace stoker::core
