#pragma once
// The durable form of executions. All records of one execution give its state back, and it goes on as if it
// had never been away; its history is needed by nobody but its readers and is not loaded.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/workflow/dataset/result_files.h"
#include "core/workflow/run/history.h"

namespace stoker::workflow {

enum class Status : std::uint8_t { Running, Succeeded, Failed, TimedOut, Aborted, PendingRedrive };
std::string_view name(Status status);  // "RUNNING", ...

struct ExecutionRecord {
  std::uint64_t no = 0;
  std::string arn;
  std::string name;
  std::string machine_arn;  // unqualified
  std::string map_run_arn;  // children of a map run: its ARN
  Status status = Status::Running;
  std::int64_t started_at = 0;  // instants in ms
  std::int64_t stopped_at = 0;
  std::int64_t redriven_at = 0;
  std::int64_t redrive_count = 0;
  std::string body;  // JSON: everything else that is small
  bool operator==(const ExecutionRecord&) const = default;
};

// A large text that is written once and never changed.
struct PayloadRecord {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;  // 0: the input of the execution; else the items of that map run
  std::string text;
  bool operator==(const PayloadRecord&) const = default;
};

// A thread of control: the top level, a branch of a Parallel, an iteration of an inline Map. Finished
// branches and iterations stay, with their output, until their parent needs it no more.
struct ThreadRecord {
  std::uint64_t execution = 0;
  std::uint64_t thread = 0;
  std::string body;  // JSON
  bool operator==(const ThreadRecord&) const = default;
};

// A map run: kept as long as its execution is.
struct MapRunRecord {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;  // 1, 2, ... within the execution
  std::string arn;
  Status status = Status::Running;
  std::int64_t started_at = 0;
  std::int64_t stopped_at = 0;
  std::string body;  // JSON: state, limits, counts
  bool operator==(const MapRunRecord&) const = default;
};

// One child execution of a map run, as its parent sees it.
struct MapChildRecord {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;
  std::uint64_t index = 0;  // of the child, from 0
  std::string body;         // JSON: name, which items, status, output
  bool operator==(const MapChildRecord&) const = default;
};

// How one child of a map run ended, for the ResultWriter of the run; only such runs have them. Written at
// each end of the child and read by who writes the results, never loaded: an execution keeps no copy.
struct MapResultRecord {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;
  std::uint64_t index = 0;  // of the child, from 0
  std::string body;         // JSON; read_map_result() reads it
  bool operator==(const MapResultRecord&) const = default;
};
// Internal when it is not readable.
Result<dataset::ChildResult> read_map_result(const MapResultRecord& record);

// What changed in one execution, to be made durable together. Upserts by the fields before the body.
struct Changes {
  std::optional<ExecutionRecord> execution;
  std::vector<PayloadRecord> payloads;
  std::vector<ThreadRecord> threads;
  std::vector<MapRunRecord> map_runs;
  std::vector<MapChildRecord> map_children;
  std::vector<MapResultRecord> map_results;
  std::vector<std::uint64_t> removed_threads;
  // Map runs whose items, children and results are needed no more; the MapRunRecord stays.
  std::vector<std::uint64_t> settled_runs;
  std::vector<HistoryEvent> history;  // in order
  [[nodiscard]] bool empty() const;
};

// All records of one execution but its history, each kind in the order of its numbers.
struct Snapshot {
  ExecutionRecord execution;
  std::vector<PayloadRecord> payloads;
  std::vector<ThreadRecord> threads;
  std::vector<MapRunRecord> map_runs;
  std::vector<MapChildRecord> map_children;
  bool operator==(const Snapshot&) const = default;
};
// What a store does with changes, for tests and for executions that are kept in memory.
void apply(Snapshot& snapshot, Changes changes);

}  // namespace stoker::workflow
