#pragma once
// The rows of executions: statements over one database.
#include <optional>
#include <vector>

#include "base/result.h"
#include "core/records.h"
#include "store/database.h"

namespace stoker::store {

class ExecutionRows {
 public:
  Result<void> prepare(Database& database);
  // Within the caller's transaction: upserts, then removals.
  Result<void> write(const core::Records& changes);
  Result<core::HistoryPage> history(const core::HistoryRange& range);
  Result<std::vector<workflow::MapResultRecord>> map_results(const core::MapResultRange& range);
  Result<std::optional<workflow::Snapshot>> snapshot(std::uint64_t no);
  // Appends what a start needs: see core/records.h.
  static Result<void> load(Database& database, core::Records& out);

 private:
  Result<void> upsert(const core::ExecutionRow& row);
  Result<void> append(const workflow::HistoryEvent& event);

  Statement upsert_execution_, upsert_payload_, upsert_thread_, upsert_map_run_, upsert_map_child_,
      upsert_map_result_, append_event_;
  Statement remove_thread_, remove_items_, remove_children_, remove_results_;
  std::vector<Statement> remove_all_;  // of one execution, one a table
  Statement events_, events_back_, results_;
  Statement one_, payloads_, threads_, runs_, children_;
};

}  // namespace stoker::store
