// Job queues: create, update, delete, describe, and the snapshot of what goes next.

#include "aws/foreign_arns.h"
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"
#include "core/schedule/order.h"
#include "core/schedule/quota/gate.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kType = "job-queue";
constexpr std::size_t kFrontMax = 100;  // [M] FrontOfQueueDetail.jobs

Result<std::vector<core::EnvironmentOrder>> read_environments(const json::Value& input) {
  std::vector<core::EnvironmentOrder> out;
  for (const json::Value& entry : json::get_array(input, "computeEnvironmentOrder")) {
    std::string name = TRY(name_in(json::get_string(entry, "computeEnvironment"), "compute-environment"));
    out.push_back({.order = static_cast<int>(json::get_int(entry, "order")), .environment = std::move(name)});
  }
  return out;
}

std::vector<core::TimeLimitAction> read_time_limits(const json::Value& input) {
  std::vector<core::TimeLimitAction> out;
  for (const json::Value& entry : json::get_array(input, "jobStateTimeLimitActions")) {
    out.push_back({.reason = std::string(json::get_string(entry, "reason")),
                   .most = seconds(json::get_int(entry, "maxTimeSeconds")),
                   .action = std::string(json::get_string(entry, "action")),
                   .state = std::string(json::get_string(entry, "state"))});
  }
  return out;
}

Result<void> refuse_service_environments(const json::Value& input) {
  if (json::get_array(input, "serviceEnvironmentOrder").empty()) return {};
  return fail(Code::NotSupported, "serviceEnvironmentOrder is not supported yet by this server");
}

Result<std::string> read_policy(const json::Value& input) {
  const std::string_view arn = json::get_string(input, "schedulingPolicyArn");
  if (arn.empty()) return std::string();
  return name_in_arn(arn, "scheduling-policy");
}

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  TRY(refuse_service_environments(input));
  auto environments = TRY(read_environments(input));
  auto policy = TRY(read_policy(input));
  return core::CreateJobQueue{.name = std::string(json::get_string(input, "jobQueueName")),
                              .enabled = read_enabled(input).value_or(true),
                              .priority = static_cast<int>(json::get_int(input, "priority")),
                              .environments = std::move(environments),
                              .scheduling_policy = std::move(policy),
                              .type = std::string(json::get_string(input, "jobQueueType")),
                              .time_limit_actions = read_time_limits(input),
                              .tags = read_tags(input)};
}
json::Value name_and_arn(const Place& place, std::string_view name) {
  return json::Object{{"jobQueueName", name}, {"jobQueueArn", batch_arn(place, kType, name)}};
}
json::Value finish_create(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, json::get_string(input, "jobQueueName"));
}

Result<std::string> name_of(const json::Value& input) {
  return name_in(json::get_string(input, "jobQueue"), kType);
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  TRY(refuse_service_environments(input));
  core::UpdateJobQueue out;
  out.name = TRY(name_of(input));
  out.enabled = read_enabled(input);
  if (json::find(input, "priority") != nullptr)
    out.priority = static_cast<int>(json::get_int(input, "priority"));
  if (json::find(input, "computeEnvironmentOrder") != nullptr)
    out.environments = TRY(read_environments(input));
  if (json::find(input, "schedulingPolicyArn") != nullptr) out.scheduling_policy = TRY(read_policy(input));
  if (json::find(input, "jobStateTimeLimitActions") != nullptr)
    out.time_limit_actions = read_time_limits(input);
  return out;
}
json::Value finish_update(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, name_of(input).value_or(""));
}
Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteJobQueue{.name = TRY(name_of(input))};
}
json::Value finish_delete(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

json::Value detail(const Place& place, const core::JobQueue& queue) {
  json::Array environments;
  for (std::size_t i = 0; i < queue.environments.size(); ++i) {
    environments.push_back(
        json::Object{{"order", queue.environment_orders[i]},
                     {"computeEnvironment", batch_arn(place, "compute-environment", queue.environments[i])}});
  }
  json::Object out{{"jobQueueName", queue.name},
                   {"jobQueueArn", batch_arn(place, kType, queue.name)},
                   {"state", state_name(queue.enabled)}};
  if (!queue.scheduling_policy.empty()) {
    out["schedulingPolicyArn"] = batch_arn(place, "scheduling-policy", queue.scheduling_policy);
  }
  out["status"] = "VALID";
  out["statusReason"] = "JobQueue Healthy";
  out["priority"] = queue.priority;
  out["computeEnvironmentOrder"] = std::move(environments);
  if (!queue.type.empty()) out["jobQueueType"] = queue.type;
  out["tags"] = to_object(queue.tags);
  json::Array limits;
  for (const core::TimeLimitAction& limit : queue.time_limit_actions) {
    limits.push_back(json::Object{{"reason", limit.reason},
                                  {"state", limit.state},
                                  {"maxTimeSeconds", limit.most.ms / 1000},
                                  {"action", limit.action}});
  }
  out["jobStateTimeLimitActions"] = std::move(limits);
  return out;
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const Page page = TRY(read_page(input, "queues"));
  const json::Array& wanted = json::get_array(input, "jobQueues");
  if (wanted.empty()) {
    return list_page(state.queue_names, page, "queues", "jobQueues",
                     [&](core::QueueNo no) { return detail(place, state.queues.at(no)); });
  }
  if (wanted.size() > kPageMax) return fail(Code::InvalidArgument, "jobQueues can have at most 100 entries");
  json::Array found;
  Named named;
  for (const json::Value& text : wanted) {
    if (is_foreign(place, json::text(text))) continue;
    const auto name = name_in(json::text(text), kType);
    const core::JobQueue* queue = name ? state.find_queue(*name) : nullptr;
    if (queue != nullptr && named.is_new(queue)) found.push_back(detail(place, *queue));
  }
  return json::Object{{"jobQueues", std::move(found)}};
}

// The first jobs in the order in which a placement pass looks at them.
json::Array front_of(const Place& place, const core::JobQueue& queue, const core::State& state, Instant now) {
  json::Array out;
  core::Order order(state, queue, now);
  for (auto next = order.next(); next && out.size() < kFrontMax; order.take(), next = order.next()) {
    const core::Job& job = *state.jobs.find(next->job);
    out.push_back(json::Object{{"jobArn", batch_arn(place, "job", job.public_id())},
                               {"earliestTimeAtPosition", job.runnable_at.ms}});
  }
  return out;
}

json::Array capacity(double cpus) {
  return {json::Object{{"capacityUnit", "VCPU"}, {"quantity", cpus}}};
}

// What runs of the quota shares hold, in the units of their limits; most first.
json::Object quota_utilization(const core::QuotaView& view) {
  constexpr std::size_t kTopShares = 20;  // [M]
  std::vector<const core::QuotaShare*> shares;
  for (const auto& [name, share] : view.shares) shares.push_back(&share);
  std::ranges::stable_sort(shares, std::greater<>(), [&](const core::QuotaShare* share) {
    const core::ShareHolding& held = view.book.of(share->name);
    return std::pair(held.gpu, held.vcpu);
  });
  json::Array top;
  for (const core::QuotaShare* share : shares) {
    if (top.size() == kTopShares) break;
    json::Array usage;
    for (const core::CapacityLimit& limit : share->limits)
      usage.push_back(
          json::Object{{"capacityUnit", limit.given},
                       {"quantity", static_cast<double>(view.book.of(share->name).of(limit.unit)) / 1000}});
    top.push_back(json::Object{{"quotaShareName", share->name}, {"capacityUsage", std::move(usage)}});
  }
  return json::Object{{"topCapacityUtilization", std::move(top)}};
}

// What active jobs of the queue hold, in all and by share.
json::Object utilization(const core::JobQueue& queue, const core::State& state, Instant now) {
  constexpr std::size_t kTopShares = 20;  // [M]
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> by_share;
  for (const auto& [name, node] : state.nodes) {
    for (const core::JobNo no : node.runs) {
      const core::Job* job = state.jobs.find(no);
      if (job == nullptr || job->queue != queue.no) continue;
      all += job->spec->container.resources.cpus_milli;
      by_share[job->spec->share] += job->spec->container.resources.cpus_milli;
    }
  }
  json::Object out{{"totalCapacityUsage", capacity(static_cast<double>(all) / 1000)}};
  if (core::has_fair_share(state, queue)) {
    std::vector<std::pair<std::string, std::int64_t>> shares(by_share.begin(), by_share.end());
    std::ranges::stable_sort(shares, [](const auto& a, const auto& b) { return a.second > b.second; });
    json::Array top;
    for (const auto& [share, cpus] : shares) {
      if (top.size() == kTopShares) break;
      top.push_back(json::Object{{"shareIdentifier", share},
                                 {"capacityUsage", capacity(static_cast<double>(cpus) / 1000)}});
    }
    out["fairshareUtilization"] =
        json::Object{{"activeShareCount", shares.size()}, {"topCapacityUtilization", std::move(top)}};
  }
  if (const core::QuotaShares* shares = core::quota_shares_of(state, queue.no))
    out["quotaShareUtilization"] = quota_utilization(core::quota_view(state, queue.no, *shares));
  out["lastUpdatedAt"] = now.ms;
  return out;
}

// The next job of each quota share, by the share's name [M].
json::Object front_of_quota_shares(const Place& place, const core::JobQueue& queue, const core::State& state,
                                   Instant now) {
  json::Object out;
  core::Order order(state, queue, now);
  for (auto next = order.next(); next; order.pass_over(), next = order.next()) {
    if (out.contains(next->group->share)) continue;
    const core::Job& job = *state.jobs.find(next->job);
    out[next->group->share] = json::Array{json::Object{{"jobArn", batch_arn(place, "job", job.public_id())},
                                                       {"earliestTimeAtPosition", job.runnable_at.ms}}};
  }
  return out;
}

Result<json::Value> snapshot(const Place& place, const json::Value& input, const core::State& state,
                             Instant now) {
  const std::string name = TRY(name_of(input));
  const core::JobQueue* queue = state.find_queue(name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + name + " does not exist");
  json::Object out{{"frontOfQueue",
                    json::Object{{"jobs", front_of(place, *queue, state, now)}, {"lastUpdatedAt", now.ms}}}};
  if (state.quota_shares.contains(queue->no))
    out["frontOfQuotaShares"] = json::Object{
        {"quotaShares", front_of_quota_shares(place, *queue, state, now)}, {"lastUpdatedAt", now.ms}};
  out["queueUtilization"] = utilization(*queue, state, now);
  return out;
}

}  // namespace

void add_job_queues(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchCreateJobQueue] = {.prepare = prepare_create, .finish = finish_create};
  handlers[BatchUpdateJobQueue] = {.prepare = prepare_update, .finish = finish_update};
  handlers[BatchDeleteJobQueue] = {.prepare = prepare_delete, .finish = finish_delete};
  handlers[BatchDescribeJobQueues] = {.read = describe};
  handlers[BatchGetJobQueueSnapshot] = {.read = snapshot};
}

}  // namespace stoker::aws
