// Quota shares of job queues: addressed by ARN, listed by queue.
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"

namespace stoker::aws {
namespace {

constexpr std::array<std::string_view, 3> kStrategies = {"RESERVE", "LEND", "LEND_AND_BORROW"};

std::vector<core::CapacityLimit> read_limits(const json::Value& input) {
  std::vector<core::CapacityLimit> out;
  for (const json::Value& entry : json::get_array(input, "capacityLimits"))
    out.push_back({.max = json::get_int(entry, "maxCapacity"),
                   .given = std::string(json::get_string(entry, "capacityUnit")),
                   .unit = {}});
  return out;
}

// The validator has seen to it that the strategy is one of those.
core::QuotaSharing read_sharing(const json::Value& input) {
  const json::Value& sharing = *json::find(input, "resourceSharingConfiguration");
  const auto strategy = std::ranges::find(kStrategies, json::get_string(sharing, "strategy"));
  return {.strategy = static_cast<core::QuotaSharing::Strategy>(strategy - kStrategies.begin()),
          .borrow_percent = json::get_int(sharing, "borrowLimit", core::QuotaSharing::kNoBorrowLimit)};
}

bool read_preemption(const json::Value& input) {
  return json::get_string(*json::find(input, "preemptionConfiguration"), "inSharePreemption") == "ENABLED";
}

json::Object name_and_arn(const Place& place, std::string_view queue, std::string_view name) {
  return {{"quotaShareName", name}, {"quotaShareArn", quota_share_arn(place, queue, name)}};
}

Result<std::string> queue_of(const json::Value& input) {
  return name_in(json::get_string(input, "jobQueue"), "job-queue");
}
Result<QuotaShareId> share_of(const json::Value& input) {
  return quota_share_in(json::get_string(input, "quotaShareArn"));
}

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  std::string queue = TRY(queue_of(input));
  return core::CreateQuotaShare{.name = std::string(json::get_string(input, "quotaShareName")),
                                .queue = std::move(queue),
                                .limits = read_limits(input),
                                .sharing = read_sharing(input),
                                .preempts_inside = read_preemption(input),
                                .enabled = read_enabled(input).value_or(true),
                                .tags = read_tags(input)};
}
json::Value finish_create(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, queue_of(input).value_or(""), json::get_string(input, "quotaShareName"));
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  const QuotaShareId id = TRY(share_of(input));
  core::UpdateQuotaShare out;
  out.queue = id.queue;
  out.name = id.name;
  out.enabled = read_enabled(input);
  if (json::find(input, "capacityLimits") != nullptr) out.limits = read_limits(input);
  if (json::find(input, "resourceSharingConfiguration") != nullptr) out.sharing = read_sharing(input);
  if (json::find(input, "preemptionConfiguration") != nullptr) out.preempts_inside = read_preemption(input);
  return out;
}
json::Value finish_update(const Place& place, const json::Value& input, const core::Answer&) {
  const QuotaShareId id = share_of(input).value_or(QuotaShareId{});
  return name_and_arn(place, id.queue, id.name);
}
Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  const QuotaShareId id = TRY(share_of(input));
  return core::DeleteQuotaShare{.queue = id.queue, .name = id.name};
}
json::Value finish_delete(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

json::Object detail(const Place& place, const core::QuotaShare& share, const core::State& state) {
  const std::string& queue = state.queues.at(share.queue).name;
  json::Array limits;
  for (const core::CapacityLimit& limit : share.limits)
    limits.push_back(json::Object{{"maxCapacity", limit.max}, {"capacityUnit", limit.given}});
  json::Object sharing{{"strategy", kStrategies[static_cast<std::size_t>(share.sharing.strategy)]}};
  if (share.sharing.borrows()) sharing["borrowLimit"] = share.sharing.borrow_percent;
  json::Object out = name_and_arn(place, queue, share.name);
  out["jobQueueArn"] = batch_arn(place, "job-queue", queue);
  out["capacityLimits"] = std::move(limits);
  out["resourceSharingConfiguration"] = std::move(sharing);
  out["preemptionConfiguration"] =
      json::Object{{"inSharePreemption", share.preempts_inside ? "ENABLED" : "DISABLED"}};
  out["state"] = state_name(share.enabled);
  out["status"] = "VALID";
  return out;
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const QuotaShareId id = TRY(share_of(input));
  const core::JobQueue* queue = state.find_queue(id.queue);
  const core::QuotaShare* share = queue == nullptr ? nullptr : state.find_quota_share(queue->no, id.name);
  if (share == nullptr)
    return fail(Code::NotFound, "Quota share " + id.name + " of job queue " + id.queue + " does not exist");
  json::Object out = detail(place, *share, state);
  out["tags"] = to_object(share->tags);
  return out;
}

Result<json::Value> list(const Place& place, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_page(input, "quota-shares"));
  const std::string name = TRY(queue_of(input));
  const core::JobQueue* queue = state.find_queue(name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + name + " does not exist");
  static const std::map<std::string, core::QuotaShare> kNone;
  const auto shares = state.quota_shares.find(queue->no);
  return list_page(shares == state.quota_shares.end() ? kNone : shares->second, page, "quota-shares",
                   "quotaShares", [&](const core::QuotaShare& share) { return detail(place, share, state); });
}

}  // namespace

void add_quota_shares(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchCreateQuotaShare] = {.prepare = prepare_create, .finish = finish_create};
  handlers[BatchUpdateQuotaShare] = {.prepare = prepare_update, .finish = finish_update};
  handlers[BatchDeleteQuotaShare] = {.prepare = prepare_delete, .finish = finish_delete};
  handlers[BatchDescribeQuotaShare] = {.read = describe};
  handlers[BatchListQuotaShares] = {.read = list};
}

}  // namespace stoker::aws
