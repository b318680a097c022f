// The Store over SQLite: rows and documents to statements and back.
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "rt/file.h"
#include "store/database.h"
#include "store/execution_rows.h"
#include "store/schema.h"
#include "store/store.h"

namespace stoker::store {
namespace {

// Pages of 4 KiB after which a commit also copies the log back into the file. Larger than the engine's 1000:
// jobs change state several times within seconds, and each checkpoint writes a page once however often it
// changed.
constexpr int kCheckpointPages = 4'000;
// What the log file may keep on disk after a checkpoint.
constexpr int kLogBytesKept = 64 << 20;
constexpr int kCacheKiB = 64 << 10;

// The table has no other index and no trigger, so REPLACE overwrites the row in place; measured a tenth
// faster than ON CONFLICT DO UPDATE.
constexpr std::string_view kUpsertJob =
    "INSERT OR REPLACE INTO jobs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)";

struct DocumentStatements {
  Statement upsert;
  Statement remove;
};

// Numbers go through the engine's signed 64 bits and back unchanged.
std::int64_t to_sql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}
std::uint64_t from_sql(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::optional<rt::FileLock> lock, Database database)
      : lock_(std::move(lock)), database_(std::move(database)) {}

  Result<void> prepare();
  Result<core::Records> load() override;
  Result<void> commit(const core::Records& changes) override;
  Result<core::HistoryPage> history(const core::HistoryRange& range) override {
    return executions_.history(range);
  }
  Result<std::vector<workflow::MapResultRecord>> map_results(const core::MapResultRange& range) override {
    return executions_.map_results(range);
  }
  Result<std::optional<workflow::Snapshot>> execution(std::uint64_t no) override {
    return executions_.snapshot(no);
  }

 private:
  Result<void> write(const core::Records& changes);
  Result<void> upsert(const core::JobRecord& job);
  Result<void> load_documents(std::size_t kind, core::Records& out);
  Result<void> load_jobs(core::Records& out);
  DocumentStatements& statements(core::DocumentKind kind);

  // Order matters: the statements go before the connection, the connection before the lock.
  std::optional<rt::FileLock> lock_;
  Database database_;
  Statement begin_, commit_, rollback_;
  Statement upsert_job_, remove_job_;
  std::array<DocumentStatements, core::kDocumentKindCount> documents_;
  ExecutionRows executions_;
};

Result<void> SqliteStore::prepare() {
  begin_ = TRY(database_.prepare("BEGIN IMMEDIATE"));
  commit_ = TRY(database_.prepare("COMMIT"));
  rollback_ = TRY(database_.prepare("ROLLBACK"));
  upsert_job_ = TRY(database_.prepare(kUpsertJob));
  remove_job_ = TRY(database_.prepare("DELETE FROM jobs WHERE no = ?1"));
  for (std::size_t kind = 0; kind < documents_.size(); ++kind) {
    const std::string table(core::kDocumentKindNames[kind]);
    documents_[kind].upsert = TRY(database_.prepare(
        "INSERT INTO " + table + " VALUES (?1,?2,?3) ON CONFLICT (key) DO UPDATE SET version=?2, body=?3"));
    documents_[kind].remove = TRY(database_.prepare("DELETE FROM " + table + " WHERE key = ?1"));
  }
  TRY(executions_.prepare(database_));
  return {};
}

Result<core::Records> SqliteStore::load() {
  core::Records records;
  TRY(begin_.run());  // one snapshot, also while someone else writes
  Result<void> loaded;
  for (std::size_t kind = 0; kind < documents_.size() && loaded; ++kind)
    loaded = load_documents(kind, records);
  if (loaded) loaded = load_jobs(records);
  if (loaded) loaded = ExecutionRows::load(database_, records);
  if (database_.in_transaction()) (void)rollback_.run();
  if (!loaded) return std::unexpected(std::move(loaded).error().within("loading the store"));
  return records;
}

Result<void> SqliteStore::load_documents(std::size_t kind, core::Records& out) {
  auto rows = TRY(database_.prepare("SELECT key, version, body FROM " +
                                    std::string(core::kDocumentKindNames[kind]) + " ORDER BY key"));
  while (TRY(rows.step())) {
    out.documents.push_back({.kind = static_cast<core::DocumentKind>(kind),
                             .key = std::string(rows.text(0)),
                             .version = static_cast<int>(rows.integer(1)),
                             .body = std::string(rows.text(2))});
  }
  return {};
}

Result<void> SqliteStore::load_jobs(core::Records& out) {
  auto rows =
      TRY(database_.prepare("SELECT no, id, parent, child, queue, status, name, spec, created_at, "
                            "runnable_at, started_at, stopped_at, "
                            "flags, extra FROM jobs ORDER BY no"));
  while (TRY(rows.step())) {
    out.jobs.push_back({.no = from_sql(rows.integer(0)),
                        .id = std::string(rows.text(1)),
                        .parent = from_sql(rows.integer(2)),
                        .index = rows.integer(3),
                        .queue = from_sql(rows.integer(4)),
                        .status = rows.integer(5),
                        .name = std::string(rows.text(6)),
                        .spec = from_sql(rows.integer(7)),
                        .created_at = rows.integer(8),
                        .runnable_at = rows.integer(9),
                        .started_at = rows.integer(10),
                        .stopped_at = rows.integer(11),
                        .flags = rows.integer(12),
                        .extra = std::string(rows.text(13))});
  }
  return {};
}

Result<void> SqliteStore::commit(const core::Records& changes) {
  if (changes.empty()) return {};
  auto done = begin_.run();
  if (done) done = write(changes);
  if (done) done = commit_.run();
  if (!done) {
    // On some failures, a full disk among them, the engine has rolled back by itself.
    if (database_.in_transaction()) (void)rollback_.run();
    return std::unexpected(std::move(done).error().within("writing the store"));
  }
  return {};
}

Result<void> SqliteStore::write(const core::Records& changes) {
  for (const auto& document : changes.documents) {
    auto& upsert = statements(document.kind).upsert;
    upsert.bind_text(0, document.key);
    upsert.bind(1, document.version);
    upsert.bind_text(2, document.body);
    TRY(upsert.run());
  }
  for (const auto& job : changes.jobs) TRY(upsert(job));
  TRY(executions_.write(changes));
  for (const auto& removed : changes.removed_documents) {
    auto& remove = statements(removed.kind).remove;
    remove.bind_text(0, removed.key);
    TRY(remove.run());
  }
  for (const auto number : changes.removed_jobs) {
    remove_job_.bind(0, to_sql(number));
    TRY(remove_job_.run());
  }
  return {};
}

Result<void> SqliteStore::upsert(const core::JobRecord& job) {
  upsert_job_.bind(0, to_sql(job.no));
  upsert_job_.bind_blob(1, job.id);
  upsert_job_.bind(2, to_sql(job.parent));
  upsert_job_.bind(3, job.index);
  upsert_job_.bind(4, to_sql(job.queue));
  upsert_job_.bind(5, job.status);
  upsert_job_.bind_text(6, job.name);
  upsert_job_.bind(7, to_sql(job.spec));
  upsert_job_.bind(8, job.created_at);
  upsert_job_.bind(9, job.runnable_at);
  upsert_job_.bind(10, job.started_at);
  upsert_job_.bind(11, job.stopped_at);
  upsert_job_.bind(12, job.flags);
  upsert_job_.bind_text(13, job.extra);
  return upsert_job_.run();
}

DocumentStatements& SqliteStore::statements(core::DocumentKind kind) {
  const auto at = static_cast<std::size_t>(kind);
  ASSERT(at < documents_.size());
  return documents_[at];
}

// FULL: a commit has returned from fsync. WAL: readers with sqlite3(1) do not stop us, nor we them.
Result<void> configure(Database& database) {
  if (const auto mode = TRY(database.query_text("PRAGMA journal_mode = WAL")); mode != "wal")
    return fail(Code::Io, "the file system does not support the store's write-ahead log (mode " + mode + ")");
  TRY(database.execute("PRAGMA synchronous = FULL"));
  TRY(database.execute("PRAGMA wal_autocheckpoint = " + std::to_string(kCheckpointPages)));
  TRY(database.execute("PRAGMA journal_size_limit = " + std::to_string(kLogBytesKept)));
  return database.execute("PRAGMA cache_size = -" + std::to_string(kCacheKiB));
}

Result<std::unique_ptr<Store>> open_locked(const std::string& file, rt::FileLock lock) {
  auto database = TRY(Database::open(file));
  TRY(configure(database));
  TRY(bring_up_to_date(database));
  auto store = std::make_unique<SqliteStore>(std::move(lock), std::move(database));
  TRY(store->prepare());
  return store;
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::string& file) {
  // A file of its own: a lock on the database itself would meet the engine's own locks.
  auto lock = rt::FileLock::try_lock(file + ".lock");
  if (!lock && lock.error().code == Code::Conflict)
    return fail(Code::Conflict, "another server uses the store " + file);
  if (!lock) return std::unexpected(std::move(lock).error());
  auto store = open_locked(file, *std::move(lock));
  if (!store) return std::unexpected(std::move(store).error().within("opening the store " + file));
  return store;
}

std::unique_ptr<Store> open_memory() {
  // Only running out of memory can fail here.
  auto database = Database::open(":memory:");
  ASSERT(database.has_value());
  ASSERT(bring_up_to_date(*database).has_value());
  auto store = std::make_unique<SqliteStore>(std::nullopt, *std::move(database));
  ASSERT(store->prepare().has_value());
  return store;
}

}  // namespace stoker::store
