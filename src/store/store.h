#pragma once
// The core's records, durably. One thread at a time. Knows rows and documents, not what they mean.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/records.h"

namespace stoker::store {

class Store {
 public:
  virtual ~Store() = default;
  // All records: documents by kind (definitions, then specs, ...) and key, jobs and executions by number. Of
  // ended executions only what core/records.h says.
  virtual Result<core::Records> load() = 0;
  // All of it or nothing, on disk when this returns. Upserts before removals.
  virtual Result<void> commit(const core::Records& changes) = 0;
  // A part of the history of an execution, in the order asked for. Empty when there is none.
  virtual Result<core::HistoryPage> history(const core::HistoryRange& range) = 0;
  // Results of the children of a map run, in order; empty when there are none (further).
  virtual Result<std::vector<workflow::MapResultRecord>> map_results(const core::MapResultRange& range) = 0;
  // All of an execution but its history; nothing when there is no such execution.
  virtual Result<std::optional<workflow::Snapshot>> execution(std::uint64_t no) = 0;
};

// SQLite file with WAL and synchronous=FULL, made when absent, brought up to this program's schema when
// older, refused (Conflict) when newer or locked by another server. The folder must exist.
Result<std::unique_ptr<Store>> open_sqlite(const std::string& file);
// Forgets everything at the end; for tests and for benches that leave the disk out.
std::unique_ptr<Store> open_memory();

}  // namespace stoker::store
