#include "core/testing/driver.h"

#include <stdexcept>

#include "base/assert.h"
#include "core/job/life.h"

namespace stoker::core::testing {

void RecordMap::commit(const Records& changes) {
  for (const DocumentRecord& record : changes.documents)
    documents_.insert_or_assign({record.kind, record.key}, record);
  for (const JobRecord& record : changes.jobs) jobs_.insert_or_assign(record.no, record);
  for (const auto& row : changes.executions) executions_.insert_or_assign(row.record.no, row);
  for (const auto& one : changes.payloads) payloads_.insert_or_assign({one.execution, one.run}, one);
  for (const auto& one : changes.threads) threads_.insert_or_assign({one.execution, one.thread}, one);
  for (const auto& one : changes.map_runs) map_runs_.insert_or_assign({one.execution, one.run}, one);
  for (const auto& one : changes.map_children)
    map_children_.insert_or_assign({{one.execution, one.run}, one.index}, one);
  for (const auto& one : changes.map_results)
    map_results_.insert_or_assign({{one.execution, one.run}, one.index}, one);
  for (const auto& one : changes.history)
    ASSERT(history_.emplace(Pair{one.execution, one.id}, one).second, "an event is written once");
  for (const auto& key : changes.removed_threads) threads_.erase(key);
  for (const auto& key : changes.settled_runs) {
    payloads_.erase(key);
    std::erase_if(map_children_, [&](const auto& entry) { return entry.first.first == key; });
    std::erase_if(map_results_, [&](const auto& entry) { return entry.first.first == key; });
  }
  for (const std::uint64_t no : changes.removed_executions) {
    const auto of_it = [no](const auto& entry) { return entry.second.execution == no; };
    executions_.erase(no);
    std::erase_if(payloads_, of_it);
    std::erase_if(threads_, of_it);
    std::erase_if(map_runs_, of_it);
    std::erase_if(map_children_, of_it);
    std::erase_if(map_results_, of_it);
    std::erase_if(history_, of_it);
  }
  for (const DocumentKey& key : changes.removed_documents) documents_.erase({key.kind, key.key});
  for (const std::uint64_t no : changes.removed_jobs) jobs_.erase(no);
}

Records RecordMap::all() const {
  Records records;
  for (const auto& [key, record] : documents_) records.documents.push_back(record);
  for (const auto& [no, record] : jobs_) records.jobs.push_back(record);
  const auto runs = [&](std::uint64_t no) {
    return executions_.at(no).record.status == workflow::Status::Running;
  };
  for (const auto& [no, row] : executions_) {
    records.executions.push_back(row);
    if (!runs(no)) records.executions.back().record.body.clear();
  }
  for (const auto& [key, one] : payloads_)
    if (runs(one.execution)) records.payloads.push_back(one);
  for (const auto& [key, one] : threads_)
    if (runs(one.execution)) records.threads.push_back(one);
  for (const auto& [key, one] : map_runs_) {
    records.map_runs.push_back(one);
    if (!runs(one.execution)) records.map_runs.back().body.clear();
  }
  for (const auto& [key, one] : map_children_)
    if (runs(one.execution)) records.map_children.push_back(one);
  return records;
}

std::optional<workflow::Snapshot> RecordMap::execution(std::uint64_t no) const {
  const auto row = executions_.find(no);
  if (row == executions_.end()) return std::nullopt;
  workflow::Snapshot out;
  out.execution = row->second.record;
  const auto copy = [no](const auto& from, auto& to) {
    for (const auto& [key, one] : from)
      if (one.execution == no) to.push_back(one);
  };
  copy(payloads_, out.payloads);
  copy(threads_, out.threads);
  copy(map_runs_, out.map_runs);
  copy(map_children_, out.map_children);
  return out;
}

std::vector<workflow::HistoryEvent> RecordMap::history(std::uint64_t execution) const {
  std::vector<workflow::HistoryEvent> out;
  for (const auto& [key, event] : history_)
    if (key.first == execution) out.push_back(event);
  return out;
}

Driver::Driver(Settings settings) : settings_(settings), core_(std::make_unique<Core>(settings)) {
  CreateComputeEnvironment environment;
  environment.name = "local";
  environment.managed = false;
  environment.uuid = "e";
  environment.document = std::make_shared<const json::Value>(json::Object{});
  ASSERT(ask(environment).has_value());
  CreateJobQueue queue;
  queue.name = "default";
  queue.priority = 1;
  queue.environments = {{.order = 1, .environment = "local"}};
  ASSERT(ask(queue).has_value());
}

void Driver::turn() {
  core_->schedule(now, actions_);
  store_.commit(core_->take_changes());
  std::vector<std::uint64_t> fetches;
  for (Action& action : std::exchange(actions_, {})) {
    if (auto* replied = std::get_if<Replied>(&action))
      answers_.insert_or_assign(replied->request, std::move(replied->answer));
    else if (auto* start_run = std::get_if<StartRun>(&action))
      starts.push_back(std::move(*start_run));
    else if (auto* stop = std::get_if<StopRun>(&action))
      stops.push_back(std::move(*stop));
    else if (auto* forget = std::get_if<ForgetRun>(&action))
      forgets.push_back(std::move(*forget));
    else if (auto* launch = std::get_if<LaunchNodes>(&action))
      launches.push_back(std::move(*launch));
    else if (auto* retire = std::get_if<RetireNode>(&action))
      retirements.push_back(std::move(*retire));
    else if (auto* search = std::get_if<FindSubnets>(&action))
      searches.push_back(std::move(*search));
    else if (auto* call = std::get_if<CallService>(&action))
      calls.push_back(std::move(*call));
    else if (auto* describe = std::get_if<DescribeEndedJob>(&action))
      descriptions.push_back(*describe);
    else if (const auto* fetch = std::get_if<FetchExecution>(&action))
      fetches.push_back(fetch->execution);
  }
  for (const std::uint64_t no : fetches) {
    auto found = store_.execution(no);
    event(ExecutionFetched{no,
                           found ? std::make_shared<const workflow::Snapshot>(*std::move(found)) : nullptr});
  }
}

void Driver::event(Event event) {
  core_->apply(now, event, actions_);
  turn();
}

Result<Answer> Driver::ask(Request request) {
  const RequestId id{next_request_++};
  event(Requested{id, std::move(request)});
  auto answer = answers_.extract(id);
  ASSERT(!answer.empty(), "a request without an answer");
  return std::move(answer.mapped());
}

RequestId Driver::ask_later(Request request) {
  const RequestId id{next_request_++};
  event(Requested{id, std::move(request)});
  return id;
}

const Result<Answer>* Driver::answer_of(RequestId id) const {
  const auto found = answers_.find(id);
  return found == answers_.end() ? nullptr : &found->second;
}

void Driver::advance(Duration by) {
  constexpr int kTurnsMax = 10'000;  // at one instant: a turn has a bounded number of steps
  const Instant until = now + by;
  int turns = 0;
  while (true) {
    const auto due = core_->next_wakeup();
    if (!due || *due > until) break;
    if (*due > now) turns = 0;
    now = std::max(now, *due);
    event(TimerFired{});
    ASSERT(++turns < kTurnsMax, "a timer that is never served");
  }
  now = until;
}

void Driver::crash() {
  core_ = std::make_unique<Core>(settings_);
  const auto loaded = core_->load(store_.all());
  ASSERT(loaded.has_value(), loaded ? "" : loaded.error().message);
  actions_.clear();
}

namespace {

std::string text_of(const JobRecord& r) {
  std::string text;
  for (const auto n : {r.no, r.parent, r.queue, r.spec}) text += std::to_string(n) + " ";
  for (const auto n : {r.index, r.status, r.created_at, r.runnable_at, r.started_at, r.stopped_at, r.flags})
    text += std::to_string(n) + " ";
  return text + r.name + " " + r.extra;
}

// The first record that differs, for the message of a failed check.
std::string difference(const Records& a, const Records& b) {
  for (std::size_t i = 0; i < std::max(a.jobs.size(), b.jobs.size()); ++i) {
    if (i < a.jobs.size() && i < b.jobs.size() && a.jobs[i] == b.jobs[i]) continue;
    return "loaded: " + (i < a.jobs.size() ? text_of(a.jobs[i]) : "-") +
           "\nliving: " + (i < b.jobs.size() ? text_of(b.jobs[i]) : "-");
  }
  for (std::size_t i = 0; i < std::max(a.documents.size(), b.documents.size()); ++i) {
    if (i < a.documents.size() && i < b.documents.size() && a.documents[i] == b.documents[i]) continue;
    return "loaded: " + (i < a.documents.size() ? a.documents[i].body : "-") +
           "\nliving: " + (i < b.documents.size() ? b.documents[i].body : "-");
  }
  return "no record";
}

}  // namespace

void Driver::check() const {
  core_->check_invariants();
  Core again(settings_);
  const auto loaded = again.load(store_.all());
  ASSERT(loaded.has_value(), loaded ? "" : loaded.error().message);
  again.check_invariants();
  const Records loaded_records = again.all_records();
  const Records living = core_->all_records();
  ASSERT(loaded_records == living, "the records give the state back\n" + difference(loaded_records, living));
}

Node Driver::a_node(const std::string& name, Resources total, const std::string& model,
                    std::int64_t gpu_memory_mib) {
  Node node;
  node.name = name;
  node.environment = "local";
  node.instance = "boot";
  node.total = total;
  node.containers = true;
  for (int i = 0; i < total.gpus; ++i)
    node.gpus.push_back({name + "-GPU-" + std::to_string(i), model, gpu_memory_mib, {}});
  return node;
}

void Driver::connect(Node node, std::vector<KnownRun> runs) {
  event(NodeConnected{std::move(node), std::move(runs)});
}

void Driver::connect(const std::string& node, Resources total, std::vector<KnownRun> runs, bool containers) {
  Node made = a_node(node, total);
  made.containers = containers;
  connect(std::move(made), std::move(runs));
}

namespace {

std::string container_text(const Resources& needs, std::string gpu_value = "",
                           const std::string& image = "host") {
  std::string requirements = R"([{"type":"VCPU","value":")" + std::to_string(needs.cpus_milli / 1000) +
                             R"("},{"type":"MEMORY","value":")" + std::to_string(needs.memory_mib) + "\"}";
  if (gpu_value.empty() && needs.gpus > 0) gpu_value = std::to_string(needs.gpus);
  if (gpu_value.empty() && needs.gpu_milli > 0)
    gpu_value = "0." + std::to_string(1000 + needs.gpu_milli).substr(1);
  if (!gpu_value.empty()) requirements += R"(,{"type":"GPU","value":")" + gpu_value + "\"}";
  return R"({"image":")" + image + R"(","command":["true"],"resourceRequirements":)" + requirements + "]}";
}

RegisterJobDefinition registration(const std::string& name, const std::string& text,
                                   const std::string& more_json) {
  const std::string whole = "{" + text + (more_json.empty() ? "" : "," + more_json) + "}";
  return {name, std::make_shared<const json::Value>(json::parse(whole).value()), {}};
}

}  // namespace

std::string Driver::define(const std::string& name, Resources needs, const std::string& more_json,
                           std::string gpu_value) {
  auto answer = ask(registration(
      name, R"("type":"container","containerProperties":)" + container_text(needs, std::move(gpu_value)),
      more_json));
  ASSERT(answer.has_value(), answer ? "" : answer.error().message);
  return name;
}

std::string Driver::define_boxed(const std::string& name, const std::string& image, Resources needs) {
  auto answer = ask(registration(
      name, R"("type":"container","containerProperties":)" + container_text(needs, "", image), ""));
  ASSERT(answer.has_value(), answer ? "" : answer.error().message);
  return name;
}

std::string Driver::define_gang(const std::string& name, int nodes, Resources needs,
                                const std::string& more_json, std::optional<Resources> workers) {
  std::string ranges = R"({"targetNodes":"0:","container":)" + container_text(workers.value_or(needs)) + "}";
  if (workers) ranges += R"(,{"targetNodes":"0:0","container":)" + container_text(needs) + "}";
  auto answer = ask(registration(name,
                                 R"("type":"multinode","nodeProperties":{"mainNode":0,"numNodes":)" +
                                     std::to_string(nodes) + R"(,"nodeRangeProperties":[)" + ranges + "]}",
                                 more_json));
  ASSERT(answer.has_value(), answer ? "" : answer.error().message);
  return name;
}

Uuid Driver::submit(const std::string& name, const std::string& definition, int array_size,
                    std::vector<Dependency> depends_on, const std::string& overrides,
                    const std::string& queue) {
  SubmitJob request;
  request.id = Uuid::from_random(ids.next(), ids.next());
  request.job_name = name;
  request.queue = queue;
  request.definition = definition;
  request.array_size = array_size;
  request.depends_on = std::move(depends_on);
  if (!overrides.empty())
    request.overrides = std::make_shared<const json::Value>(json::parse(overrides).value());
  auto answer = ask(request);
  ASSERT(answer.has_value(), answer ? "" : answer.error().message);
  return request.id;
}

const Job& Driver::job(const Uuid& id, int index) const {
  const Job* found = core_->state().jobs.find(id, index);
  ASSERT(found != nullptr, "no such job");
  return *found;
}

std::string Driver::status(const Uuid& id, int index) const {
  return std::string(name_of(job(id, index).status));
}
RunToken Driver::token(const Uuid& id, int index) const {
  return current_token(job(id, index));
}

void Driver::start(const Uuid& id, int index) {
  event(RunStarted{token(id, index), now});
}

void Driver::finish(const Uuid& id, int exit_code, int index, const std::string& reason) {
  const Job& job_there = job(id, index);
  ASSERT(is_active(job_there.status), "a job that does not run cannot finish");
  RunEnded ended;
  ended.node = job_there.extra->attempts.back().node;
  ended.token = token(id, index);
  ended.started_at = now;
  ended.at = now;
  ended.exit_code = exit_code;
  ended.reason = reason;
  event(std::move(ended));
}

Dependency on(const Uuid& job, DependencyType type, int index) {
  return {job, index, type};
}

}  // namespace stoker::core::testing
