#include "core/core.h"

#include "base/assert.h"
#include "core/invariants.h"
#include "core/job/life.h"
#include "core/job/runs.h"
#include "core/job/stop.h"
#include "core/job/submit.h"
#include "core/job/timers.h"
#include "core/job/update.h"
#include "core/machines/execution_records.h"
#include "core/machines/execution_rules.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"
#include "core/provision/look.h"
#include "core/provision/nodes.h"
#include "core/records/documents.h"
#include "core/records/jobs.h"
#include "core/resources/limits.h"
#include "core/resources/quota_shares.h"
#include "core/resources/resources.h"
#include "core/schedule/pass.h"
#include "core/world.h"

namespace stoker::core {

struct Core::Impl {
  World world;
};

namespace {

// One overload an operation: the request does all of its work or fails and changes nothing. A Reply that is
// nothing comes later.
struct Handle {
  World& world;
  RequestId id;
  Instant now;
  Actions& out;

  Result<Answer> operator()(const RegisterJobDefinition& r) { return register_job_definition(world, now, r); }
  Result<Answer> operator()(const DeregisterJobDefinition& r) {
    auto answer = deregister_job_definition(world, now, r);
    const Instant due = now + kInactiveLife;
    if (answer) world.next_definition_removal = std::min(world.next_definition_removal.value_or(due), due);
    return answer;
  }
  Result<Answer> operator()(const CreateJobQueue& r) { return create_job_queue(world, now, r); }
  Result<Answer> operator()(const UpdateJobQueue& r) { return update_job_queue(world, now, r); }
  Result<Answer> operator()(const DeleteJobQueue& r) {
    const JobQueue* queue = world.state.find_queue(r.name);
    const QueueNo number = queue == nullptr ? QueueNo{} : queue->no;
    auto answer = delete_job_queue(world, now, r);
    if (answer && number) terminate_jobs_of(world, number, "Job queue " + r.name + " was deleted", now, out);
    return answer;
  }
  Result<Answer> operator()(const CreateComputeEnvironment& r) {
    return create_compute_environment(world, now, r);
  }
  Result<Answer> operator()(const UpdateComputeEnvironment& r) {
    auto answer = update_compute_environment(world, now, r);
    if (answer) environment_updated(world, r.name);
    return answer;
  }
  Result<Answer> operator()(const DeleteComputeEnvironment& r) {
    auto answer = delete_compute_environment(world, now, r);
    if (answer) environment_deleted(world, r.name, now, out);
    return answer;
  }
  Result<Answer> operator()(const CreateSchedulingPolicy& r) {
    return create_scheduling_policy(world, now, r);
  }
  Result<Answer> operator()(const UpdateSchedulingPolicy& r) {
    return update_scheduling_policy(world, now, r);
  }
  Result<Answer> operator()(const DeleteSchedulingPolicy& r) {
    return delete_scheduling_policy(world, now, r);
  }
  Result<Answer> operator()(const CreateConsumableResource& r) {
    return create_consumable_resource(world, now, r);
  }
  Result<Answer> operator()(const UpdateConsumableResource& r) {
    return update_consumable_resource(world, now, r);
  }
  Result<Answer> operator()(const DeleteConsumableResource& r) {
    return delete_consumable_resource(world, now, r);
  }
  Result<Answer> operator()(const CreateQuotaShare& r) { return create_quota_share(world, now, r); }
  Result<Answer> operator()(const UpdateQuotaShare& r) { return update_quota_share(world, now, r); }
  Result<Answer> operator()(const DeleteQuotaShare& r) {
    const JobQueue* queue = world.state.find_queue(r.queue);
    const QueueNo number = queue == nullptr ? QueueNo{} : queue->no;
    auto answer = delete_quota_share(world, now, r);
    if (answer)
      terminate_jobs_of_share(world, number, r.name, "Quota share " + r.name + " was deleted", now, out);
    return answer;
  }
  Result<Answer> operator()(const TagResource& r) { return tag_resource(world, now, r); }
  Result<Answer> operator()(const UntagResource& r) { return untag_resource(world, now, r); }
  Result<Answer> operator()(const SubmitJob& r) { return submit_job(world, now, r); }
  Result<Answer> operator()(const UpdateJob& r) { return update_job(world, now, r); }
  Result<Answer> operator()(const CancelJob& r) { return cancel_job(world, now, r); }
  Result<Answer> operator()(const TerminateJob& r) { return terminate_job(world, now, r, out); }

  Result<Answer> operator()(const CreateStateMachine& r) { return create_state_machine(world, now, r); }
  Result<Answer> operator()(const UpdateStateMachine& r) { return update_state_machine(world, now, r); }
  Result<Answer> operator()(const DeleteStateMachine& r) { return delete_state_machine(world, now, r); }
  Result<Answer> operator()(const PublishStateMachineVersion& r) { return publish_version(world, now, r); }
  Result<Answer> operator()(const DeleteStateMachineVersion& r) { return delete_version(world, now, r); }
  Result<Answer> operator()(const CreateStateMachineAlias& r) { return create_alias(world, now, r); }
  Result<Answer> operator()(const UpdateStateMachineAlias& r) { return update_alias(world, now, r); }
  Result<Answer> operator()(const DeleteStateMachineAlias& r) { return delete_alias(world, now, r); }
  Result<Answer> operator()(const CreateActivity& r) { return create_activity(world, now, r); }
  Result<Answer> operator()(const DeleteActivity& r) { return delete_activity(world, now, r); }
  Result<Answer> operator()(const TagMachineResource& r) { return tag_machine_resource(world, now, r); }
  Result<Answer> operator()(const UntagMachineResource& r) { return untag_machine_resource(world, now, r); }

  Reply operator()(const StartExecution& r) { return start_execution(world, now, id, r, out); }
  Result<Answer> operator()(const StopExecution& r) { return stop_execution(world, now, r); }
  Reply operator()(const RedriveExecution& r) { return redrive_execution(world, now, id, r, out); }
  Reply operator()(const GetActivityTask& r) { return get_activity_task(world, now, id, r, out); }
  Result<Answer> operator()(const SendTaskSuccess& r) { return send_task_success(world, now, r); }
  Result<Answer> operator()(const SendTaskFailure& r) { return send_task_failure(world, now, r); }
  Result<Answer> operator()(const SendTaskHeartbeat& r) { return send_task_heartbeat(world, now, r); }
  Result<Answer> operator()(const ChangeMapRun& r) { return update_map_run(world, now, r); }
  Result<Answer> operator()(const SubmitTaskJob& r) { return submit_task_job(world, now, r); }
};

// Requests that can let a waiting job start, or change why it waits. Those of workflows stand behind the
// others and say themselves when they touch a job.
bool may_unblock(const Request& request) {
  static const std::size_t last_of_batch = Request(TerminateJob{}).index();
  return request.index() <= last_of_batch && !std::holds_alternative<SubmitJob>(request) &&
         !std::holds_alternative<CancelJob>(request) &&
         !std::holds_alternative<RegisterJobDefinition>(request);
}

struct Dispatch {
  World& world;
  Instant now;
  Actions& out;

  void operator()(const Requested& event) {
    Reply answer =
        std::visit([&](const auto& request) -> Reply { return Handle{world, event.id, now, out}(request); },
                   event.request);
    if (!answer) return;
    if (*answer && may_unblock(event.request)) {
      world.pass_due = true;
      ++world.room_version;
    }
    out.push_back(Replied{event.id, *std::move(answer)});
  }
  void operator()(const NodeConnected& event) { on_node_connected(world, event, now, out); }
  void operator()(const NodeImagesChanged& event) { on_node_images_changed(world, event); }
  void operator()(const NodeDisconnected& event) { on_node_disconnected(world, event, now); }
  void operator()(const NodeLost& event) { on_node_lost(world, event, now, out); }
  void operator()(const SubnetsFound& event) { on_subnets_found(world, event); }
  void operator()(const NodeLaunching& event) { on_node_launching(world, event); }
  void operator()(const NodeLaunched& event) { on_node_launched(world, event, now); }
  void operator()(const LaunchFailed& event) { on_launch_failed(world, event, now); }
  void operator()(const RebalanceAdvised& event) { on_rebalance_advised(world, event); }
  void operator()(const InterruptionNotice& event) { on_interruption_notice(world, event, now); }
  void operator()(const SpotQuoted& event) { on_spot_quoted(world, event); }
  void operator()(const RunStarted& event) { on_run_started(world, event, out); }
  void operator()(const RunProgressed& event) { on_run_progressed(world, event); }
  void operator()(const RunEnded& event) { on_run_ended(world, event, now, out); }
  void operator()(const TimerFired&) {
    run_workflow_timers(world, now, out);
    run_timers(world, now, out);
  }
  void operator()(const WorkflowNews& event) {
    on_workflow_news(world, now, event.execution, event.news, out);
  }
  void operator()(const ExecutionFetched& event) {
    execution_fetched(world, now, ExecutionNo{event.execution}, event.snapshot.get(), out);
  }
};

// Carries what happened to everybody concerned: jobs end, executions hear of it and may end jobs.
void settle_all(World& world, Instant now, Actions& out) {
  do {
    settle(world, now);
    run_workflows(world, now, out);
  } while (!world.ended.empty());
}

}  // namespace

Core::Core(Settings settings) : impl_(std::make_unique<Impl>()) {
  impl_->world.state.machines.place = settings.place;
  impl_->world.settings = std::move(settings);
}
Core::~Core() = default;

Result<void> Core::load(const Records& records) {
  World& world = impl_->world;
  // Kinds come in the order of the enumeration: what is pointed to before what points.
  for (std::size_t kind = 0; kind < kDocumentKindCount; ++kind)
    for (const DocumentRecord& record : records.documents)
      if (static_cast<std::size_t>(record.kind) == kind) TRY(load_document(world, record));
  TRY(load_jobs(world, records.jobs));
  TRY(load_executions(world, records));
  world.quota_books_at_change = world.state.quota_books;
  world.next_definition_removal = Instant{1};
  world.pass_due = true;
  world.was_loaded = true;
  world.provision.look_due = true;
  return {};
}

void Core::apply(Instant now, const Event& event, Actions& out) {
  std::visit(Dispatch{impl_->world, now, out}, event);
  settle_all(impl_->world, now, out);
}

void Core::schedule(Instant now, Actions& out) {
  // A pass can end jobs (time limits), which can let others run: then once more, each time with fewer jobs
  // waiting.
  while (impl_->world.pass_due) {
    impl_->world.provision.look_due = true;
    run_pass(impl_->world, now, out);
    settle_all(impl_->world, now, out);
  }
  look_at_fleets(impl_->world, now, out);
}

Records Core::take_changes() {
  World& world = impl_->world;
  Changes& changes = world.changes;
  Records records;
  take_execution_changes(world, records);  // first: with the last execution of a revision goes its document
  for (const auto& [kind, key] : changes.documents_)
    if (auto record = document_record(world.state, kind, key))
      records.documents.push_back(std::move(*record));
  records.jobs.reserve(changes.jobs_.size());
  for (const JobNo no : changes.jobs_) {
    Job* job = world.state.jobs.find(no);
    if (job == nullptr) continue;  // forgotten in the same turn
    job->changed = false;
    job->recorded = true;
    records.jobs.push_back(to_record(*job));
  }
  for (const auto& [kind, key] : changes.removed_documents_) records.removed_documents.push_back({kind, key});
  records.removed_jobs = std::move(changes.removed_jobs_);
  changes = {};
  world.released_before = std::exchange(world.released_specs, {});
  return records;
}

std::optional<Instant> Core::next_wakeup() const {
  std::optional<Instant> next;
  for (const auto& due :
       {next_timer(impl_->world), next_workflow_timer(impl_->world), next_look(impl_->world)})
    if (due && (!next || *due < *next)) next = due;
  return next;
}
const State& Core::state() const {
  return impl_->world.state;
}
void Core::check_invariants() const {
  check_world(impl_->world);
}

Records Core::all_records() const {
  const State& state = impl_->world.state;
  Records records;
  const auto document = [&](DocumentKind kind, const std::string& key) {
    auto record = document_record(state, kind, key);
    ASSERT(record.has_value(), "a document that has no record");
    records.documents.push_back(std::move(*record));
  };
  for (const auto& [name, definition] : state.definitions)
    for (const auto& [revision, one] : definition.revisions) document(DocumentKind::JobDefinition, one->id());
  for (const auto& [no, spec] : state.specs) document(DocumentKind::JobSpec, std::to_string(no.value));
  for (const auto& [no, queue] : state.queues) document(DocumentKind::JobQueue, std::to_string(no.value));
  for (const auto& [name, one] : state.environments) document(DocumentKind::ComputeEnvironment, name);
  for (const auto& [name, one] : state.policies) document(DocumentKind::SchedulingPolicy, name);
  for (const auto& [name, one] : state.consumables) document(DocumentKind::ConsumableResource, name);
  for (const auto& [no, shares] : state.quota_shares)
    for (const auto& [name, one] : shares) document(DocumentKind::QuotaShare, quota_share_key(no, name));
  for (const auto& [name, one] : state.fleets) document(DocumentKind::Fleet, name);
  for (const auto& [name, one] : state.launched) document(DocumentKind::LaunchedNode, name);
  for (const auto& [key, one] : state.cost_days)
    document(DocumentKind::CostDay, cost_day_key(one.day, one.environment));
  const MachineRegistry& machines = state.machines;
  for (const auto& [no, one] : machines.revisions)
    document(DocumentKind::MachineRevision, std::to_string(no.value));
  for (const auto& [no, one] : machines.machines)
    document(DocumentKind::StateMachine, std::to_string(no.value));
  for (const auto& [no, one] : machines.activities)
    document(DocumentKind::Activity, std::to_string(no.value));
  for (const auto& [queue, shares] : state.shares)
    for (const auto& [share, use] : shares) document(DocumentKind::ShareUse, share_key(queue, share));
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1})) {
    const Job& job = *state.jobs.find(*no);
    records.jobs.push_back(to_record(job));
    for (const Job& child : job.children())
      if (child.recorded || child.changed) records.jobs.push_back(to_record(child));
  }
  add_all_executions(impl_->world, records);
  return records;
}

}  // namespace stoker::core
