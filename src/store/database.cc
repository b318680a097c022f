#include "store/database.h"

#include <climits>

#include <sqlite3.h>

#include "base/assert.h"

namespace stoker::store {
namespace {

// A person's sqlite3 that holds the write lock for longer than this makes a commit fail.
constexpr int kBusyMs = 10'000;

Code code_of(int primary) {
  switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Code::Unavailable;
    case SQLITE_TOOBIG:
      return Code::LimitExceeded;
    case SQLITE_MISUSE:
    case SQLITE_ERROR:
      return Code::Internal;
    default:
      return Code::Io;  // disk full, read-only, corrupt, not a database, ...
  }
}

std::unexpected<Error> fail_sqlite(sqlite3* handle, int result) {
  std::string text = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(result);
  if (const int system = handle != nullptr ? sqlite3_system_errno(handle) : 0;
      system != 0 && (result & 0xff) != SQLITE_CORRUPT) {
    text += " (errno " + std::to_string(system) + ")";
  }
  return fail(code_of(result & 0xff), std::move(text));
}

// Null would bind SQL's NULL, which our columns refuse.
const char* bytes_of(std::string_view value) {
  return value.data() != nullptr ? value.data() : "";
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int parameter, std::int64_t value) {
  const int result = sqlite3_bind_int64(statement_.get(), parameter + 1, value);
  ASSERT(result == SQLITE_OK, sqlite3_errstr(result));
}

// A text beyond the engine's own bound stays unbound, NULL then, and the statement fails by NOT NULL.
void Statement::bind_text(int parameter, std::string_view value) {
  (void)sqlite3_bind_text64(statement_.get(), parameter + 1, bytes_of(value), value.size(), SQLITE_STATIC,
                            SQLITE_UTF8);
}

void Statement::bind_blob(int parameter, std::string_view value) {
  (void)sqlite3_bind_blob64(statement_.get(), parameter + 1, bytes_of(value), value.size(), SQLITE_STATIC);
}

Result<bool> Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return fail_sqlite(sqlite3_db_handle(statement_.get()), result);
}

Result<void> Statement::run() {
  auto row = step();
  sqlite3_reset(statement_.get());
  if (!row) return std::unexpected(std::move(row).error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Result<Database> Database::open(const std::string& file) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int result = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (result != SQLITE_OK) return fail_sqlite(handle, result);
  sqlite3_busy_timeout(handle, kBusyMs);
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  const int result = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return fail_sqlite(handle_.get(), result);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  ASSERT(sql.size() < INT_MAX);
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return fail_sqlite(handle_.get(), result);
  return Statement(statement);
}

Result<std::int64_t> Database::query_integer(std::string_view sql) {
  auto statement = TRY(prepare(sql));
  if (!TRY(statement.step())) return fail(Code::NotFound, "no row");
  return statement.integer(0);
}

Result<std::string> Database::query_text(std::string_view sql) {
  auto statement = TRY(prepare(sql));
  if (!TRY(statement.step())) return fail(Code::NotFound, "no row");
  return std::string(statement.text(0));
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_.get()) == 0;
}

}  // namespace stoker::store
