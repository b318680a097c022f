#include "core/records/jobs.h"

#include <algorithm>
#include <cstring>

#include "core/job/dependencies.h"
#include "core/job/gang.h"
#include "core/job/life.h"
#include "core/job/submit.h"
#include "core/placement/devices.h"
#include "core/provision/accounts.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

// ---- writing: by hand into one string, since there are many of these ----

void member(std::string& out, std::string_view key) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += key;
  out += "\":";
}
void text_member(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  member(out, key);
  json::write_string(out, value);
}
void number_member(std::string& out, std::string_view key, std::int64_t value) {
  if (value == 0) return;
  member(out, key);
  out += std::to_string(value);
}

// Programs before this one told it by the reason in most cases, and wrote no member then.
bool reads_as_lost(const Attempt& attempt) {
  return attempt.stopped_at && attempt.status_reason.starts_with("Host EC2");
}
void write_lost(std::string& out, const Attempt& attempt) {
  if (attempt.lost == reads_as_lost(attempt)) return;
  member(out, "lost");
  out += attempt.lost ? '1' : '0';
}

void write_attempt(std::string& out, const Attempt& attempt) {
  out += '{';
  text_member(out, "node", attempt.node);
  if (!attempt.gpus.empty()) {
    member(out, "gpus");
    char separator = '[';
    for (const std::string& gpu : attempt.gpus) {
      out += separator;
      json::write_string(out, gpu);
      separator = ',';
    }
    out += ']';
  }
  number_member(out, "placed", attempt.placed_at.ms);
  number_member(out, "started", attempt.started_at.ms);
  number_member(out, "stopped", attempt.stopped_at.ms);
  if (attempt.exit_code) {
    member(out, "exit");
    out += std::to_string(*attempt.exit_code);
  }
  text_member(out, "reason", attempt.reason);
  text_member(out, "statusReason", attempt.status_reason);
  write_lost(out, attempt);
  number_member(out, "warned", attempt.warned_at.ms);
  text_member(out, "gpuModel", attempt.quota.gpu_model);
  text_member(out, "instanceType", attempt.quota.instance_type);
  number_member(out, "instanceMilli", attempt.quota.instance_milli);
  number_member(out, "preemptedAt", attempt.preempted.at.ms);
  number_member(out, "preemptedBy", static_cast<std::int64_t>(attempt.preempted.by.value));
  text_member(out, "preemptedFor", attempt.preempted.node);
  number_member(out, "migMemoryMilli", attempt.mig_memory_milli);
  out += '}';
}

void write_dependency(std::string& out, const Dependency& dependency) {
  out += '{';
  if (dependency.job) text_member(out, "job", dependency.job->str());
  if (dependency.index >= 0) {
    member(out, "index");
    out += std::to_string(dependency.index);
  }
  number_member(out, "type", static_cast<int>(dependency.type));
  out += '}';
}

template <class Items, class Write>
void list_member(std::string& out, std::string_view key, const Items& items, Write write) {
  if (items.empty()) return;
  member(out, key);
  char separator = '[';
  for (const auto& item : items) {
    out += separator;
    write(out, item);
    separator = ',';
  }
  out += ']';
}

std::string extra_text(const Job& job) {
  if (!job.extra) return {};
  const JobExtra& extra = *job.extra;
  std::string out = "{";
  text_member(out, "reason", extra.status_reason);
  list_member(out, "attempts", extra.attempts, write_attempt);
  list_member(out, "dependsOn", extra.depends_on, write_dependency);
  if (extra.tags) {
    member(out, "tags");
    out += '{';
    for (const auto& [key, value] : *extra.tags) {
      if (out.back() != '{') out += ',';
      json::write_string(out, key);
      out += ':';
      json::write_string(out, value);
    }
    out += '}';
  }
  if (extra.started_by) {
    text_member(out, "execution", extra.started_by->execution_arn);
    text_member(out, "state", extra.started_by->state);
  }
  if (extra.costs != JobExtra{}.costs) {
    member(out, "costs");
    char separator = '[';
    for (const Money cost : extra.costs) {
      out += separator;
      out += std::to_string(cost.micros);
      separator = ',';
    }
    out += ']';
  }
  if (job.is_array()) number_member(out, "size", static_cast<std::int64_t>(extra.array->children.size()));
  if (job.is_gang())  // its spec says how many nodes it has
    list_member(out, "addresses", extra.array->addresses,
                [](std::string& text, const std::string& address) { json::write_string(text, address); });
  out += '}';
  return out == "{}" ? std::string() : out;
}

// ---- reading ----

Attempt read_attempt(const json::Value& value) {
  Attempt attempt;
  attempt.node = json::get_string(value, "node");
  for (const json::Value& gpu : json::get_array(value, "gpus")) attempt.gpus.emplace_back(json::text(gpu));
  attempt.placed_at = {json::get_int(value, "placed")};
  attempt.started_at = {json::get_int(value, "started")};
  attempt.stopped_at = {json::get_int(value, "stopped")};
  if (json::find(value, "exit") != nullptr)
    attempt.exit_code = static_cast<int>(json::get_int(value, "exit"));
  attempt.reason = json::get_string(value, "reason");
  attempt.status_reason = json::get_string(value, "statusReason");
  attempt.lost = json::get_int(value, "lost", reads_as_lost(attempt) ? 1 : 0) != 0;
  attempt.warned_at = {json::get_int(value, "warned")};
  attempt.quota.gpu_model = json::get_string(value, "gpuModel");
  attempt.quota.instance_type = json::get_string(value, "instanceType");
  attempt.quota.instance_milli = json::get_int(value, "instanceMilli");
  attempt.preempted.at = {json::get_int(value, "preemptedAt")};
  attempt.preempted.by = JobNo{static_cast<std::uint64_t>(json::get_int(value, "preemptedBy"))};
  attempt.preempted.node = json::get_string(value, "preemptedFor");
  attempt.mig_memory_milli = json::get_int(value, "migMemoryMilli");
  return attempt;
}

Dependency read_dependency(const json::Value& value) {
  Dependency dependency;
  dependency.job = Uuid::parse(json::get_string(value, "job"));
  dependency.index = static_cast<int>(json::get_int(value, "index", -1));
  dependency.type = static_cast<DependencyType>(json::get_int(value, "type"));
  return dependency;
}

Result<void> read_extra(World& world, Job& job, const std::string& text) {
  if (job.parent == JobNo{} && job.spec->nodes) extra_of(job).array = make_nodes(world, job);
  if (text.empty()) return {};
  const json::Value value = TRY(json::parse(text));
  JobExtra& extra = extra_of(job);
  extra.status_reason = json::get_string(value, "reason");
  for (const json::Value& attempt : json::get_array(value, "attempts"))
    extra.attempts.push_back(read_attempt(attempt));
  for (const json::Value& entry : json::get_array(value, "dependsOn"))
    extra.depends_on.push_back(read_dependency(entry));
  if (json::find(value, "tags") != nullptr) {
    extra.tags.emplace();
    for (const auto& [key, tag] : json::get_object(value, "tags")) extra.tags->emplace(key, json::text(tag));
  }
  if (const std::string_view execution = json::get_string(value, "execution"); !execution.empty())
    extra.started_by = std::make_unique<const StartedBy>(
        StartedBy{std::string(execution), std::string(json::get_string(value, "state"))});
  const json::Array& costs = json::get_array(value, "costs");
  for (std::size_t i = 0; i < std::min(costs.size(), extra.costs.size()); ++i)
    if (costs[i].is_int64()) extra.costs[i] = {costs[i].get_int64()};
  if (const std::int64_t size = json::get_int(value, "size"); size > 0) {
    if (size > kArraySizeMax) return fail(Code::Internal, "an array of " + std::to_string(size) + " jobs");
    extra.array = make_children(job, static_cast<int>(size));
  }
  if (job.is_gang())
    for (const json::Value& address : json::get_array(value, "addresses"))
      extra.array->addresses.emplace_back(json::text(address));
  return {};
}

Result<void> read_columns(World& world, Job& job, const JobRecord& record) {
  job.no = JobNo{record.no};
  job.parent = JobNo{record.parent};
  if (record.id.size() != job.id.bytes.size()) return fail(Code::Internal, "its id is not 16 bytes");
  std::memcpy(job.id.bytes.data(), record.id.data(), job.id.bytes.size());
  if (record.status < 0 || record.status >= static_cast<std::int64_t>(kJobStatusCount))
    return fail(Code::Internal, "its status is unknown");
  job.index = static_cast<std::int32_t>(record.index);
  job.status = static_cast<JobStatus>(record.status);
  job.cancelled = (record.flags & 1) != 0;
  job.terminated = (record.flags & 2) != 0;
  job.timed_out = (record.flags & 4) != 0;
  job.stopping = (record.flags & 8) != 0;
  job.recorded = true;
  job.queue = QueueNo{record.queue};
  job.created_at = {record.created_at};
  job.runnable_at = {record.runnable_at};
  job.started_at = {record.started_at};
  job.stopped_at = {record.stopped_at};
  const auto spec = world.state.specs.find(SpecNo{record.spec});
  if (spec == world.state.specs.end()) return fail(Code::Internal, "its spec is missing");
  if (!world.state.queues.contains(job.queue)) return fail(Code::Internal, "its queue is missing");
  job.spec = spec->second.get();
  return {};
}

Result<void> load_job(World& world, const JobRecord& record) {
  if (record.parent == 0) {
    auto job = std::make_unique<Job>();
    TRY(read_columns(world, *job, record));
    extra_of(*job).name = record.name;
    TRY(read_extra(world, *job, record.extra));
    const std::uint64_t size = job->children().size();
    job->spec->jobs += job->is_array() ? 1 + size : 1;
    ++world.state.queues.at(job->queue).jobs;
    if (job->extra) job->attempts_used = static_cast<std::uint8_t>(job->extra->attempts.size());
    if (world.state.jobs.find(job->id) != nullptr) return fail(Code::Internal, "its id is there twice");
    world.state.jobs.add(std::move(job), size);
    return {};
  }
  Job* parent = world.state.jobs.find(JobNo{record.parent});
  if (parent == nullptr || record.index < 0 ||
      static_cast<std::size_t>(record.index) >= parent->children().size())
    return fail(Code::Internal, "its parent is missing");
  ArrayState& array = *parent->extra->array;
  Job& child = array.children[static_cast<std::size_t>(record.index)];
  const JobSpec* common = child.spec;
  TRY(read_columns(world, child, record));
  if (child.spec != common) {  // the array, or the child, was updated
    if (child.is_node()) return fail(Code::Internal, "its spec is not that of its job");
    --parent->spec->jobs;
    ++child.spec->jobs;
  }
  TRY(read_extra(world, child, record.extra));
  if (child.extra) child.attempts_used = static_cast<std::uint8_t>(child.extra->attempts.size());
  if (child.is_node()) return {};
  --array.counts[static_cast<std::size_t>(JobStatus::Pending)];
  ++array.counts[static_cast<std::size_t>(child.status)];
  // Not kept: the parent is not written each time a child changes.
  array.counts_changed_at =
      std::max({array.counts_changed_at, child.runnable_at, child.started_at, child.stopped_at});
  return {};
}

// Null when the job has no share.
ShareUse* use_of(World& world, const Job& job) {
  return job.spec->share.empty() ? nullptr : &world.state.shares[job.queue][job.spec->share];
}

// An active run holds what it held; its node is unknown until its agent says hello.
void hold_place(World& world, Job& job) {
  const Attempt& attempt = job.extra->attempts.back();
  Node& node = world.state.nodes[attempt.node];
  node.name = attempt.node;
  node.runs.insert(std::ranges::lower_bound(node.runs, job.no), job.no);
  take(node, job.no, job.spec->container.resources, attempt.gpus);
  if (!job.spec->share.empty()) world.state.quota_books[job.queue].add(*job.spec, attempt.quota);
  for (const ConsumableNeed& need : job.spec->consumables)
    if (const auto found = world.state.consumables.find(need.resource);
        found != world.state.consumables.end())
      found->second.in_use += need.quantity;
}

// What an active job counts for besides.
void count_active(World& world, Job& job) {
  JobQueue& queue = world.state.queues.at(job.queue);
  ++queue.active;
  ++world.state.definitions.at(job.spec->definition->name).active;
  queue.used += job.spec->container.resources;
  if (ShareUse* use = use_of(world, job)) {
    use->rate += charge_of(job.spec->container.resources);
    ++use->active;
  }
  if (job.status == JobStatus::Running && job.spec->timeout && !job.timed_out)
    world.timeouts.insert({job.started_at + *job.spec->timeout, job.no});
}

void resume(World& world, Job& job) {
  if (is_active(job.status)) {
    if (!job.is_gang()) hold_place(world, job);
    if (!job.is_node()) count_active(world, job);
  }
  if (!job.is_gang()) note_served_before(world, job);
  if (job.status == JobStatus::Runnable && !job.is_node()) enter_waiting(world.state, job);
  if (!job.is_child() && !is_terminal(job.status))
    if (ShareUse* use = use_of(world, job)) ++use->jobs;
  if (!job.is_child() && is_terminal(job.status))
    world.retirements.insert({job.stopped_at + world.settings.history, job.no});
}

}  // namespace

JobRecord to_record(const Job& job) {
  JobRecord record;
  record.no = job.no.value;
  record.id.assign(reinterpret_cast<const char*>(job.id.bytes.data()), job.id.bytes.size());
  record.parent = job.parent.value;
  record.index = job.index;
  record.queue = job.queue.value;
  record.status = static_cast<std::int64_t>(job.status);
  if (job.extra && !job.is_child()) record.name = job.extra->name;
  record.spec = job.spec->no.value;
  record.created_at = job.created_at.ms;
  record.runnable_at = job.runnable_at.ms;
  record.started_at = job.started_at.ms;
  record.stopped_at = job.stopped_at.ms;
  record.flags =
      (job.cancelled ? 1 : 0) | (job.terminated ? 2 : 0) | (job.timed_out ? 4 : 0) | (job.stopping ? 8 : 0);
  record.extra = extra_text(job);
  return record;
}

Result<void> load_jobs(World& world, const std::vector<JobRecord>& records) {
  for (const JobRecord& record : records) {
    if (auto loaded = load_job(world, record); !loaded)
      return std::unexpected(std::move(loaded).error().within("job record " + std::to_string(record.no)));
  }
  const JobSet& all = world.state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1})) {
    Job& job = *world.state.jobs.find(*no);
    if (!is_terminal(job.status)) attach_dependencies(world, job);
    if (job.is_gang())
      for (Job& node : job.children()) resume(world, node);
    if (job.is_array())
      for (Job& child : job.extra->array->children) {
        if (child.status == JobStatus::Pending && !child.recorded && job.unmet == 0 && child.unmet == 0) {
          const Instant counts_changed = job.extra->array->counts_changed_at;
          world.state.jobs.set_status(child, JobStatus::Runnable, counts_changed);
          child.runnable_at = job.runnable_at;
        }
        resume(world, child);
      }
    resume(world, job);
  }
  restore_claims(world);
  return {};
}

}  // namespace stoker::core
