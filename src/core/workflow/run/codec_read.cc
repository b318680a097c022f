#include <algorithm>
#include <charconv>

#include "core/workflow/run/codec.h"
#include "core/workflow/run/map_run.h"

namespace stoker::workflow {
namespace {

// Records hold what was checked when it was made; the text of a value may be deeper than a request's.
constexpr json::ParseLimits kRecordLimits = {.depth_max = 512, .bytes_max = std::size_t{1} << 30};

std::uint64_t get_uint(const json::Value& body, std::string_view key, std::uint64_t otherwise = 0) {
  return static_cast<std::uint64_t>(json::get_int(body, key, static_cast<std::int64_t>(otherwise)));
}
Instant get_instant(const json::Value& body, std::string_view key) {
  return {json::get_int(body, key)};
}
std::optional<std::string> get_optional(const json::Value& body, std::string_view key) {
  const json::Value* found = json::find(body, key);
  return found != nullptr && found->is_string() ? std::optional(std::string(json::text(*found)))
                                                : std::nullopt;
}
std::uint64_t get_decimal(const json::Value& body, std::string_view key) {
  const std::string_view digits = json::get_string(body, key);
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}
json::Shared get_shared(const json::Value& body, std::string_view key) {
  const json::Value* found = json::find(body, key);
  return found == nullptr ? nullptr : std::make_shared<const json::Value>(*found);
}
std::vector<std::string> get_strings(const json::Value& body, std::string_view key) {
  std::vector<std::string> strings;
  for (const json::Value& value : json::get_array(body, key)) strings.emplace_back(json::text(value));
  return strings;
}
std::string get_text(const json::Value& body, std::string_view key) {
  return std::string(json::get_string(body, key));
}

std::unexpected<Error> broken(std::string text) {
  return fail(Code::Internal, "the records of an execution contradict each other: " + std::move(text));
}

void load_execution(ExecutionState& state, const ExecutionRecord& record, const json::Value& body) {
  ExecutionStart& start = state.start;
  start.no = record.no;
  start.arn = record.arn;
  start.name = record.name;
  start.machine_arn = record.machine_arn;
  start.map_run_arn = record.map_run_arn;
  start.machine_name = get_text(body, "machine_name");
  start.version_arn = get_text(body, "version_arn");
  start.alias_arn = get_text(body, "alias_arn");
  start.role_arn = get_text(body, "role_arn");
  start.seed = get_decimal(body, "seed");
  start.seed2 = get_decimal(body, "seed2");
  start.express = json::get_bool(body, "express");
  start.map_state = get_text(body, "map_state");
  start.trace_header = get_text(body, "trace_header");
  if (const json::Value* child = json::find(body, "child"))
    start.child = ChildRef{get_uint(*child, "execution"), get_uint(*child, "run"), get_uint(*child, "index")};
  if (json::find(body, "time_max") != nullptr) start.time_max = milliseconds(json::get_int(body, "time_max"));
  state.status = record.status;
  state.started_at = {record.started_at};
  state.stopped_at = {record.stopped_at};
  state.redriven_at = {record.redriven_at};
  state.redrive_count = record.redrive_count;
  state.timeout_at = get_instant(body, "timeout_at");
  state.next_event = get_uint(body, "next_event", 1);
  state.last_event = get_uint(body, "last_event");
  state.random_count = get_uint(body, "random_count");
  state.next_thread = get_uint(body, "next_thread", kTopThread);
  state.next_run = get_uint(body, "next_run", 1);
  state.cursor = get_uint(body, "cursor");
  state.recorded_below = state.next_thread;
  state.error = get_optional(body, "error");
  state.cause = get_optional(body, "cause");
}

Result<Document> read_document(const json::Value& body, std::string_view key) {
  return Document::parse(get_text(body, key));
}

Result<std::unique_ptr<Children>> read_children(const json::Value& body, const asl::State& of) {
  auto children = std::make_unique<Children>();
  children->total = get_uint(body, "total");
  children->concurrency = get_uint(body, "concurrency");
  children->threads.resize(children->total);
  children->results.resize(children->total);
  if (std::holds_alternative<asl::Map>(of.kind)) {
    children->items = get_shared(body, "items");
    if (!children->items || !children->items->is_array() ||
        children->items->get_array().size() != children->total)
      return broken("a Map without its items");
    children->keys = get_strings(body, "keys");
    children->effective = TRY(read_document(body, "effective"));
  } else {
    const auto* parallel = std::get_if<asl::Parallel>(&of.kind);
    if (parallel == nullptr || parallel->branches.size() != children->total)
      return broken("children of a state that has none");
  }
  return children;
}

Result<RunningTask> read_task(const json::Value& body) {
  const auto token = TaskToken::parse(json::get_string(body, "token"));
  if (!token) return broken("a task without a token");
  RunningTask task;
  task.token = *token;
  task.parameters = TRY(read_document(body, "parameters"));
  task.role = get_text(body, "role");
  task.started = json::get_bool(body, "started");
  task.submitted = json::get_bool(body, "submitted");
  task.timeout_at = get_instant(body, "timeout_at");
  task.heartbeat_at = get_instant(body, "heartbeat_at");
  task.heartbeat_s = json::get_int(body, "heartbeat_s");
  return task;
}

// The machine that a thread runs: its parent's branch or processor.
Result<const asl::Machine*> machine_for(ExecutionState& state, ThreadNo no, ThreadNo parent_no,
                                        std::size_t index) {
  if (parent_no == 0) {
    const asl::Machine* top = top_machine(*state.program, state.start);
    if (top == nullptr) return broken("no such Map state");
    return top;
  }
  const auto parent = state.threads.find(parent_no);
  if (parent == state.threads.end() || parent_no >= no || !parent->second.children ||
      index >= parent->second.children->total)
    return broken("a thread without its parent");
  const asl::Kind& kind = parent->second.state->kind;
  if (const auto* parallel = std::get_if<asl::Parallel>(&kind)) return parallel->branches[index].get();
  return std::get<asl::Map>(kind).processor.get();
}

Result<void> load_thread(ExecutionState& state, const ThreadRecord& record) {
  const json::Value body = TRY(json::parse(record.body, kRecordLimits));
  Thread thread;
  thread.no = record.thread;
  thread.parent = get_uint(body, "parent");
  thread.index = get_uint(body, "index");
  thread.machine = TRY(machine_for(state, thread.no, thread.parent, thread.index));
  if (thread.parent != 0) {
    Children& siblings = *state.threads.at(thread.parent).children;
    siblings.threads[thread.index] = thread.no;
    siblings.started = std::max(siblings.started, thread.index + 1);
    if (json::get_bool(body, "done")) {
      siblings.results[thread.index] = TRY(read_document(body, "output"));
      ++siblings.finished;
      return {};
    }
  }
  const auto at = thread.machine->states.find(json::get_string(body, "state"));
  if (at == thread.machine->states.end()) return broken("a thread in a state that is not in the definition");
  thread.state = &at->second;
  const std::int64_t phase = json::get_int(body, "phase", -1);
  if (phase < 0 || phase > static_cast<int>(Phase::Aborted)) return broken("a thread in no phase");
  thread.phase = static_cast<Phase>(phase);
  thread.input = TRY(read_document(body, "input"));
  thread.last = get_uint(body, "last");
  thread.entered_event = get_uint(body, "entered_event");
  thread.entered_at = get_instant(body, "entered_at");
  thread.due = get_instant(body, "due");
  thread.retry_count = json::get_int(body, "retry_count");
  thread.run = get_uint(body, "run");
  thread.begun = json::get_bool(body, "begun", true);
  for (const json::Value& count : json::get_array(body, "retries"))
    thread.retries.push_back(count.is_int64() ? count.get_int64() : 0);
  for (const auto& [name, value] : json::get_object(body, "variables")) {
    state.variable_bytes += json::write(value).size();
    thread.variables.emplace(name, std::make_shared<const json::Value>(value));
  }
  if (const json::Value* task = json::find(body, "task")) thread.task = TRY(read_task(*task));
  if (const json::Value* children = json::find(body, "children"))
    thread.children = TRY(read_children(*children, *thread.state));
  if ((thread.phase == Phase::Task) != thread.task.has_value() ||
      (thread.phase == Phase::Children) != (thread.children != nullptr) ||
      (thread.phase == Phase::Task && !std::holds_alternative<asl::Task>(thread.state->kind)))
    return broken("a thread that waits for nothing");
  state.threads.emplace(thread.no, std::move(thread));
  return {};
}

void read_counts(MapRunCounts& counts, const json::Array& numbers) {
  const std::array<std::int64_t*, 10> members = {
      &counts.pending,        &counts.running,         &counts.succeeded,
      &counts.failed,         &counts.timed_out,       &counts.aborted,
      &counts.total,          &counts.results_written, &counts.failures_not_redrivable,
      &counts.pending_redrive};
  for (std::size_t i = 0; i < members.size() && i < numbers.size(); ++i)
    if (numbers[i].is_int64()) *members[i] = numbers[i].get_int64();
}

Result<void> load_run(ExecutionState& state, const MapRunRecord& record) {
  const json::Value body = TRY(json::parse(record.body, kRecordLimits));
  MapRun run;
  run.no = record.run;
  run.uuid = get_text(body, "uuid");
  run.label = get_text(body, "label");
  run.state = state.program->find(json::get_string(body, "state"));
  if (run.state == nullptr || !std::holds_alternative<asl::Map>(run.state->kind))
    return broken("a map run of no Map");
  run.thread = get_uint(body, "thread");
  const std::int64_t stage = json::get_int(body, "stage", -1);
  if (stage < 0 || stage > static_cast<int>(RunStage::Over)) return broken("a map run at no stage");
  run.stage = static_cast<RunStage>(stage);
  run.settled = json::get_bool(body, "settled");
  run.token = TaskToken::parse(json::get_string(body, "token")).value_or(TaskToken{});
  run.arguments = get_shared(body, "arguments");
  run.items_max = json::get_int(body, "items_max");
  run.status = record.status;
  run.started_at = {record.started_at};
  run.stopped_at = {record.stopped_at};
  run.redriven_at = get_instant(body, "redriven_at");
  run.redrive_count = json::get_int(body, "redrive_count");
  run.started_event = get_uint(body, "started_event");
  run.concurrency_max = json::get_int(body, "concurrency_max");
  run.batched = json::get_bool(body, "batched");
  run.batch_items_max = json::get_int(body, "batch_items_max");
  run.batch_bytes_max = json::get_int(body, "batch_bytes_max");
  read_counts(run.item_counts, json::get_array(body, "item_counts"));
  read_counts(run.child_counts, json::get_array(body, "child_counts"));
  run.outputs_too_large = json::get_bool(body, "outputs_too_large");
  if (const json::Value* failing = json::find(body, "failing"))
    run.failing = Raised{.error = get_text(*failing, "error"), .cause = get_optional(*failing, "cause")};
  if (json::find(body, "tolerated_count") != nullptr)
    run.tolerated_count = json::get_int(body, "tolerated_count");
  if (const json::Value* percentage = json::find(body, "tolerated_percentage");
      percentage != nullptr && percentage->is_number())
    run.tolerated_percentage = percentage->to_number<double>();
  state.runs.emplace(run.no, std::move(run));
  return {};
}

Result<void> load_items(ExecutionState& state, const PayloadRecord& record) {
  const auto found = state.runs.find(record.run);
  if (found == state.runs.end()) return broken("items of no map run");
  const json::Value body = TRY(json::parse(record.text, kRecordLimits));
  MapRun& run = found->second;
  run.effective = TRY(read_document(body, "effective"));
  run.batch_input = get_text(body, "batch_input");
  run.items = get_shared(body, "items");
  run.keys = get_strings(body, "keys");
  run.source = get_text(body, "source");
  return {};
}

Result<void> load_child(ExecutionState& state, const MapChildRecord& record) {
  const auto found = state.runs.find(record.run);
  if (found == state.runs.end() || record.index != found->second.children.size())
    return broken("a child of no map run");
  const json::Value body = TRY(json::parse(record.body, kRecordLimits));
  MapChild child;
  child.name = get_text(body, "name");
  child.first = get_uint(body, "first");
  child.count = get_uint(body, "count");
  const std::int64_t status = json::get_int(body, "status", -1);
  if (status < 0 || status > static_cast<int>(ChildStatus::PendingRedrive))
    return broken("a child without status");
  child.status = static_cast<ChildStatus>(status);
  child.input = get_text(body, "input");
  child.output = get_text(body, "output");
  child.error = get_optional(body, "error");
  child.cause = get_optional(body, "cause");
  child.started_at = get_instant(body, "started_at");
  child.stopped_at = get_instant(body, "stopped_at");
  child.redriven = json::get_bool(body, "redriven");
  MapRun& run = found->second;
  count_output(run, child);
  run.next_item = std::max(run.next_item, child.first + child.count);
  run.children.push_back(std::move(child));
  return {};
}

}  // namespace

Result<void> load_state(ExecutionState& state, const Snapshot& snapshot) {
  const json::Value body = TRY(json::parse(snapshot.execution.body, kRecordLimits));
  load_execution(state, snapshot.execution, body);
  if (json::find(body, "output") != nullptr) state.output = TRY(read_document(body, "output"));
  if (state.program)
    for (const MapRunRecord& record : snapshot.map_runs) TRY(load_run(state, record));
  bool has_input = false;
  for (const PayloadRecord& record : snapshot.payloads) {
    if (record.run == 0) {
      state.start.input = TRY(Document::parse(record.text));
      has_input = true;
    } else if (state.program) {
      TRY(load_items(state, record));
    }
  }
  if (!has_input) return broken("no input");
  if (!state.program) return {};
  for (const MapChildRecord& record : snapshot.map_children) TRY(load_child(state, record));
  for (auto& [no, run] : state.runs)
    for (std::size_t i = run.children.size(); i-- > 0;)
      if (run.children[i].status == ChildStatus::PendingRedrive) run.to_redrive.push_back(i);
  for (const ThreadRecord& record : snapshot.threads) TRY(load_thread(state, record));
  return {};
}

}  // namespace stoker::workflow
