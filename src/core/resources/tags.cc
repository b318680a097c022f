#include "base/text.h"
#include "core/resources/definitions.h"
#include "core/resources/limits.h"
#include "core/resources/max_running.h"
#include "core/resources/own_tags.h"
#include "core/resources/quota_shares.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kKeyMax = 128;
constexpr std::size_t kValueMax = 256;

Result<void> check_key(std::string_view key) {
  const std::size_t length = character_count(key);
  if (length < 1 || length > kKeyMax) return refuse("tags", "a key must have 1 to 128 characters");
  if (equal_ignoring_case(key.substr(0, 4), "aws:")) return refuse("tags", "the prefix aws: is reserved");
  return {};
}

std::string describe(const ResourceRef& resource) {
  switch (resource.kind) {
    case ResourceKind::Job:
      return "Job " + resource.name;
    case ResourceKind::JobDefinition:
      return "Job definition " + resource.name + ":" + std::to_string(resource.revision);
    case ResourceKind::JobQueue:
      return "Job queue " + resource.name;
    case ResourceKind::ComputeEnvironment:
      return "Compute environment " + resource.name;
    case ResourceKind::SchedulingPolicy:
      return "Scheduling policy " + resource.name;
    case ResourceKind::ConsumableResource:
      return "Consumable resource " + resource.name;
    case ResourceKind::QuotaShare: {
      const auto [queue, share] = quota_share_in(resource.name);
      return "Quota share " + std::string(share) + " of job queue " + std::string(queue);
    }
  }
  return resource.name;
}

Result<Job*> taggable_job(const World& world, const std::string& name) {
  if (name.find_first_of(":#") != std::string::npos)
    return fail(Code::InvalidArgument,
                "Child jobs of array jobs and multi-node parallel jobs cannot be tagged");
  const auto id = Uuid::parse(name);
  Job* job = id ? world.state.jobs.find(*id) : nullptr;
  if (job == nullptr) return fail(Code::NotFound, "Job " + name + " does not exist");
  return job;
}

// The limit of an array decides about the groups of its waiting children.
void set_tags(World& world, Job& job, Tags tags) {
  std::vector<Job*> waiting;
  if (job.is_array())
    for (Job& child : job.extra->array->children)
      if (child.status == JobStatus::Runnable) waiting.push_back(&child);
  for (const Job* child : waiting) leave_waiting(world.state, *child);
  job.extra->tags = std::move(tags);
  for (const Job* child : waiting) enter_waiting(world.state, *child);
}

// Changes the tags of a resource, checks the outcome and notes it; on failure nothing is changed.
template <class Change>
Result<void> change_tags(World& world, const ResourceRef& resource, Change change) {
  const auto apply = [&](Tags& tags) -> Result<void> {
    Tags changed = tags;
    change(changed);
    TRY(check_tag_bounds(changed));
    tags = std::move(changed);
    return {};
  };
  State& state = world.state;
  const auto in = [&](auto& map, DocumentKind kind) -> Result<void> {
    const auto found = map.find(resource.name);
    if (found == map.end()) return fail(Code::NotFound, describe(resource) + " does not exist");
    TRY(apply(found->second.tags));
    world.changes.document(kind, resource.name);
    return {};
  };
  switch (resource.kind) {
    case ResourceKind::ComputeEnvironment:
      return in(state.environments, DocumentKind::ComputeEnvironment);
    case ResourceKind::SchedulingPolicy:
      return in(state.policies, DocumentKind::SchedulingPolicy);
    case ResourceKind::ConsumableResource:
      return in(state.consumables, DocumentKind::ConsumableResource);
    case ResourceKind::JobQueue: {
      const auto found = state.queue_names.find(resource.name);
      if (found == state.queue_names.end())
        return fail(Code::NotFound, describe(resource) + " does not exist");
      TRY(apply(state.queues.at(found->second).tags));
      world.changes.document(DocumentKind::JobQueue, std::to_string(found->second.value));
      return {};
    }
    case ResourceKind::QuotaShare: {
      const auto [queue_name, share_name] = quota_share_in(resource.name);
      const JobQueue* queue = state.find_queue(queue_name);
      QuotaShare* share = queue == nullptr ? nullptr : state.find_quota_share(queue->no, share_name);
      if (share == nullptr) return fail(Code::NotFound, describe(resource) + " does not exist");
      TRY(apply(share->tags));
      world.changes.document(DocumentKind::QuotaShare, quota_share_key(queue->no, share_name));
      return {};
    }
    case ResourceKind::JobDefinition: {
      const auto known = state.find_definition(resource.name + ":" + std::to_string(resource.revision));
      if (!known) return fail(Code::NotFound, describe(resource) + " does not exist");
      auto changed = std::make_shared<JobDefinition>(*known);
      TRY(apply(changed->tags));
      replace_definition(world, std::move(changed));
      return {};
    }
    case ResourceKind::Job: {
      Job* job = TRY(taggable_job(world, resource.name));
      if (!job->extra) job->extra = std::make_unique<JobExtra>();
      Tags tags = job->extra->tags.value_or(Tags{});
      TRY(apply(tags));
      TRY(check_array_limit(tags, job->is_array()));
      set_tags(world, *job, std::move(tags));
      world.changes.job(*job);
      return {};
    }
  }
  return {};
}

}  // namespace

Result<void> check_tag_bounds(const Tags& tags) {
  if (tags.size() > kTagsMax) return refuse("tags", "a resource must have at most 50 tags");
  for (const auto& [key, value] : tags) {
    TRY(check_key(key));
    if (character_count(value) > kValueMax) return refuse("tags", "a value must have at most 256 characters");
  }
  return {};
}

Result<void> check_tags(ResourceKind kind, const Tags& tags) {
  TRY(check_tag_bounds(tags));
  return check_own_tags(kind, tags);
}

// Of what stands there already only the bounds count: what an older program let pass hinders no other tag.
Result<Answer> tag_resource(World& world, Instant, const TagResource& request) {
  TRY(check_own_tags(request.resource.kind, request.tags));
  TRY(change_tags(world, request.resource, [&](Tags& tags) {
    for (const auto& [key, value] : request.tags) tags[key] = value;
  }));
  return Done{};
}

Result<Answer> untag_resource(World& world, Instant, const UntagResource& request) {
  TRY(change_tags(world, request.resource, [&](Tags& tags) {
    for (const auto& key : request.keys) tags.erase(key);
  }));
  return Done{};
}

}  // namespace stoker::core
