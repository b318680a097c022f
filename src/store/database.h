#pragma once
// SQLite in our manners: errors as Result with the engine's words, statements as owned values. Nothing here
// knows of records. sqlite3.h stays in the .cc files.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace stoker::store {

// A prepared statement. Parameters and columns are counted from 0. Texts and blobs are bound by reference:
// they must live until reset() or the end of run().
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  void bind(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);

  // The next row: true when there is one.
  Result<bool> step();
  // For statements without rows: step, then reset, whatever came of it.
  Result<void> run();
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string_view text(int column) const;  // valid until the next step; also for blobs

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// One connection, for one thread at a time.
class Database {
 public:
  // Made when absent. ":memory:" is a database that nobody else sees.
  static Result<Database> open(const std::string& file);

  Result<void> execute(const std::string& sql);  // any number of statements; their rows are dropped
  Result<Statement> prepare(std::string_view sql);
  Result<std::int64_t> query_integer(std::string_view sql);  // first column of the only row
  Result<std::string> query_text(std::string_view sql);
  // False after the engine has ended a transaction by itself, as it does on some failures.
  [[nodiscard]] bool in_transaction() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace stoker::store
