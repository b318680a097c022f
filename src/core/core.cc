#include "core/core.h"

#include "base/assert.h"
#include "core/invariants.h"
#include "core/job/life.h"
#include "core/job/runs.h"
#include "core/job/stop.h"
#include "core/job/submit.h"
#include "core/job/timers.h"
#include "core/records/documents.h"
#include "core/records/jobs.h"
#include "core/resources/resources.h"
#include "core/schedule/pass.h"
#include "core/world.h"

namespace stoker::core {

struct Core::Impl {
  World world;
};

namespace {

// One overload an operation: the request does all of its work or fails and changes nothing.
struct Handle {
  World& world;
  Instant now;
  Actions& out;

  Result<Answer> operator()(const RegisterJobDefinition& r) { return register_job_definition(world, now, r); }
  Result<Answer> operator()(const DeregisterJobDefinition& r) {
    auto answer = deregister_job_definition(world, now, r);
    if (answer) world.next_definition_removal = now;
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
    return update_compute_environment(world, now, r);
  }
  Result<Answer> operator()(const DeleteComputeEnvironment& r) {
    return delete_compute_environment(world, now, r);
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
  Result<Answer> operator()(const TagResource& r) { return tag_resource(world, now, r); }
  Result<Answer> operator()(const UntagResource& r) { return untag_resource(world, now, r); }
  Result<Answer> operator()(const SubmitJob& r) { return submit_job(world, now, r); }
  Result<Answer> operator()(const CancelJob& r) { return cancel_job(world, now, r); }
  Result<Answer> operator()(const TerminateJob& r) { return terminate_job(world, now, r, out); }
};

// Requests that can let a waiting job start, or change why it waits.
bool may_unblock(const Request& request) {
  return !std::holds_alternative<SubmitJob>(request) && !std::holds_alternative<CancelJob>(request) &&
         !std::holds_alternative<RegisterJobDefinition>(request);
}

struct Dispatch {
  World& world;
  Instant now;
  Actions& out;

  void operator()(const Requested& event) {
    auto answer = std::visit(Handle{world, now, out}, event.request);
    if (answer && may_unblock(event.request)) world.pass_due = true;
    out.push_back(Replied{event.id, std::move(answer)});
  }
  void operator()(const NodeConnected& event) { on_node_connected(world, event, now, out); }
  void operator()(const NodeDisconnected& event) { on_node_disconnected(world, event); }
  void operator()(const NodeLost& event) { on_node_lost(world, event, now, out); }
  void operator()(const RunStarted& event) { on_run_started(world, event, out); }
  void operator()(const RunProgressed& event) { on_run_progressed(world, event); }
  void operator()(const RunEnded& event) { on_run_ended(world, event, now, out); }
  void operator()(const TimerFired&) { run_timers(world, now, out); }
};

}  // namespace

Core::Core(Settings settings) : impl_(std::make_unique<Impl>()) {
  impl_->world.settings = settings;
}
Core::~Core() = default;

Result<void> Core::load(const Records& records) {
  World& world = impl_->world;
  // Kinds come in the order of the enumeration: what is pointed to before what points.
  for (std::size_t kind = 0; kind < kDocumentKindCount; ++kind)
    for (const DocumentRecord& record : records.documents)
      if (static_cast<std::size_t>(record.kind) == kind) TRY(load_document(world, record));
  TRY(load_jobs(world, records.jobs));
  world.next_definition_removal = Instant{1};
  world.pass_due = true;
  return {};
}

void Core::apply(Instant now, const Event& event, Actions& out) {
  std::visit(Dispatch{impl_->world, now, out}, event);
  settle(impl_->world, now);
}

void Core::schedule(Instant now, Actions& out) {
  // A pass can end jobs (time limits), which can let others run: then once more, each time with fewer jobs
  // waiting.
  while (impl_->world.pass_due) run_pass(impl_->world, now, out);
}

Records Core::take_changes() {
  World& world = impl_->world;
  Changes& changes = world.changes;
  Records records;
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
  return records;
}

std::optional<Instant> Core::next_wakeup() const {
  return next_timer(impl_->world);
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
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1})) {
    const Job& job = *state.jobs.find(*no);
    records.jobs.push_back(to_record(job));
    if (!job.is_array()) continue;
    for (const Job& child : job.extra->array->children)
      if (child.recorded || child.changed) records.jobs.push_back(to_record(child));
  }
  return records;
}

}  // namespace stoker::core
