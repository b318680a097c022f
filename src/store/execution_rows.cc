#include "store/execution_rows.h"

#include <limits>

namespace stoker::store {
namespace {

std::int64_t to_sql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}
std::uint64_t from_sql(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

constexpr std::string_view kExecutionColumns =
    "no, arn, name, machine, map_run, status, started_at, stopped_at, redriven_at, redrive_count, body";

workflow::ExecutionRecord execution_of(Statement& row) {
  return {.no = from_sql(row.integer(0)),
          .arn = std::string(row.text(1)),
          .name = std::string(row.text(2)),
          .machine_arn = std::string(row.text(3)),
          .map_run_arn = std::string(row.text(4)),
          .status = static_cast<workflow::Status>(row.integer(5)),
          .started_at = row.integer(6),
          .stopped_at = row.integer(7),
          .redriven_at = row.integer(8),
          .redrive_count = row.integer(9),
          .body = std::string(row.text(10))};
}
workflow::PayloadRecord payload_of(Statement& row) {
  return {.execution = from_sql(row.integer(0)),
          .run = from_sql(row.integer(1)),
          .text = std::string(row.text(2))};
}
workflow::ThreadRecord thread_of(Statement& row) {
  return {.execution = from_sql(row.integer(0)),
          .thread = from_sql(row.integer(1)),
          .body = std::string(row.text(2))};
}
workflow::MapRunRecord map_run_of(Statement& row) {
  return {.execution = from_sql(row.integer(0)),
          .run = from_sql(row.integer(1)),
          .arn = std::string(row.text(2)),
          .status = static_cast<workflow::Status>(row.integer(3)),
          .started_at = row.integer(4),
          .stopped_at = row.integer(5),
          .body = std::string(row.text(6))};
}
workflow::MapChildRecord map_child_of(Statement& row) {
  return {.execution = from_sql(row.integer(0)),
          .run = from_sql(row.integer(1)),
          .index = from_sql(row.integer(2)),
          .body = std::string(row.text(3))};
}
workflow::HistoryEvent event_of(Statement& row) {
  return {.execution = from_sql(row.integer(0)),
          .id = from_sql(row.integer(1)),
          .previous = from_sql(row.integer(2)),
          .type = static_cast<workflow::EventType>(row.integer(3)),
          .at = {row.integer(4)},
          .details = std::string(row.text(5))};
}

template <class T>
Result<void> read_all(Statement& rows, T (*read)(Statement&), std::vector<T>& out) {
  while (TRY(rows.step())) out.push_back(read(rows));
  return {};
}

constexpr std::string_view kRunning = " WHERE execution IN (SELECT no FROM executions WHERE status = 0)";

}  // namespace

Result<void> ExecutionRows::prepare(Database& database) {
  upsert_execution_ = TRY(database.prepare(
      "INSERT OR REPLACE INTO executions VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)"));
  upsert_payload_ = TRY(database.prepare("INSERT OR REPLACE INTO execution_payloads VALUES (?1,?2,?3)"));
  upsert_thread_ = TRY(database.prepare("INSERT OR REPLACE INTO execution_threads VALUES (?1,?2,?3)"));
  upsert_map_run_ = TRY(database.prepare("INSERT OR REPLACE INTO map_runs VALUES (?1,?2,?3,?4,?5,?6,?7)"));
  upsert_map_child_ = TRY(database.prepare("INSERT OR REPLACE INTO map_children VALUES (?1,?2,?3,?4)"));
  upsert_map_result_ = TRY(database.prepare("INSERT OR REPLACE INTO map_results VALUES (?1,?2,?3,?4)"));
  append_event_ = TRY(database.prepare("INSERT OR REPLACE INTO history_events VALUES (?1,?2,?3,?4,?5,?6)"));
  remove_thread_ = TRY(database.prepare("DELETE FROM execution_threads WHERE execution=?1 AND thread=?2"));
  remove_items_ = TRY(database.prepare("DELETE FROM execution_payloads WHERE execution=?1 AND run=?2"));
  remove_children_ = TRY(database.prepare("DELETE FROM map_children WHERE execution=?1 AND run=?2"));
  remove_results_ = TRY(database.prepare("DELETE FROM map_results WHERE execution=?1 AND run=?2"));
  for (const std::string_view table : {"execution_payloads", "execution_threads", "map_runs", "map_children",
                                       "map_results", "history_events"})
    remove_all_.push_back(TRY(database.prepare("DELETE FROM " + std::string(table) + " WHERE execution=?1")));
  remove_all_.push_back(TRY(database.prepare("DELETE FROM executions WHERE no=?1")));
  events_ =
      TRY(database.prepare("SELECT * FROM history_events WHERE execution=?1 AND id>?2 ORDER BY id LIMIT ?3"));
  events_back_ = TRY(database.prepare(
      "SELECT * FROM history_events WHERE execution=?1 AND id<?2 ORDER BY id DESC LIMIT ?3"));
  results_ = TRY(database.prepare(
      "SELECT * FROM map_results WHERE execution=?1 AND run=?2 AND child>=?3 ORDER BY child"));
  one_ = TRY(database.prepare("SELECT " + std::string(kExecutionColumns) + " FROM executions WHERE no=?1"));
  payloads_ = TRY(database.prepare("SELECT * FROM execution_payloads WHERE execution=?1 ORDER BY run"));
  threads_ = TRY(database.prepare("SELECT * FROM execution_threads WHERE execution=?1 ORDER BY thread"));
  runs_ = TRY(database.prepare("SELECT * FROM map_runs WHERE execution=?1 ORDER BY run"));
  children_ = TRY(database.prepare("SELECT * FROM map_children WHERE execution=?1 ORDER BY run, child"));
  return {};
}

Result<void> ExecutionRows::upsert(const core::ExecutionRow& row) {
  const workflow::ExecutionRecord& record = row.record;
  Statement& s = upsert_execution_;
  s.bind(0, to_sql(record.no));
  s.bind_text(1, record.arn);
  s.bind_text(2, record.name);
  s.bind_text(3, record.machine_arn);
  s.bind_text(4, record.map_run_arn);
  s.bind(5, static_cast<std::int64_t>(record.status));
  s.bind(6, record.started_at);
  s.bind(7, record.stopped_at);
  s.bind(8, record.redriven_at);
  s.bind(9, record.redrive_count);
  s.bind(10, to_sql(row.revision));
  s.bind_text(11, row.extra);
  s.bind_text(12, record.body);
  return s.run();
}

Result<void> ExecutionRows::append(const workflow::HistoryEvent& event) {
  Statement& s = append_event_;
  s.bind(0, to_sql(event.execution));
  s.bind(1, to_sql(event.id));
  s.bind(2, to_sql(event.previous));
  s.bind(3, static_cast<std::int64_t>(event.type));
  s.bind(4, event.at.ms);
  s.bind_text(5, event.details);
  return s.run();
}

Result<void> ExecutionRows::write(const core::Records& changes) {
  for (const auto& row : changes.executions) TRY(upsert(row));
  for (const auto& payload : changes.payloads) {
    upsert_payload_.bind(0, to_sql(payload.execution));
    upsert_payload_.bind(1, to_sql(payload.run));
    upsert_payload_.bind_text(2, payload.text);
    TRY(upsert_payload_.run());
  }
  for (const auto& thread : changes.threads) {
    upsert_thread_.bind(0, to_sql(thread.execution));
    upsert_thread_.bind(1, to_sql(thread.thread));
    upsert_thread_.bind_text(2, thread.body);
    TRY(upsert_thread_.run());
  }
  for (const auto& run : changes.map_runs) {
    upsert_map_run_.bind(0, to_sql(run.execution));
    upsert_map_run_.bind(1, to_sql(run.run));
    upsert_map_run_.bind_text(2, run.arn);
    upsert_map_run_.bind(3, static_cast<std::int64_t>(run.status));
    upsert_map_run_.bind(4, run.started_at);
    upsert_map_run_.bind(5, run.stopped_at);
    upsert_map_run_.bind_text(6, run.body);
    TRY(upsert_map_run_.run());
  }
  for (const auto& child : changes.map_children) {
    upsert_map_child_.bind(0, to_sql(child.execution));
    upsert_map_child_.bind(1, to_sql(child.run));
    upsert_map_child_.bind(2, to_sql(child.index));
    upsert_map_child_.bind_text(3, child.body);
    TRY(upsert_map_child_.run());
  }
  for (const auto& result : changes.map_results) {
    upsert_map_result_.bind(0, to_sql(result.execution));
    upsert_map_result_.bind(1, to_sql(result.run));
    upsert_map_result_.bind(2, to_sql(result.index));
    upsert_map_result_.bind_text(3, result.body);
    TRY(upsert_map_result_.run());
  }
  for (const auto& event : changes.history) TRY(append(event));
  for (const auto& [execution, thread] : changes.removed_threads) {
    remove_thread_.bind(0, to_sql(execution));
    remove_thread_.bind(1, to_sql(thread));
    TRY(remove_thread_.run());
  }
  for (const auto& [execution, run] : changes.settled_runs) {
    for (Statement* statement : {&remove_items_, &remove_children_, &remove_results_}) {
      statement->bind(0, to_sql(execution));
      statement->bind(1, to_sql(run));
      TRY(statement->run());
    }
  }
  for (const std::uint64_t execution : changes.removed_executions)
    for (Statement& statement : remove_all_) {
      statement.bind(0, to_sql(execution));
      TRY(statement.run());
    }
  return {};
}

Result<core::HistoryPage> ExecutionRows::history(const core::HistoryRange& range) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  Statement& rows = range.reverse ? events_back_ : events_;
  rows.reset();
  rows.bind(0, to_sql(range.execution));
  rows.bind(1, range.reverse && range.after == 0 ? kEnd : to_sql(range.after));
  rows.bind(2, static_cast<std::int64_t>(range.count) + 1);
  core::HistoryPage out;
  std::size_t bytes = 0;
  while (TRY(rows.step())) {
    if (out.events.size() == range.count || bytes > range.bytes_max) {
      out.more = true;
      rows.reset();
      break;
    }
    out.events.push_back(event_of(rows));
    bytes += out.events.back().details.size();
  }
  return out;
}

Result<std::vector<workflow::MapResultRecord>> ExecutionRows::map_results(const core::MapResultRange& range) {
  results_.reset();
  results_.bind(0, to_sql(range.execution));
  results_.bind(1, to_sql(range.run));
  results_.bind(2, to_sql(range.from));
  std::vector<workflow::MapResultRecord> out;
  std::size_t bytes = 0;
  while (bytes <= range.bytes_max && TRY(results_.step())) {
    out.push_back({.execution = range.execution,
                   .run = range.run,
                   .index = from_sql(results_.integer(2)),
                   .body = std::string(results_.text(3))});
    bytes += out.back().body.size();
  }
  results_.reset();
  return out;
}

Result<std::optional<workflow::Snapshot>> ExecutionRows::snapshot(std::uint64_t no) {
  for (Statement* rows : {&one_, &payloads_, &threads_, &runs_, &children_}) {
    rows->reset();
    rows->bind(0, to_sql(no));
  }
  std::vector<workflow::ExecutionRecord> found;
  TRY(read_all(one_, execution_of, found));
  if (found.empty()) return std::nullopt;
  workflow::Snapshot out;
  out.execution = std::move(found.front());
  TRY(read_all(payloads_, payload_of, out.payloads));
  TRY(read_all(threads_, thread_of, out.threads));
  TRY(read_all(runs_, map_run_of, out.map_runs));
  TRY(read_all(children_, map_child_of, out.map_children));
  return out;
}

Result<void> ExecutionRows::load(Database& database, core::Records& out) {
  auto rows = TRY(database.prepare(
      "SELECT no, arn, name, machine, map_run, status, started_at, stopped_at, redriven_at, redrive_count, "
      "iif(status = 0, body, ''), revision, extra FROM executions ORDER BY no"));
  while (TRY(rows.step())) {
    core::ExecutionRow row;
    row.record = execution_of(rows);
    row.revision = from_sql(rows.integer(11));
    row.extra = rows.text(12);
    out.executions.push_back(std::move(row));
  }
  const std::string running(kRunning);
  auto payloads =
      TRY(database.prepare("SELECT * FROM execution_payloads" + running + " ORDER BY execution, run"));
  TRY(read_all(payloads, payload_of, out.payloads));
  auto threads =
      TRY(database.prepare("SELECT * FROM execution_threads" + running + " ORDER BY execution, thread"));
  TRY(read_all(threads, thread_of, out.threads));
  auto runs = TRY(database.prepare(
      "SELECT execution, run, map_runs.arn, map_runs.status, map_runs.started_at, map_runs.stopped_at, "
      "iif(executions.status = 0, map_runs.body, '') FROM map_runs JOIN executions ON no = execution "
      "ORDER BY execution, run"));
  TRY(read_all(runs, map_run_of, out.map_runs));
  auto children =
      TRY(database.prepare("SELECT * FROM map_children" + running + " ORDER BY execution, run, child"));
  return read_all(children, map_child_of, out.map_children);
}

}  // namespace stoker::store
