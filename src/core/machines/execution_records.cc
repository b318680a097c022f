#include "core/machines/execution_records.h"

#include "core/machines/definition_text.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"

namespace stoker::core {
namespace {

// What the interpreter does not know of its execution.
std::string extra_of(const ExecutionInfo& info) {
  json::Object out{{"machine", info.machine}};
  if (info.version != 0) out["version"] = info.version;
  if (!info.alias.empty()) out["alias"] = info.alias;
  if (info.child) out["child"] = json::Array{info.child->execution, info.child->run, info.child->index};
  if (info.invoker)
    out["invoker"] = json::Object{{"token", info.invoker->token.str()},
                                  {"waits", info.invoker->waits},
                                  {"parsed", info.invoker->parsed}};
  if (!info.redrive_tokens.empty()) {
    json::Array& tokens = out["redrives"].emplace_array();
    for (const RedriveToken& one : info.redrive_tokens) tokens.push_back(json::Array{one.token, one.at.ms});
  }
  return json::write(json::Value(std::move(out)));
}

Result<void> read_extra(ExecutionInfo& info, const std::string& text) {
  const json::Value extra = TRY(json::parse(text));
  info.machine = json::get_string(extra, "machine");
  info.version = static_cast<int>(json::get_int(extra, "version"));
  info.alias = json::get_string(extra, "alias");
  if (const json::Array& child = json::get_array(extra, "child"); child.size() == 3) {
    const auto number = [&](std::size_t i) {
      return child[i].is_int64() ? static_cast<std::uint64_t>(child[i].get_int64()) : 0;
    };
    info.child = workflow::ChildRef{number(0), number(1), number(2)};
  }
  if (const json::Value* invoker = json::find(extra, "invoker")) {
    const auto token = workflow::TaskToken::parse(json::get_string(*invoker, "token"));
    if (!token) return fail(Code::Internal, "its invoker is not readable");
    info.invoker = Invoker{.token = *token,
                           .waits = json::get_bool(*invoker, "waits"),
                           .parsed = json::get_bool(*invoker, "parsed")};
  }
  for (const json::Value& one : json::get_array(extra, "redrives"))
    if (one.is_array() && one.get_array().size() == 2 && one.get_array()[1].is_int64())
      info.redrive_tokens.push_back(
          {.token = std::string(json::text(one.get_array()[0])), .at = {one.get_array()[1].get_int64()}});
  return {};
}

ExecutionRow row_of(const ExecutionInfo& info, workflow::ExecutionRecord record) {
  return {.record = std::move(record), .revision = info.revision->no.value, .extra = extra_of(info)};
}

// The record of an execution whose interpreter has left memory, as a store loads it.
workflow::ExecutionRecord ended_record(const World& world, const ExecutionInfo& info) {
  const Place& place = world.state.machines.place;
  workflow::ExecutionRecord out;
  out.no = info.no.value;
  out.arn = info.arn(place);
  out.name = info.name;
  const StatesArn arn = parse_states_arn(out.arn).value_or(StatesArn{});
  out.machine_arn = machine_arn(place, info.machine);
  out.map_run_arn = info.map_run_arn;
  out.status = info.status;
  out.started_at = info.started_at.ms;
  out.stopped_at = info.stopped_at.ms;
  out.redriven_at = info.redriven_at.ms;
  out.redrive_count = info.redrive_count;
  return out;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void note_map_runs(World& world, ExecutionInfo& info, const std::vector<workflow::MapRunRecord>& runs) {
  for (const workflow::MapRunRecord& run : runs) {
    const bool made = world.state.executions.map_runs.emplace(run.arn, MapRunOwner{info.no, run.run}).second;
    if (made) info.own_map_runs.push_back(run.arn);
  }
}

void add_changes(ExecutionInfo& info, workflow::Changes changes, Records& records) {
  if (changes.execution) records.executions.push_back(row_of(info, *std::move(changes.execution)));
  append(records.payloads, changes.payloads);
  append(records.threads, changes.threads);
  append(records.map_runs, changes.map_runs);
  append(records.map_children, changes.map_children);
  append(records.map_results, changes.map_results);
  append(records.history, changes.history);
  for (const std::uint64_t thread : changes.removed_threads)
    records.removed_threads.emplace_back(info.no.value, thread);
  for (const std::uint64_t run : changes.settled_runs) records.settled_runs.emplace_back(info.no.value, run);
}

// Records of all executions, by execution.
template <class T>
std::map<std::uint64_t, std::vector<T>> by_execution(const std::vector<T>& records) {
  std::map<std::uint64_t, std::vector<T>> out;
  for (const T& record : records) out[record.execution].push_back(record);
  return out;
}

template <class T>
std::vector<T> take(std::map<std::uint64_t, std::vector<T>>& all, std::uint64_t execution) {
  const auto found = all.find(execution);
  return found == all.end() ? std::vector<T>() : std::move(found->second);
}

Result<ExecutionInfo> info_of(World& world, const ExecutionRow& row) {
  ExecutionInfo info;
  info.no = ExecutionNo{row.record.no};
  info.name = row.record.name;
  info.map_run_arn = row.record.map_run_arn;
  info.status = row.record.status;
  info.started_at = {row.record.started_at};
  info.stopped_at = {row.record.stopped_at};
  info.redriven_at = {row.record.redriven_at};
  info.redrive_count = row.record.redrive_count;
  TRY(read_extra(info, row.extra));
  const auto revision = world.state.machines.revisions.find(RevisionNo{row.revision});
  if (revision == world.state.machines.revisions.end())
    return fail(Code::Internal, "its revision " + std::to_string(row.revision) + " is missing");
  ++revision->second.uses;
  info.revision = revision->second.revision;
  return info;
}

// With its program; without, and why it cannot go on, when a definition or records that an older program
// wrote are not understood any more.
Result<workflow::Execution> load_running(World& world, const ExecutionInfo& info,
                                         const workflow::Snapshot& snapshot, std::string& cannot_go_on) {
  if (const auto program = program_of(world, info.revision)) {
    auto loaded = workflow::Execution::load(program, world.settings.workflow, snapshot);
    if (loaded) return loaded;
    cannot_go_on = "This server cannot go on with the execution: " + loaded.error().message;
  } else {
    const auto definition = read_machine_definition(info.revision->definition, info.revision->express);
    cannot_go_on = "This server does not accept the definition of the execution any more: " +
                   (definition ? std::string() : definition.error().message);
  }
  return workflow::Execution::load(nullptr, world.settings.workflow, snapshot);
}

// What it started for tasks is ended with it. The kind of a task stands in the definition, so both kinds that
// end with their task are looked for.
void give_up(World& world, const ExecutionInfo& info, const workflow::Snapshot& snapshot,
             const std::string& why) {
  for (const workflow::ThreadRecord& thread : snapshot.threads) {
    const json::Value body = json::parse(thread.body).value_or(json::Value());
    const json::Value* task = json::find(body, "task");
    const auto token =
        task != nullptr ? workflow::TaskToken::parse(json::get_string(*task, "token")) : std::nullopt;
    if (!token) continue;
    for (const std::string_view resource :
         {"arn:aws:states:::batch:submitJob.sync", "arn:aws:states:::states:startExecution.sync"})
      world.workflows.queue.push_back(
          WorkflowWork::Wanted{info.no, workflow::CancelTask{*token, std::string(resource)}});
  }
  tell(world, info.no, workflow::GiveUp{why});
}

}  // namespace

void take_execution_changes(World& world, Records& records) {
  WorkflowWork& work = world.workflows;
  work.turn_length = 0;
  for (const ExecutionNo no : std::exchange(work.changed, {})) {
    ExecutionInfo* info = world.state.executions.find(no);
    if (info == nullptr) continue;  // forgotten in the same turn
    info->changed = false;
    if (info->live && !info->express()) {
      workflow::Changes changes = info->live->take_changes();
      note_map_runs(world, *info, changes.map_runs);
      add_changes(*info, std::move(changes), records);
    }
    if (info->status == workflow::Status::Running) continue;
    if (info->express())
      forget_execution(world, *info);
    else
      info->live.reset();
  }
  records.removed_executions = std::exchange(work.removed, {});
}

void add_all_executions(const World& world, Records& records) {
  for (const auto& [no, info] : world.state.executions.all) {
    if (info.express()) continue;
    if (!info.live) {
      records.executions.push_back(row_of(info, ended_record(world, info)));
      continue;
    }
    workflow::Snapshot snapshot = info.live->snapshot();
    records.executions.push_back(row_of(info, std::move(snapshot.execution)));
    append(records.payloads, snapshot.payloads);
    append(records.threads, snapshot.threads);
    append(records.map_runs, snapshot.map_runs);
    append(records.map_children, snapshot.map_children);
  }
}

Result<void> load_executions(World& world, const Records& records) {
  auto payloads = by_execution(records.payloads);
  auto threads = by_execution(records.threads);
  auto runs = by_execution(records.map_runs);
  auto children = by_execution(records.map_children);
  ExecutionTable& table = world.state.executions;
  WorkflowWork& work = world.workflows;
  for (const ExecutionRow& row : records.executions) {
    const std::string what = "execution " + std::to_string(row.record.no);
    auto read = info_of(world, row);
    if (!read) return std::unexpected(std::move(read).error().within(what));
    const ExecutionNo no = read->no;
    ExecutionInfo& info = table.all.emplace(no, *std::move(read)).first->second;
    work.next_execution = std::max(work.next_execution, no.value + 1);
    table.add_to_indexes(info);
    const auto own_runs = take(runs, no.value);
    for (const workflow::MapRunRecord& run : own_runs) {
      table.map_runs[run.arn] = {no, run.run};
      info.own_map_runs.push_back(run.arn);
    }
    if (info.status != workflow::Status::Running) {
      work.retirements.insert({info.stopped_at + world.settings.execution_history, no});
      continue;
    }
    const workflow::Snapshot snapshot{.execution = row.record,
                                      .payloads = take(payloads, no.value),
                                      .threads = take(threads, no.value),
                                      .map_runs = own_runs,
                                      .map_children = take(children, no.value)};
    std::string cannot_go_on;
    auto loaded = load_running(world, info, snapshot, cannot_go_on);
    if (!loaded) return std::unexpected(std::move(loaded).error().within(what));
    info.live = std::make_unique<workflow::Execution>(*std::move(loaded));
    if (const StateMachine* machine = world.state.machines.find_machine(info.revision->machine);
        machine != nullptr && !info.child)
      ++table.running[machine->no];
    if (info.invoker && info.invoker->waits) work.invoked[info.invoker->token] = no;
    adopt(world, info, info.live->owed());
    info.changed = false;
    if (!cannot_go_on.empty()) give_up(world, info, snapshot, cannot_go_on);
  }
  work.changed.clear();
  return {};
}

}  // namespace stoker::core
