#include "core/job/submit.h"

#include "base/assert.h"
#include "core/job/dependencies.h"
#include "core/job/gang.h"
#include "core/job/stop.h"
#include "core/resources/max_running.h"
#include "core/resources/node_plan.h"
#include "core/resources/own_tags.h"
#include "core/resources/quota_shares.h"
#include "core/resources/resources.h"
#include "core/resources/wishes.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

Result<std::shared_ptr<const JobDefinition>> active_definition(const State& state, const std::string& id) {
  auto definition = state.find_definition(id);
  if (!definition) return fail(Code::InvalidArgument, "Job definition " + id + " does not exist");
  if (!definition->active) return fail(Code::InvalidArgument, "Job definition " + id + " is not ACTIVE");
  return definition;
}

std::string share_in(const json::Shared& overrides) {
  return overrides ? std::string(json::get_string(*overrides, "shareIdentifier")) : std::string();
}

// propagateTags copies both sets to the task, which can hold 50 (AWS Batch API, SubmitJob.propagateTags).
bool too_many_propagated_tags(const JobSpec& spec, const Tags& tags) {
  if (!spec.propagate_tags) return false;
  Tags all = spec.definition->tags;
  all.insert(tags.begin(), tags.end());
  return all.size() > 50;
}

}  // namespace

Result<void> check_queue(const State& state, const JobQueue& queue, const JobDefinition& definition) {
  if (!queue.enabled)
    return fail(Code::InvalidArgument, "Job queue " + queue.name + " is DISABLED: it accepts no new jobs");
  bool fargate = false;
  for (const std::string& name : queue.environments)
    fargate = fargate || state.environments.at(name).fargate();
  if (fargate != definition.fargate)
    return fail(
        Code::InvalidArgument,
        std::string("Job Queue is attached to Compute Environment that can not run Jobs with capability ") +
            (definition.fargate ? "FARGATE" : "EC2"));
  return {};
}

std::unique_ptr<ArrayState> make_children(const Job& array, int size) {
  auto state = std::make_unique<ArrayState>();
  state->children.resize(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    Job& child = state->children[static_cast<std::size_t>(i)];
    child.no = JobNo{array.no.value + 1 + static_cast<std::uint64_t>(i)};
    child.parent = array.no;
    child.id = array.id;
    child.index = i;
    child.status = JobStatus::Pending;
    child.queue = array.queue;
    child.created_at = array.created_at;
    child.spec = array.spec;
  }
  state->counts[static_cast<std::size_t>(JobStatus::Pending)] = static_cast<std::uint32_t>(size);
  state->counts_changed_at = array.created_at;
  return state;
}

ShapeNo shape_number(World& world, Shape shape) {
  auto& number = world.shape_index[shape];
  if (!number) {
    world.state.shapes.push_back(std::move(shape));
    number = ShapeNo{world.state.shapes.size()};
  }
  return number;
}

namespace {

Shape shape_of(const JobSpec& spec) {
  const ContainerSpec& container = spec.container;
  return {.resources = container.resources,
          .gpu = container.gpu,
          .consumables = spec.consumables,
          .image = container.image == "host" ? "" : container.image,
          .spot = spec.wishes.spot};
}

// What its nodes need, together and one by one.
Shape shape_of_gang(World& world, const JobSpec& spec) {
  Shape shape = shape_of(spec);
  std::vector<ShapeNo> classes;
  for (std::size_t i = 0; i < spec.nodes->classes.size(); ++i)
    classes.push_back(shape_number(world, shape_of(spec_of_nodes(spec, static_cast<int>(i)))));
  for (const std::uint8_t number : spec.nodes->class_of) shape.gang.push_back(classes[number]);
  shape.nearness = spec.wishes.topology;
  return shape;
}

}  // namespace

JobSpec* register_spec(World& world, std::unique_ptr<JobSpec> spec, std::string key) {
  const bool is_gang = spec->nodes && spec->node_class < 0;
  spec->shape = shape_number(world, is_gang ? shape_of_gang(world, *spec) : shape_of(*spec));
  JobSpec* made = spec.get();
  world.next_spec = std::max(world.next_spec, made->no.value + 1);
  world.spec_index[std::move(key)] = made;
  world.state.specs[made->no] = std::move(spec);
  return made;
}

namespace {

Result<void> check_consumables_exist(const State& state, const JobSpec& spec) {
  for (const ConsumableNeed& need : spec.consumables)
    if (!state.consumables.contains(need.resource))
      return fail(Code::InvalidArgument, "Consumable resource " + need.resource + " does not exist");
  return {};
}

}  // namespace

Result<JobSpec*> find_or_make_spec(World& world, std::shared_ptr<const JobDefinition> definition,
                                   const json::Shared& overrides, ShareRule shares, const Tags& wishes) {
  std::string key = spec_key(*definition, overrides, wishes);
  const auto known = world.spec_index.find(key);
  // A queue with shares demands what a FIFO queue forbids, so a spec that passed for one is not right for the
  // other.
  if (known != world.spec_index.end() && share_fits(shares, known->second->share)) {
    TRY(check_consumables_exist(world.state, *known->second));  // one may be deleted since
    return known->second;
  }
  auto spec = std::make_unique<JobSpec>(TRY(resolve_spec(std::move(definition), overrides, shares)));
  add_wishes(*spec, wishes);
  TRY(check_consumables_exist(world.state, *spec));
  spec->no = SpecNo{world.next_spec};
  world.changes.document(DocumentKind::JobSpec, std::to_string(spec->no.value));
  return register_spec(world, std::move(spec), std::move(key));
}

std::vector<JobSpec*> specs_of_nodes(World& world, const JobSpec& job) {
  std::vector<JobSpec*> specs;
  for (int i = 0; i < static_cast<int>(job.nodes->classes.size()); ++i) {
    std::string key = spec_key(*job.definition, job.overrides, job.wish_tags, i);
    const auto known = world.spec_index.find(key);
    if (known != world.spec_index.end()) {
      specs.push_back(known->second);
      continue;
    }
    auto spec = std::make_unique<JobSpec>(spec_of_nodes(job, i));
    spec->no = SpecNo{world.next_spec};
    world.changes.document(DocumentKind::JobSpec, std::to_string(spec->no.value));
    specs.push_back(register_spec(world, std::move(spec), std::move(key)));
  }
  return specs;
}

void release_spec(World& world, JobSpec* spec, std::uint64_t count) {
  ASSERT(spec->jobs >= count, "a spec released too often");
  spec->jobs -= count;
  if (spec->jobs > 0) return;
  world.spec_index.erase(spec_key(*spec->definition, spec->overrides, spec->wish_tags, spec->node_class));
  world.changes.removed_document(DocumentKind::JobSpec, std::to_string(spec->no.value));
  world.released_specs.push_back(std::move(world.state.specs.extract(spec->no).mapped()));
}

Result<Answer> submit_job(World& world, Instant now, const SubmitJob& request) {
  State& state = world.state;
  if (const Job* known = state.jobs.find(request.id)) return JobAccepted{known->id};  // asked twice

  // 1. Everything that can be refused, before anything changes.
  const JobQueue* queue = state.find_queue(request.queue);
  if (queue == nullptr) return fail(Code::InvalidArgument, "Job queue " + request.queue + " does not exist");
  const auto definition = TRY(active_definition(state, request.definition));
  TRY(check_queue(state, *queue, *definition));
  if (request.array_size != 0 && (request.array_size < kArraySizeMin || request.array_size > kArraySizeMax))
    return fail(Code::InvalidArgument, "arrayProperties.size must be between 2 and 10000");
  const bool is_gang = definition->kind == DefinitionKind::MultiNode;
  if (is_gang && request.array_size > 0)
    return fail(Code::InvalidArgument, "arrayProperties is not applicable: job definition " +
                                           definition->id() + " is of type multinode");
  TRY(check_dependencies(state, request.depends_on, request.array_size));
  if (request.tags) TRY(check_tags(ResourceKind::Job, *request.tags));
  const ShareRule shares = share_rule(state, *queue);
  const Tags wishes = wish_tags(definition->tags, request.tags);
  TRY(check_own_tags(ResourceKind::JobDefinition, wishes));  // an older program may have let it pass
  if (request.tags) TRY(check_array_limit(*request.tags, request.array_size > 0));
  const std::string share = share_in(request.overrides);
  TRY(check_room_for_share(state, *queue, share, now));
  if (shares == ShareRule::Quota && !share.empty()) TRY(check_quota_share(state, *queue, share));
  const auto size =
      is_gang ? node_count(*definition, request.overrides) : static_cast<std::uint64_t>(request.array_size);
  if (state.jobs.live() + 1 + size > world.settings.jobs_waiting_max)
    return fail(Code::LimitExceeded, "This server holds " + std::to_string(state.jobs.live()) +
                                         " unfinished jobs and accepts at most " +
                                         std::to_string(world.settings.jobs_waiting_max));
  JobSpec* spec = TRY(find_or_make_spec(world, definition, request.overrides, shares, wishes));

  // 2. The job.
  auto made = std::make_unique<Job>();
  made->no = state.jobs.next_no();
  made->id = request.id;
  made->status = JobStatus::Pending;
  made->queue = queue->no;
  made->created_at = now;
  made->spec = spec;
  made->extra = std::make_unique<JobExtra>();
  made->extra->name = request.job_name;
  made->extra->depends_on = request.depends_on;
  made->extra->tags = request.tags;
  if (request.started_by) made->extra->started_by = std::make_unique<const StartedBy>(*request.started_by);
  if (is_gang)
    made->extra->array = make_nodes(world, *made);
  else if (size > 0)
    made->extra->array = make_children(*made, request.array_size);
  spec->jobs += is_gang ? 1 : 1 + size;
  state.queues.at(queue->no).jobs += 1;
  Job& job = state.jobs.add(std::move(made), size);
  share_gains_job(world, job, now);
  world.submissions += 1 + size;
  world.changes.job(job);

  // 3. Where it goes from here.
  attach_dependencies(world, job);
  if (job.unmet == 0) start_waiting(world, job, now);
  fail_with_dependencies(world, job, now);
  if (too_many_propagated_tags(*spec, request.tags.value_or(Tags{})))
    end_unstarted(world, job,
                  "Unable to propagate tags: the job and its definition have more than 50 tags together",
                  now);
  return JobAccepted{request.id};
}

}  // namespace stoker::core
