#include "aws/batch/job_view.h"

#include "aws/batch/containers.h"
#include "aws/members.h"
#include "core/schedule/preempt/preempt.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kStreamNameMax = 200;  // of the definition's name, in a stream's name
constexpr std::size_t kSaltBytes = 6;

void put_instant(json::Object& out, std::string_view member, Instant at) {
  if (at) out[member] = at.ms;
}
void put_text(json::Object& out, std::string_view member, std::string_view text) {
  if (!text.empty()) out[member] = text;
}

std::string_view type_name(core::DependencyType type) {
  switch (type) {
    case core::DependencyType::NToN:
      return "N_TO_N";
    case core::DependencyType::Sequential:
      return "SEQUENTIAL";
    case core::DependencyType::Whole:
      break;
  }
  return "";
}

json::Array dependencies(const JobView& view) {
  json::Array out;
  for (const core::Dependency& dependency : view.depends_on()) {
    json::Object entry;
    if (dependency.job) {
      const std::string index = dependency.index >= 0 ? ":" + std::to_string(dependency.index) : "";
      entry["jobId"] = dependency.job->str() + index;
    }
    put_text(entry, "type", type_name(dependency.type));
    out.push_back(std::move(entry));
  }
  return out;
}

// What container and attempts say about one attempt alike.
void put_attempt(json::Object& out, const Place& place, const JobView& view, const core::Attempt& attempt,
                 int number) {
  const core::RunToken token = token_of(view.runner(), number);
  if (attempt.exit_code) out["exitCode"] = *attempt.exit_code;
  put_text(out, "reason", attempt.reason);
  out["containerInstanceArn"] = container_instance_arn(place, attempt.node);
  out["taskArn"] = task_arn(place, token.str());
  out["logStreamName"] = log_place(*view.runner().spec, token).stream;
  out["networkInterfaces"] = json::Array{};
}

// Attempts that are over, oldest first.
json::Array attempts(const Place& place, const JobView& view) {
  json::Array out;
  int number = 0;
  for (const core::Attempt& attempt : view.attempts()) {
    ++number;
    // Of a multi-node job the end can be known while nodes are still being stopped.
    const bool under_way = is_active(view.job().status) && &attempt == &view.attempts().back();
    if (under_way) continue;
    json::Object container;
    put_attempt(container, place, view, attempt, number);
    json::Object entry{{"container", std::move(container)}};
    put_instant(entry, "startedAt", attempt.started_at);
    put_instant(entry, "stoppedAt", attempt.stopped_at);
    put_text(entry, "statusReason", attempt.status_reason);
    out.push_back(std::move(entry));
  }
  return out;
}

json::Object container(const Place& place, const JobView& view) {
  const core::JobSpec& spec = *view.job().spec;
  json::Object out =
      spec.container.properties ? with_empty_lists(*spec.container.properties) : json::Object{};
  out["networkInterfaces"] = json::Array{};
  if (const core::Attempt* attempt = view.latest_attempt()) {
    put_attempt(out, place, view, *attempt, static_cast<int>(view.attempts().size()));
  }
  return out;
}

// With the overrides merged in, a range for each row of nodes that are alike.
json::Object node_properties(const core::JobSpec& spec) {
  const core::NodePlan& plan = *spec.nodes;
  json::Array ranges;
  for (int first = 0; first < plan.nodes();) {
    const auto number = plan.class_of[static_cast<std::size_t>(first)];
    int last = first;
    while (last + 1 < plan.nodes() && plan.class_of[static_cast<std::size_t>(last) + 1] == number) ++last;
    ranges.push_back(
        json::Object{{"targetNodes", std::to_string(first) + ":" + std::to_string(last)},
                     {"container", with_empty_lists(*plan.classes[number].container.properties)}});
    first = last + 1;
  }
  return {
      {"numNodes", plan.nodes()}, {"mainNode", plan.main_node}, {"nodeRangeProperties", std::move(ranges)}};
}

json::Object status_counts(const core::ArrayState& array) {
  json::Object out;
  for (std::size_t i = 0; i < core::kJobStatusCount; ++i) out[core::kJobStatusNames[i]] = array.counts[i];
  return out;
}

// nodeProperties of a multi-node job, nodeDetails of one of its nodes.
void put_nodes(json::Object& out, const core::Job& job) {
  if (job.is_gang()) {
    out["nodeProperties"] = node_properties(*job.spec);
  } else if (job.is_node()) {
    out["nodeDetails"] =
        json::Object{{"nodeIndex", job.index}, {"isMainNode", job.index == job.spec->nodes->main_node}};
  }
}

void put_node_summary(json::Object& out, const core::Job& job) {
  if (!job.is_gang() && !job.is_node()) return;
  json::Object properties{{"numNodes", job.spec->nodes->nodes()}};
  if (job.is_node()) {
    properties["isMainNode"] = job.index == job.spec->nodes->main_node;
    properties["nodeIndex"] = job.index;
  }
  out["nodeProperties"] = std::move(properties);
}

void put_array(json::Object& out, const core::Job& job) {
  if (job.is_node()) return;
  if (job.is_child()) {
    out["arrayProperties"] = json::Object{{"index", job.index}};
  } else if (job.is_array()) {
    const core::ArrayState& array = *job.extra->array;
    json::Object properties{{"statusSummary", status_counts(array)}};
    put_instant(properties, "statusSummaryLastUpdatedAt", array.counts_changed_at);
    properties["size"] = array.children.size();
    out["arrayProperties"] = std::move(properties);
  }
}

// As given in the submission, else in the definition, else what holds without either.
json::Value retry_strategy(const core::JobSpec& spec) {
  const json::Value* given = spec.overrides ? json::find(*spec.overrides, "retryStrategy") : nullptr;
  if (given == nullptr) given = json::find(*spec.definition->document, "retryStrategy");
  json::Object out = given != nullptr && given->is_object() ? given->get_object() : json::Object{};
  if (out.find("attempts") == out.end()) out["attempts"] = spec.retry.attempts;
  if (out.find("evaluateOnExit") == out.end()) out["evaluateOnExit"] = json::Array{};
  return out;
}

json::Value consumables(const core::JobSpec& spec) {
  json::Array list;
  for (const core::ConsumableNeed& need : spec.consumables) {
    list.push_back(json::Object{{"consumableResource", need.resource}, {"quantity", need.quantity}});
  }
  return json::Object{{"consumableResourceList", std::move(list)}};
}

std::string definition_arn(const Place& place, const core::JobSpec& spec) {
  return batch_arn(place, "job-definition", spec.definition->id());
}

}  // namespace

JobView::JobView(const core::State& state, const core::Job& job)
    : state_(state), job_(job), parent_(job.is_child() ? state.jobs.parent_of(job) : job) {}

const core::Job* find_job(const core::State& state, std::string_view id_or_arn) {
  const auto name = job_in(id_or_arn);
  const core::Job* job = name ? state.jobs.find(name->id, name->index) : nullptr;
  return job != nullptr && job->is_node() == name->node ? job : nullptr;
}

const core::Job* awaited(const core::State& state, const core::Job& job, const core::Dependency& dependency) {
  const bool in_array = job.is_child() && !job.is_node();
  if (!dependency.job)  // SEQUENTIAL
    return in_array && job.index > 0 ? state.jobs.find(job.id, job.index - 1) : nullptr;
  const bool by_number = dependency.type == core::DependencyType::NToN && in_array;
  return state.jobs.find(*dependency.job, by_number ? job.index : dependency.index);
}

const core::JobQueue& JobView::queue() const {
  return state_.queues.at(job_.queue);
}

const core::Tags* JobView::tags() const {
  return parent_.extra->tags ? &*parent_.extra->tags : nullptr;
}

const std::vector<core::Attempt>& JobView::attempts() const {
  static const std::vector<core::Attempt> kNone;
  return job_.extra ? job_.extra->attempts : kNone;
}

const core::Job& JobView::runner() const {
  return job_.is_gang() ? job_.children()[static_cast<std::size_t>(job_.spec->nodes->main_node)] : job_;
}

const core::Attempt* JobView::latest_attempt() const {
  return attempts().empty() ? nullptr : &attempts().back();
}

std::string JobView::status_reason() const {
  switch (job_.status) {
    case core::JobStatus::Submitted:
    case core::JobStatus::Pending: {
      const unsigned open = job_.unmet + (job_.is_child() ? unsigned{parent_.unmet} : 0u);
      if (open == 0) return "";
      if (open > 1) return "Waits for " + std::to_string(open) + " dependencies to succeed";
      for (const core::Dependency& dependency : depends_on()) {
        if (job_.is_array() && dependency.type != core::DependencyType::Whole) continue;  // of its children
        const core::Job* other = awaited(state_, job_, dependency);
        if (other != nullptr && other->status != core::JobStatus::Succeeded)
          return "Waits for job " + other->public_id() + " to succeed";
      }
      return "Waits for 1 dependency to succeed";
    }
    case core::JobStatus::Runnable: {
      if (const auto claim = state_.claims.find(job_.no); claim != state_.claims.end())
        return core::claim_text(state_, claim->second);
      const core::WaitReason* why = core::find_wait_reason(state_, whole());
      return why == nullptr ? "" : why->text;
    }
    case core::JobStatus::Starting:
      return latest_attempt() == nullptr ? "" : latest_attempt()->progress;
    case core::JobStatus::Running:
      return "";
    case core::JobStatus::Succeeded:
    case core::JobStatus::Failed:
      break;
  }
  if (job_.extra && !job_.extra->status_reason.empty()) return job_.extra->status_reason;
  return job_.is_node() ? parent_.extra->status_reason : "";  // it ended without having run
}

core::RunToken token_of(const core::Job& job, int attempt) {
  std::uint64_t salt = 0;
  for (std::size_t i = 0; i < kSaltBytes; ++i) salt = salt << 8 | job.id.bytes[i];
  return {job.no, attempt, salt};
}

std::string_view log_group_of(const json::Value& properties) {
  const json::Value* configuration = json::find(properties, "logConfiguration");
  const json::Value* options = configuration == nullptr ? nullptr : json::find(*configuration, "options");
  return options == nullptr ? kJobLogGroup : json::get_string(*options, "awslogs-group", kJobLogGroup);
}

LogPlace log_place(const core::JobSpec& spec, const core::RunToken& token) {
  std::string_view prefix = std::string_view(spec.definition->name).substr(0, kStreamNameMax);
  std::string_view group = kJobLogGroup;
  if (spec.container.properties) {
    group = log_group_of(*spec.container.properties);
    if (const json::Value* configuration = json::find(*spec.container.properties, "logConfiguration")) {
      if (const json::Value* options = json::find(*configuration, "options")) {
        prefix = json::get_string(*options, "awslogs-stream-prefix", prefix);
      }
    }
  }
  return {std::string(group), std::string(prefix) + "/default/" + token.str()};
}

json::Value job_detail(const Place& place, const JobView& view) {
  const core::Job& job = view.job();
  const core::JobSpec& spec = *job.spec;
  const std::string id = job.public_id();
  json::Object out;
  out.reserve(32);
  out["jobArn"] = batch_arn(place, "job", id);
  out["jobName"] = view.name();
  out["jobId"] = id;
  out["jobQueue"] = batch_arn(place, "job-queue", view.queue().name);
  out["status"] = name_of(job.status);
  if (!spec.share.empty()) {
    out["shareIdentifier"] = spec.share;
    out["schedulingPriority"] = spec.scheduling_priority;
  }
  out["attempts"] = attempts(place, view);
  put_text(out, "statusReason", view.status_reason());
  put_instant(out, "createdAt", job.created_at);
  out["retryStrategy"] = retry_strategy(spec);
  put_instant(out, "startedAt", job.started_at);
  put_instant(out, "stoppedAt", job.stopped_at);
  out["dependsOn"] = dependencies(view);
  out["jobDefinition"] = definition_arn(place, spec);
  out["parameters"] = to_object(spec.parameters);
  if (!job.is_gang()) out["container"] = container(place, view);  // clients tell them apart by that
  put_array(out, job);
  put_nodes(out, job);
  if (spec.timeout) out["timeout"] = json::Object{{"attemptDurationSeconds", spec.timeout->ms / 1000}};
  out["tags"] = view.tags() != nullptr ? to_object(*view.tags()) : json::Object{};
  out["propagateTags"] = spec.propagate_tags;
  copy_members(out, *spec.definition->document, {"platformCapabilities"});
  out["isCancelled"] = view.whole().cancelled;
  out["isTerminated"] = view.whole().terminated;
  if (!spec.consumables.empty()) out["consumableResourceProperties"] = consumables(spec);
  return out;
}

json::Value job_summary(const Place& place, const JobView& view) {
  const core::Job& job = view.job();
  const std::string id = job.public_id();
  json::Object out;
  out.reserve(16);
  out["jobArn"] = batch_arn(place, "job", id);
  out["jobId"] = id;
  out["jobName"] = view.name();
  if (is_active(job.status)) {
    const double cpus = static_cast<double>(job.spec->container.resources.cpus_milli) / 1000;
    out["capacityUsage"] = json::Array{json::Object{{"capacityUnit", "VCPU"}, {"quantity", cpus}}};
  }
  put_instant(out, "createdAt", job.created_at);
  if (const core::Attempt* attempt = view.latest_attempt())
    put_instant(out, "scheduledAt", attempt->placed_at);
  put_text(out, "shareIdentifier", job.spec->share);
  out["status"] = name_of(job.status);
  put_text(out, "statusReason", view.status_reason());
  put_instant(out, "startedAt", job.started_at);
  put_instant(out, "stoppedAt", job.stopped_at);
  if (const core::Attempt* attempt = view.latest_attempt();
      attempt != nullptr && attempt->stopped_at && !is_active(job.status)) {
    json::Object container;
    if (attempt->exit_code) container["exitCode"] = *attempt->exit_code;
    put_text(container, "reason", attempt->reason);
    out["container"] = std::move(container);
  }
  put_array(out, job);
  put_node_summary(out, job);
  out["jobDefinition"] = definition_arn(place, *job.spec);
  return out;
}

}  // namespace stoker::aws
