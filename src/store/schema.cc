#include "store/schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "core/records.h"

namespace stoker::store {
namespace {

// "stok" in ASCII: file(1) and we recognise our files by it.
constexpr std::int64_t kApplicationId = 0x73746f6b;

// STRICT makes the engine keep the types, so loading need not check them. The number is the row's place in
// the b-tree: jobs are appended, and an update finds its row by one search. No other index: on this table
// each one would cost a write per job and change of state, while a query by hand reads a million rows in half
// a second. The view says the same for people; it costs nothing until it is read.
constexpr std::string_view kJobs = R"sql(
CREATE TABLE jobs (
  no INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  parent INTEGER NOT NULL,
  child INTEGER NOT NULL,
  queue INTEGER NOT NULL,
  status INTEGER NOT NULL,
  name TEXT NOT NULL,
  spec INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  runnable_at INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  stopped_at INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  extra TEXT NOT NULL
) STRICT;
CREATE VIEW job_list AS SELECT
  no,
  lower(substr(hex(id),1,8)||'-'||substr(hex(id),9,4)||'-'||substr(hex(id),13,4)||'-'||substr(hex(id),17,4)||'-'||
    substr(hex(id),21)) || iif(child < 0, '', ':'||child) AS id,
  name,
  (SELECT body->>'name' FROM job_queues WHERE key = CAST(queue AS TEXT)) AS queue,
  CASE status WHEN 0 THEN 'SUBMITTED' WHEN 1 THEN 'PENDING' WHEN 2 THEN 'RUNNABLE' WHEN 3 THEN 'STARTING'
    WHEN 4 THEN 'RUNNING' WHEN 5 THEN 'SUCCEEDED' WHEN 6 THEN 'FAILED' END AS status,
  datetime(nullif(created_at, 0) / 1000, 'unixepoch') AS created,
  datetime(nullif(started_at, 0) / 1000, 'unixepoch') AS started,
  datetime(nullif(stopped_at, 0) / 1000, 'unixepoch') AS stopped,
  spec, parent, flags, extra
FROM jobs;
)sql";
static_assert(core::kJobStatusCount == 7, "job_list names the states: change it in a new step");

// What an execution is made of lies together under its number. History is only appended and read in order.
constexpr std::string_view kExecutions = R"sql(
CREATE TABLE executions (
  no INTEGER PRIMARY KEY,
  arn TEXT NOT NULL,
  name TEXT NOT NULL,
  machine TEXT NOT NULL,
  map_run TEXT NOT NULL,
  status INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  stopped_at INTEGER NOT NULL,
  redriven_at INTEGER NOT NULL,
  redrive_count INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  extra TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE execution_payloads (
  execution INTEGER NOT NULL, run INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (execution, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE execution_threads (
  execution INTEGER NOT NULL, thread INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (execution, thread)
) STRICT, WITHOUT ROWID;
CREATE TABLE map_runs (
  execution INTEGER NOT NULL, run INTEGER NOT NULL, arn TEXT NOT NULL, status INTEGER NOT NULL,
  started_at INTEGER NOT NULL, stopped_at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (execution, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE map_children (
  execution INTEGER NOT NULL, run INTEGER NOT NULL, child INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (execution, run, child)
) STRICT, WITHOUT ROWID;
CREATE TABLE history_events (
  execution INTEGER NOT NULL, id INTEGER NOT NULL, previous INTEGER NOT NULL, type INTEGER NOT NULL,
  at INTEGER NOT NULL, details TEXT NOT NULL,
  PRIMARY KEY (execution, id)
) STRICT, WITHOUT ROWID;
CREATE VIEW execution_list AS SELECT
  no, name, machine,
  CASE status WHEN 0 THEN 'RUNNING' WHEN 1 THEN 'SUCCEEDED' WHEN 2 THEN 'FAILED' WHEN 3 THEN 'TIMED_OUT'
    WHEN 4 THEN 'ABORTED' WHEN 5 THEN 'PENDING_REDRIVE' END AS status,
  datetime(nullif(started_at, 0) / 1000, 'unixepoch') AS started,
  datetime(nullif(stopped_at, 0) / 1000, 'unixepoch') AS stopped,
  redrive_count, arn, map_run
FROM executions;
)sql";

// What children of map runs gave, for the ResultWriters: written, read once in order, removed with the run.
constexpr std::string_view kMapResults = R"sql(
CREATE TABLE map_results (
  execution INTEGER NOT NULL, run INTEGER NOT NULL, child INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (execution, run, child)
) STRICT, WITHOUT ROWID;
)sql";

// Step n turns schema n into n + 1.
constexpr std::array<std::string_view, kSchemaVersion> kSteps = {kJobs, kExecutions, kMapResults};
// The tables of the steps; those of documents are made when they are missing.
constexpr std::array<std::string_view, 9> kTables = {
    "meta",     "jobs",         "executions",  "execution_payloads", "execution_threads",
    "map_runs", "map_children", "map_results", "history_events"};

Result<void> create_document_tables(Database& database) {
  for (const auto kind : core::kDocumentKindNames) {
    TRY(database.execute(
        "CREATE TABLE IF NOT EXISTS " + std::string(kind) +
        " (key TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL) STRICT"));
  }
  return {};
}

// A table that we do not know holds records that this program would silently leave out.
Result<void> refuse_unknown_tables(Database& database) {
  auto tables = TRY(database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"));
  while (TRY(tables.step())) {
    const auto name = tables.text(0);
    bool known = std::ranges::find(kTables, name) != kTables.end();
    for (const auto kind : core::kDocumentKindNames) known = known || name == kind;
    if (!known) {
      return fail(Code::Conflict, "the store has a table that this program does not know, \"" +
                                      to_valid_utf8(name) + "\": it was written by a newer program");
    }
  }
  return {};
}

Result<int> schema_version(Database& database) {
  const auto tables = TRY(database.query_integer("SELECT count(*) FROM sqlite_schema"));
  const auto application = TRY(database.query_integer("PRAGMA application_id"));
  if (tables == 0 && application == 0) return 0;
  if (application != kApplicationId)
    return fail(Code::InvalidArgument, "this is a database of some other program");
  const auto version =
      TRY(database.query_integer("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema'"));
  if (version > kSchemaVersion) {
    return fail(Code::Conflict, "the store has schema " + std::to_string(version) +
                                    ", this program knows up to " + std::to_string(kSchemaVersion) +
                                    ": it was written by a newer program");
  }
  if (version < 1) return fail(Code::Io, "the store's schema version is not readable");
  return static_cast<int>(version);
}

Result<void> migrate(Database& database) {
  const int from = TRY(schema_version(database));
  if (from == 0) {
    TRY(database.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
    TRY(database.execute("CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT"));
  }
  for (auto step = static_cast<std::size_t>(from); step < kSteps.size(); ++step)
    TRY(database.execute(std::string(kSteps[step])));
  TRY(refuse_unknown_tables(database));
  TRY(create_document_tables(database));
  if (from == kSchemaVersion) return {};
  return database.execute("INSERT OR REPLACE INTO meta VALUES ('schema', '" + std::to_string(kSchemaVersion) +
                          "')");
}

}  // namespace

Result<void> bring_up_to_date(Database& database) {
  TRY(database.execute("BEGIN IMMEDIATE"));
  auto migrated = migrate(database);
  if (migrated) migrated = database.execute("COMMIT");
  if (!migrated && database.in_transaction()) (void)database.execute("ROLLBACK");
  return migrated;
}

}  // namespace stoker::store
