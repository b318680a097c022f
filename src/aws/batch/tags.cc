// Tags of anything that can have them.
#include "aws/members.h"
#include "aws/operation.h"
#include "core/resources/quota_shares.h"

namespace stoker::aws {
namespace {

Result<core::Request> prepare_tag(const Place&, json::Value& input, Backend&) {
  return core::TagResource{.resource = TRY(resource_in(json::get_string(input, "resourceArn"))),
                           .tags = read_tags(input)};
}
Result<core::Request> prepare_untag(const Place&, json::Value& input, Backend&) {
  return core::UntagResource{.resource = TRY(resource_in(json::get_string(input, "resourceArn"))),
                             .keys = read_texts(input, "tagKeys")};
}
json::Value finish(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

template <class Map>
const core::Tags* tags_in(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second.tags;
}

// Null when there is no such thing.
const core::Tags* tags_of(const core::ResourceRef& resource, const core::State& state) {
  static const core::Tags kNone;
  switch (resource.kind) {
    case core::ResourceKind::Job: {
      const auto name = job_in(resource.name);
      const core::Job* job = name ? state.jobs.find(name->id, name->index) : nullptr;
      if (job == nullptr) return nullptr;
      const core::Job& holder = job->is_child() ? state.jobs.parent_of(*job) : *job;
      return holder.extra && holder.extra->tags ? &*holder.extra->tags : &kNone;
    }
    case core::ResourceKind::JobDefinition: {
      const auto found = state.definitions.find(resource.name);
      if (found == state.definitions.end()) return nullptr;
      const auto revision = found->second.revisions.find(resource.revision);
      return revision == found->second.revisions.end() ? nullptr : &revision->second->tags;
    }
    case core::ResourceKind::JobQueue: {
      const core::JobQueue* queue = state.find_queue(resource.name);
      return queue == nullptr ? nullptr : &queue->tags;
    }
    case core::ResourceKind::ComputeEnvironment:
      return tags_in(state.environments, resource.name);
    case core::ResourceKind::SchedulingPolicy:
      return tags_in(state.policies, resource.name);
    case core::ResourceKind::ConsumableResource:
      return tags_in(state.consumables, resource.name);
    case core::ResourceKind::QuotaShare: {
      const auto [queue_name, name] = core::quota_share_in(resource.name);
      const core::JobQueue* queue = state.find_queue(queue_name);
      const core::QuotaShare* share = queue == nullptr ? nullptr : state.find_quota_share(queue->no, name);
      return share == nullptr ? nullptr : &share->tags;
    }
  }
  return nullptr;
}

Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view arn = json::get_string(input, "resourceArn");
  const core::ResourceRef resource = TRY(resource_in(arn));
  const core::Tags* tags = tags_of(resource, state);
  if (tags == nullptr) return fail(Code::NotFound, std::string(arn) + " does not exist");
  return json::Object{{"tags", to_object(*tags)}};
}

}  // namespace

void add_tags(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchTagResource] = {.prepare = prepare_tag, .finish = finish};
  handlers[BatchUntagResource] = {.prepare = prepare_untag, .finish = finish};
  handlers[BatchListTagsForResource] = {.read = list};
}

}  // namespace stoker::aws
