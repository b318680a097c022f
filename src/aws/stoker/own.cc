// Our own operations: jobs across queues, nodes, and the update of a waiting job. Explain has a file of its
// own.
#include "aws/stoker/own.h"

#include "aws/batch/job_view.h"
#include "aws/members.h"
#include "aws/merged_jobs.h"
#include "aws/operation.h"
#include "aws/page.h"
#include "base/text.h"
#include "core/provision/costs.h"
#include "core/schedule/fit.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kLinesMax = 1000;
constexpr std::size_t kHeldJobsMax = 100;

void put_instant(json::Object& out, std::string_view member, Instant at) {
  if (at) out[member] = at.ms;
}

// Whether each line tells what its job cost, and when that is.
struct Costs {
  bool asked = false;
  Instant now;
};

// Of all its nodes together: "2", "0.5", "3x1g.10gb", "1 + 2g.20gb"; nothing: "".
std::string gpu_request(const core::JobSpec& spec) {
  std::int64_t milli = 0;
  std::map<std::string_view, std::int64_t> devices;  // by profile
  const auto add = [&](const core::ContainerSpec& container) {
    if (container.gpu.mig_devices > 0)
      devices[container.gpu.mig] += container.gpu.mig_devices;
    else
      milli += container.resources.all_gpu_milli();
  };
  if (spec.nodes && spec.node_class < 0)
    for (const std::uint8_t one : spec.nodes->class_of) add(spec.nodes->classes[one].container);
  else
    add(spec.container);
  std::string text = milli > 0 ? core::thousandths(milli) : "";
  for (const auto& [profile, count] : devices)
    text.append(text.empty() ? "" : " + ")
        .append(count == 1 ? "" : std::to_string(count) + "x")
        .append(profile);
  return text;
}

json::Value job_line(const JobView& view, const core::State& state, Costs costs) {
  const core::Job& job = view.job();
  json::Object out{{"jobId", job.public_id()},
                   {"jobName", view.name()},
                   {"jobQueue", view.queue().name},
                   {"jobDefinition", job.spec->definition->id()},
                   {"status", name_of(job.status)}};
  if (const std::string reason = view.status_reason(); !reason.empty()) out["statusReason"] = reason;
  put_instant(out, "createdAt", job.created_at);
  put_instant(out, "runnableAt", job.runnable_at);
  put_instant(out, "startedAt", job.started_at);
  put_instant(out, "stoppedAt", job.stopped_at);
  out["attempts"] = job.attempts_used;
  if (const core::Attempt* attempt = view.latest_attempt()) {
    if (attempt->exit_code) out["exitCode"] = *attempt->exit_code;
    if (!attempt->reason.empty()) out["reason"] = attempt->reason;
    out["node"] = attempt->node;
    out["gpus"] = to_array(attempt->gpus);
    // Of a multi-node job it can be known while nodes are still being stopped.
    if (!is_active(job.status)) put_instant(out, "attemptStoppedAt", attempt->stopped_at);
  }
  out["requirements"] = to_json(job.spec->container.resources);
  if (std::string gpus = gpu_request(*job.spec); !gpus.empty()) out["gpuRequest"] = std::move(gpus);
  if (job.is_node())
    out["nodeIndex"] = job.index;
  else if (job.is_child())
    out["arrayIndex"] = job.index;
  if (job.is_gang()) out["numNodes"] = job.children().size();
  put_starter(out, job, state);
  if (costs.asked)
    if (const cost::Totals totals = core::cost_of_job(state, job, costs.now); totals != cost::Totals{})
      out["cost"] = to_json(totals);
  if (job.is_array()) {
    json::Object counts;
    for (std::size_t i = 0; i < core::kJobStatusCount; ++i) {
      const std::uint32_t count = job.extra->array->counts[i];
      if (count != 0) counts[core::kJobStatusNames[i]] = count;
    }
    out["arraySize"] = job.extra->array->children.size();
    out["arrayStatuses"] = std::move(counts);
  }
  return out;
}

// The sets of jobs that the request asks for.
Result<std::vector<const core::JobSet*>> wanted_sets(const json::Value& input, const core::State& state) {
  const auto statuses = read_texts(input, "statuses");
  const std::string_view queue_text = json::get_string(input, "jobQueue");
  if (statuses.empty() && queue_text.empty()) return std::vector{&state.jobs.all()};
  std::vector<core::QueueNo> queues;
  if (queue_text.empty()) {
    for (const auto& [no, queue] : state.queues) queues.push_back(no);
  } else {
    const std::string name = TRY(name_in(queue_text, "job-queue"));
    const core::JobQueue* queue = state.find_queue(name);
    if (queue == nullptr) return fail(Code::NotFound, "Job queue " + name + " does not exist");
    queues.push_back(queue->no);
  }
  std::vector<const core::JobSet*> out;
  for (std::size_t i = 0; i < core::kJobStatusCount; ++i) {
    const bool wanted =
        statuses.empty() || std::ranges::find(statuses, core::kJobStatusNames[i]) != statuses.end();
    for (const core::QueueNo queue : wanted ? queues : std::vector<core::QueueNo>()) {
      const core::JobSet& set = state.jobs.of(queue, static_cast<core::JobStatus>(i));
      if (!set.empty()) out.push_back(&set);
    }
  }
  return out;
}

Result<std::optional<core::JobNo>> read_after(const Page& page) {
  if (page.after.empty()) return std::optional<core::JobNo>();
  const auto no = parse_int(page.after);
  if (!no || *no < 0) return fail(Code::InvalidArgument, "Invalid nextToken");
  return std::optional(core::JobNo{static_cast<std::uint64_t>(*no)});
}

Result<json::Value> list_children(const json::Value& input, const Page& page, const core::State& state,
                                  Costs costs) {
  const bool nodes = json::find(input, "multiNodeJobId") != nullptr;
  const std::string_view id = json::get_string(input, nodes ? "multiNodeJobId" : "arrayJobId");
  const auto name = job_in(id);
  const core::Job* parent = name ? state.jobs.find(name->id) : nullptr;
  if (parent == nullptr) return fail(Code::NotFound, "Job " + std::string(id) + " does not exist");
  if (nodes ? !parent->is_gang() : !parent->is_array())
    return fail(Code::InvalidArgument,
                "Job " + std::string(id) + (nodes ? " is not a multi-node job" : " is not an array"));
  const auto statuses = read_texts(input, "statuses");
  const std::span<const core::Job> children = parent->children();
  const auto after = TRY(read_after(page));
  json::Array lines;
  std::size_t i = after ? static_cast<std::size_t>(after->value) + 1 : 0;
  for (; i < children.size() && lines.size() < page.size; ++i) {
    const std::string_view status = name_of(children[i].status);
    if (!statuses.empty() && std::ranges::find(statuses, status) == statuses.end()) continue;
    lines.push_back(job_line(JobView(state, children[i]), state, costs));
  }
  json::Object out{{"jobs", std::move(lines)}};
  if (i < children.size()) out["nextToken"] = page_token("all-jobs", std::to_string(i - 1));
  return out;
}

Result<json::Value> list_all_jobs(const Place&, const json::Value& input, const core::State& state,
                                  Instant now) {
  const Page page = TRY(read_page(input, "all-jobs", kLinesMax));
  const Costs costs{json::get_bool(input, "costs"), now};
  if (json::find(input, "arrayJobId") != nullptr || json::find(input, "multiNodeJobId") != nullptr)
    return list_children(input, page, state, costs);
  const auto direction =
      json::get_bool(input, "oldestFirst") ? Direction::OldestFirst : Direction::NewestFirst;
  MergedJobs jobs(TRY(wanted_sets(input, state)), direction, TRY(read_after(page)));
  json::Array lines;
  core::JobNo last;
  for (; jobs.current() && lines.size() < page.size; jobs.advance()) {
    last = *jobs.current();
    lines.push_back(job_line(JobView(state, *state.jobs.find(last)), state, costs));
  }
  json::Object out{{"jobs", std::move(lines)}};
  if (jobs.current() && last) out["nextToken"] = page_token("all-jobs", std::to_string(last.value));
  return out;
}

// Who holds it; nothing for nobody.
json::Object holder(core::JobNo no, const core::State& state) {
  const core::Job* job = no ? state.jobs.find(no) : nullptr;
  if (job == nullptr) return {};
  return {{"jobId", job->public_id()}, {"jobName", JobView(state, *job).name()}};
}

// Shares of a GPU, and its MIG devices.
void put_parts(json::Object& line, const core::NodeGpu& gpu, const core::State& state) {
  if (!gpu.sharers.empty()) {
    line["sharedMilli"] = gpu.shared_milli;
    json::Array& sharers = line["sharers"].emplace_array();
    for (const core::JobNo no : gpu.sharers) {
      json::Object sharer = holder(no, state);
      if (sharer.empty()) continue;
      sharer["milli"] = state.jobs.find(no)->spec->container.resources.gpu_milli;
      sharers.push_back(std::move(sharer));
    }
  }
  if (gpu.mig == core::MigMode::Off) return;
  json::Array& devices = line["migDevices"].emplace_array();
  for (const core::MigDevice& device : gpu.devices) {
    json::Object part = holder(device.holder, state);
    part["name"] = device.name;
    part["profile"] = device.profile;
    devices.push_back(std::move(part));
  }
}

json::Array gpu_lines(const core::Node& node, const core::State& state) {
  json::Array out;
  for (const core::NodeGpu& gpu : node.gpus) {
    json::Object line = holder(gpu.holder, state);
    line["uuid"] = gpu.uuid;
    line["model"] = gpu.model;
    line["memoryMib"] = gpu.memory_mib;
    put_parts(line, gpu, state);
    out.push_back(std::move(line));
  }
  return out;
}

json::Value node_line(const core::Node& node, const core::State& state) {
  json::Array held;
  for (const core::JobNo no : node.runs) {
    const core::Job* job = state.jobs.find(no);
    if (job == nullptr) continue;
    if (held.size() == kHeldJobsMax) break;
    json::Object line{{"jobId", job->public_id()},
                      {"jobName", JobView(state, *job).name()},
                      {"status", name_of(job->status)}};
    put_instant(line, "startedAt", job->started_at);
    held.push_back(std::move(line));
  }
  return json::Object{{"node", node.name},
                      {"environment", node.environment},
                      {"connected", node.connected},
                      {"containers", node.containers},
                      {"images", node.images == nullptr ? json::Array{} : to_array(*node.images)},
                      {"warnings", to_array(node.warnings)},
                      {"total", to_json(node.total)},
                      {"used", to_json(node.used)},
                      {"gpus", gpu_lines(node, state)},
                      {"jobs", std::move(held)},
                      {"jobCount", node.runs.size()}};
}

Result<json::Value> list_nodes(const Place&, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_page(input, "nodes"));
  return list_page(state.nodes, page, "nodes", "nodes",
                   [&](const core::Node& node) { return node_line(node, state); });
}

// What active jobs hold, by queue, and how many of them there are.
struct Active {
  core::Resources used;
  std::int64_t starting = 0;
  std::int64_t running = 0;
};
std::map<core::QueueNo, Active> active_by_queue(const core::State& state) {
  std::map<core::QueueNo, Active> out;
  for (const auto& [name, node] : state.nodes) {
    for (const core::JobNo no : node.runs) {
      const core::Job* job = state.jobs.find(no);
      if (job == nullptr) continue;
      Active& active = out[job->queue];
      active.used += job->spec->container.resources;
      ++(job->status == core::JobStatus::Running ? active.running : active.starting);
    }
  }
  return out;
}

json::Value queue_line(const core::JobQueue& queue, const Active& active, const core::State& state) {
  json::Object counts;
  for (std::size_t i = 0; i < core::kJobStatusCount; ++i) {
    counts[core::kJobStatusNames[i]] = state.jobs.of(queue.no, static_cast<core::JobStatus>(i)).size();
  }
  std::size_t runnable = 0;
  if (const auto waiting = state.waiting.find(queue.no); waiting != state.waiting.end()) {
    for (const auto& [group, jobs] : waiting->second) runnable += jobs.jobs.size();
  }
  counts["RUNNABLE"] = runnable;
  counts["STARTING"] = active.starting;
  counts["RUNNING"] = active.running;
  return json::Object{{"jobQueue", queue.name},      {"state", state_name(queue.enabled)},
                      {"priority", queue.priority},  {"environments", to_array(queue.environments)},
                      {"counts", std::move(counts)}, {"used", to_json(active.used)}};
}

Result<json::Value> list_queues(const Place&, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_page(input, "queue-lines"));
  auto active = active_by_queue(state);
  return list_page(state.queue_names, page, "queue-lines", "queues",
                   [&](core::QueueNo no) { return queue_line(state.queues.at(no), active[no], state); });
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  const std::string_view id = json::get_string(input, "jobId");
  const auto name = job_in(id);
  if (!name) return fail(Code::NotFound, "Job " + std::string(id) + " does not exist");
  if (name->node)
    return fail(
        Code::InvalidArgument,
        "jobId: " + std::string(id) + " names a node of a multi-node parallel job; update the whole job");
  core::UpdateJob out{.id = name->id, .index = name->index, .priority = {}, .share = {}, .queue = {}};
  if (json::find(input, "schedulingPriority") != nullptr)
    out.priority = static_cast<int>(json::get_int(input, "schedulingPriority"));
  if (json::find(input, "shareIdentifier") != nullptr) out.share = json::get_string(input, "shareIdentifier");
  if (json::find(input, "jobQueue") != nullptr)
    out.queue = TRY(name_in(json::get_string(input, "jobQueue"), "job-queue"));
  return out;
}

// The job as it is now.
Result<json::Value> updated_job(const Place&, const json::Value& input, const core::State& state, Instant) {
  const core::Job* job = find_job(state, json::get_string(input, "jobId"));
  if (job == nullptr) return json::Object{};
  json::Object out{{"jobId", job->public_id()}, {"jobQueue", state.queues.at(job->queue).name}};
  if (!job->spec->share.empty()) {
    out["shareIdentifier"] = job->spec->share;
    out["schedulingPriority"] = job->spec->scheduling_priority;
  }
  return out;
}

}  // namespace

json::Object to_json(const core::Resources& resources) {
  const std::int64_t milli = resources.all_gpu_milli();
  json::Object out{{"vcpus", static_cast<double>(resources.cpus_milli) / 1000},
                   {"memoryMib", resources.memory_mib},
                   {"gpus", milli / core::Resources::kGpuMilli}};
  if (milli % core::Resources::kGpuMilli != 0) out["gpuMilli"] = milli % core::Resources::kGpuMilli;
  return out;
}

void put_starter(json::Object& out, const core::Job& job, const core::State& state) {
  const core::Job& whole = job.is_child() ? *state.jobs.find(job.parent) : job;
  if (!whole.extra || !whole.extra->started_by) return;
  out["startedBy"] = json::Object{{"executionArn", whole.extra->started_by->execution_arn},
                                  {"state", whole.extra->started_by->state}};
}

json::Array to_array(const std::vector<std::string>& texts) {
  json::Array out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.emplace_back(text);
  return out;
}

void add_own(Handlers& handlers) {
  using enum OperationId;
  handlers[StokerExplain] = {.read = explain};
  handlers[StokerUpdateJob] = {.prepare = prepare_update, .read = updated_job};
  handlers[StokerListAllExecutions] = {.read = list_all_executions};
  handlers[StokerListAllJobs] = {.read = list_all_jobs};
  handlers[StokerListCosts] = {.read = list_costs};
  handlers[StokerListNodes] = {.read = list_nodes};
  handlers[StokerListQueues] = {.read = list_queues};
}

}  // namespace stoker::aws
