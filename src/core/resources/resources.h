#pragma once
// The rules of everything but jobs: definitions, queues, environments, policies, consumable resources, tags.
// Each function either does all of its request and notes the changed documents, or fails and changes nothing.
#include "base/result.h"
#include "core/requests.h"
#include "core/world.h"

namespace stoker::core {

Result<Answer> register_job_definition(World& world, Instant now, const RegisterJobDefinition& request);
Result<Answer> deregister_job_definition(World& world, Instant now, const DeregisterJobDefinition& request);
// INACTIVE revisions are deleted 180 days after deregistration (AWS Batch API, JobDefinition.status), unless
// a remembered job still points to them. Returns when the next one is due.
std::optional<Instant> remove_old_definitions(World& world, Instant now);

Result<Answer> create_job_queue(World& world, Instant now, const CreateJobQueue& request);
Result<Answer> update_job_queue(World& world, Instant now, const UpdateJobQueue& request);
// Checks and marks the queue deleted; one that no remembered job belongs to is gone at once. Its jobs are
// ended by the caller (job/stop.h).
Result<Answer> delete_job_queue(World& world, Instant now, const DeleteJobQueue& request);

Result<Answer> create_compute_environment(World& world, Instant now, const CreateComputeEnvironment& request);
Result<Answer> update_compute_environment(World& world, Instant now, const UpdateComputeEnvironment& request);
Result<Answer> delete_compute_environment(World& world, Instant now, const DeleteComputeEnvironment& request);

Result<Answer> create_scheduling_policy(World& world, Instant now, const CreateSchedulingPolicy& request);
Result<Answer> update_scheduling_policy(World& world, Instant now, const UpdateSchedulingPolicy& request);
Result<Answer> delete_scheduling_policy(World& world, Instant now, const DeleteSchedulingPolicy& request);

// What scheduling reads in a policy's document.
FairShare read_fair_share(const json::Value& document);

Result<Answer> create_consumable_resource(World& world, Instant now, const CreateConsumableResource& request);
Result<Answer> update_consumable_resource(World& world, Instant now, const UpdateConsumableResource& request);
Result<Answer> delete_consumable_resource(World& world, Instant now, const DeleteConsumableResource& request);

Result<Answer> tag_resource(World& world, Instant now, const TagResource& request);
Result<Answer> untag_resource(World& world, Instant now, const UntagResource& request);
// At most 50 tags, keys 1 to 128 and values up to 256 characters, none beginning with "aws:" in any case.
Result<void> check_tag_bounds(const Tags& tags);
// The same, and those of this server are known for the kind of resource and legal (own_tags.h).
Result<void> check_tags(ResourceKind kind, const Tags& tags);

// Reads a registration (its shape is checked) into what the core acts on: rules of aws-batch.md 2.2 to 2.9
// that the service model does not state. InvalidArgument names the member and the rule.
Result<JobDefinition> read_definition(const std::string& name, int revision, json::Shared document,
                                      Tags tags);

// What a queue says about shareIdentifier.
enum class ShareRule : std::uint8_t {
  None,   // refused
  Fair,   // required: jobs of one share are one party of a fair-share policy
  Quota,  // required: it names a quota share
};
ShareRule share_rule(const State& state, const JobQueue& queue);
// A share that the rule allows, as far as its letters say.
bool share_fits(ShareRule rule, std::string_view share);

// Tells equal specs: the definition's id and, on further lines, the text of the overrides when there are
// some, the tags that are wishes, and which nodes of a multi-node job it is for.
std::string spec_key(const JobDefinition& definition, const json::Shared& overrides, const Tags& wishes = {},
                     int node_class = -1);
// What the tags (resources/wishes.h) wish becomes part of the spec.
void add_wishes(JobSpec& spec, const Tags& tags);
// Of the nodes of that class, out of their multi-node job's. Leaves no, shape and jobs for the caller.
JobSpec spec_of_nodes(const JobSpec& job, int node_class);
// The overrides of a submission merged into a definition (aws-batch.md 3.2), Ref:: placeholders replaced
// (Amazon's text for a missing parameter), environment names checked. Leaves no, shape and jobs for the
// caller. Share ids and priorities are refused where the queue has no shares.
// NotSupported for definitions of a kind that does not run yet.
Result<JobSpec> resolve_spec(std::shared_ptr<const JobDefinition> definition, json::Shared overrides,
                             ShareRule shares);

}  // namespace stoker::core
