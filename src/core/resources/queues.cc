#include <algorithm>
#include <array>
#include <set>

#include "core/resources/limits.h"
#include "core/resources/quota_shares.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

constexpr std::size_t kEnvironmentsOfQueueMax = 3;  // AWS Batch service quotas
constexpr Duration kTimeLimitMin = seconds(600);
constexpr Duration kTimeLimitMax = seconds(86'400);

// The reasons that Amazon allows an action for (User Guide, job_stuck_in_runnable_time_limit_actions).
constexpr std::array<std::string_view, 4> kTimeLimitReasons = {
    "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY", "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE",
    "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT", "MISCONFIGURATION:EC2_INSTANCE_CONFIGURATION_UNSUPPORTED"};

bool on_kubernetes(const ComputeEnvironment& environment) {
  return json::find(*environment.document, "eksConfiguration") != nullptr;
}

// jobQueueType as it follows from what the environment is.
std::string_view type_of(const ComputeEnvironment& environment) {
  if (on_kubernetes(environment)) return "EKS";
  return environment.fargate() ? "ECS_FARGATE" : "ECS";
}

Result<void> check_environments(const State& state, const std::vector<EnvironmentOrder>& list,
                                std::string_view type) {
  const std::string place = "computeEnvironmentOrder";
  if (list.empty() || list.size() > kEnvironmentsOfQueueMax)
    return refuse(place, "must have 1 to 3 compute environments");
  std::set<std::string_view> names;
  std::set<int> orders;
  std::string_view kind = type;
  for (const auto& entry : list) {
    const auto found = state.environments.find(entry.environment);
    if (found == state.environments.end())
      return fail(Code::NotFound, "Compute environment " + entry.environment + " does not exist");
    if (!names.insert(entry.environment).second)
      return refuse(place, "compute environment " + entry.environment + " is named twice");
    if (!orders.insert(entry.order).second)
      return refuse(place, "the order " + std::to_string(entry.order) + " is given twice");
    const auto own = type_of(found->second);
    if (!type.empty() && own != type)
      return refuse(place, "compute environment " + entry.environment + " does not fit a job queue of type " +
                               std::string(type));
    if (!kind.empty() && own != kind)
      return refuse(place,
                    "EC2, Fargate and Kubernetes compute environments cannot be mixed in one job queue");
    kind = own;
  }
  return {};
}

Result<void> check_policy(const State& state, const std::string& name) {
  if (!state.policies.contains(name))
    return fail(Code::NotFound, "Scheduling policy " + name + " does not exist");
  return {};
}

Result<void> check_time_limits(const std::vector<TimeLimitAction>& actions) {
  std::set<std::string_view> reasons;
  std::size_t index = 0;
  for (const auto& action : actions) {
    const std::string place = item_of("jobStateTimeLimitActions", index++);
    if (std::find(kTimeLimitReasons.begin(), kTimeLimitReasons.end(), action.reason) ==
        kTimeLimitReasons.end())
      return refuse(member_of(place, "reason"),
                    action.reason + " is not a reason that an action can be set for");
    if (!reasons.insert(action.reason).second)
      return refuse(member_of(place, "reason"), action.reason + " is given twice");
    if (action.state != "RUNNABLE") return refuse(member_of(place, "state"), "must be RUNNABLE");
    if (action.most < kTimeLimitMin || action.most > kTimeLimitMax)
      return refuse(member_of(place, "maxTimeSeconds"), "must be between 600 and 86400");
    if (action.action != "CANCEL")
      return refuse(member_of(place, "action"), "must be CANCEL for this type of job queue");
  }
  return {};
}

// Kept as they were sent: clients compare what comes back. Placement goes by `order`.
void set_environments(JobQueue& queue, std::vector<EnvironmentOrder> list) {
  queue.environments.clear();
  queue.environment_orders.clear();
  for (auto& entry : list) {
    queue.environments.push_back(std::move(entry.environment));
    queue.environment_orders.push_back(entry.order);
  }
}

Result<void> check_priority(int priority) {
  if (priority < 0) return refuse("priority", "must be 0 or more");
  return {};
}

// A FIFO queue stays one, and a fair-share queue too (AWS Batch API, UpdateJobQueue.schedulingPolicyArn).
Result<void> check_policy_change(const State& state, const JobQueue& queue, const std::string& policy) {
  if (policy == queue.scheduling_policy) return {};
  if (policy.empty())
    return refuse("schedulingPolicyArn",
                  "a scheduling policy can be replaced but not removed from a job queue");
  if (queue.scheduling_policy.empty())
    return refuse("schedulingPolicyArn",
                  "a scheduling policy cannot be added to a job queue that was created without one");
  TRY(check_policy(state, policy));
  if (state.policies.at(policy).is_quota() != state.policies.at(queue.scheduling_policy).is_quota())
    return refuse("schedulingPolicyArn",
                  "a fair share policy and a quota share policy cannot replace each other");
  return {};
}

void note(World& world, const JobQueue& queue) {
  world.changes.document(DocumentKind::JobQueue, std::to_string(queue.no.value));
  world.pass_due = true;
}

JobQueue* queue_named(World& world, const std::string& name) {
  const auto found = world.state.queue_names.find(name);
  return found == world.state.queue_names.end() ? nullptr : &world.state.queues.at(found->second);
}

}  // namespace

Result<Answer> create_job_queue(World& world, Instant, const CreateJobQueue& request) {
  TRY(check_name("Job queue name", request.name));
  State& state = world.state;
  if (state.queue_names.contains(request.name))
    return fail(Code::AlreadyExists, "Object already exists: job queue " + request.name);
  if (state.queue_names.size() >= kQueuesMax)
    return fail(Code::LimitExceeded, "There are too many job queues");
  if (request.type == "SAGEMAKER_TRAINING")
    return fail(Code::NotSupported,
                "Job queues of type SAGEMAKER_TRAINING are not supported yet by this server");
  TRY(check_priority(request.priority));
  TRY(check_environments(state, request.environments, request.type));
  if (!request.scheduling_policy.empty()) TRY(check_policy(state, request.scheduling_policy));
  TRY(check_time_limits(request.time_limit_actions));
  TRY(check_tags(ResourceKind::JobQueue, request.tags));

  JobQueue queue;
  queue.no = QueueNo{world.next_queue++};
  queue.name = request.name;
  queue.enabled = request.enabled;
  queue.priority = request.priority;
  set_environments(queue, request.environments);
  queue.scheduling_policy = request.scheduling_policy;
  queue.type = request.type;
  queue.time_limit_actions = request.time_limit_actions;
  queue.tags = request.tags;
  state.queue_names[queue.name] = queue.no;
  note(world, queue);
  state.queues.emplace(queue.no, std::move(queue));
  return Done{};
}

Result<Answer> update_job_queue(World& world, Instant, const UpdateJobQueue& request) {
  JobQueue* queue = queue_named(world, request.name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + request.name + " does not exist");
  if (request.priority) TRY(check_priority(*request.priority));
  if (request.environments) TRY(check_environments(world.state, *request.environments, queue->type));
  if (request.scheduling_policy) TRY(check_policy_change(world.state, *queue, *request.scheduling_policy));
  if (request.time_limit_actions) TRY(check_time_limits(*request.time_limit_actions));

  queue->enabled = request.enabled.value_or(queue->enabled);
  queue->priority = request.priority.value_or(queue->priority);
  if (request.environments) set_environments(*queue, *request.environments);
  queue->scheduling_policy = request.scheduling_policy.value_or(queue->scheduling_policy);
  if (request.time_limit_actions) queue->time_limit_actions = *request.time_limit_actions;
  note(world, *queue);
  return Done{};
}

Result<Answer> delete_job_queue(World& world, Instant, const DeleteJobQueue& request) {
  JobQueue* queue = queue_named(world, request.name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + request.name + " does not exist");
  if (queue->enabled)
    return fail(Code::Conflict, "Cannot delete, job queue " + request.name + " must be DISABLED first");
  world.state.queue_names.erase(request.name);
  // Its environments and policy may go while jobs of it are still remembered.
  queue->deleted = true;
  queue->environments.clear();
  queue->environment_orders.clear();
  queue->scheduling_policy.clear();
  delete_quota_shares_of(world, queue->no);
  note(world, *queue);
  if (queue->jobs == 0) {  // nobody remembers it: otherwise it goes with its last job
    const QueueNo no = queue->no;
    world.changes.removed_document(DocumentKind::JobQueue, std::to_string(no.value));
    forget_shares(world, no);
    world.state.waiting.erase(no);
    world.state.queues.erase(no);
  }
  return Done{};
}

}  // namespace stoker::core
