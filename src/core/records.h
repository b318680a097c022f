#pragma once
// The durable form of the core's state. Job rows are columns, since there are many and people query them;
// everything else is a document. A record is complete: loading all of them gives the state back.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/types.h"
#include "core/workflow/run/records.h"

namespace stoker::core {

struct JobRecord {
  std::uint64_t no = 0;
  std::string id;            // 16 bytes; children: the parent's
  std::uint64_t parent = 0;  // children: the array's number
  std::int64_t index = -1;
  std::uint64_t queue = 0;
  std::int64_t status = 0;  // JobStatus
  std::string name;         // "" for children
  std::uint64_t spec = 0;
  std::int64_t created_at = 0;  // instants in ms
  std::int64_t runnable_at = 0;
  std::int64_t started_at = 0;
  std::int64_t stopped_at = 0;
  std::int64_t flags = 0;  // bit 0 cancelled, 1 terminated, 2 timed out, 3 nodes are stopped
  std::string extra;       // JSON: attempts, reason, dependencies, tags, array size; "" when there is none
  bool operator==(const JobRecord&) const = default;
};

enum class DocumentKind : std::uint8_t {
  JobDefinition,
  JobSpec,
  JobQueue,
  ComputeEnvironment,
  SchedulingPolicy,
  ConsumableResource,
  MachineRevision,
  StateMachine,
  Activity,
  ShareUse,
  QuotaShare,
  Fleet,
  LaunchedNode,
  CostDay
};
inline constexpr std::size_t kDocumentKindCount = 14;
inline constexpr std::array<std::string_view, kDocumentKindCount> kDocumentKindNames = {
    "job_definitions",     "job_specs",
    "job_queues",          "compute_environments",
    "scheduling_policies", "consumable_resources",
    "machine_revisions",   "state_machines",
    "activities",          "share_uses",
    "quota_shares",        "fleets",
    "launched_nodes",      "cost_days"};

struct DocumentRecord {
  DocumentKind kind{};
  std::string key;   // unique within the kind
  int version = 1;   // of the body's format
  std::string body;  // JSON
  bool operator==(const DocumentRecord&) const = default;
};
struct DocumentKey {
  DocumentKind kind{};
  std::string key;
  bool operator==(const DocumentKey&) const = default;
};

// An execution: what its interpreter keeps, and what the core knows beside it.
struct ExecutionRow {
  workflow::ExecutionRecord record;
  std::uint64_t revision = 0;  // of the state machine: which definition it runs
  std::string extra;           // JSON: who started it, through what
  bool operator==(const ExecutionRow&) const = default;
};

// A part of a history: `count` events after the one with the id `after` (0: from the beginning), or before it
// when reversed (0: from the end).
struct HistoryRange {
  std::uint64_t execution = 0;
  std::uint64_t after = 0;
  std::size_t count = 0;
  std::size_t bytes_max = 4u << 20;  // of details; at least one event is given
  bool reverse = false;
};
struct HistoryPage {
  std::vector<workflow::HistoryEvent> events;
  bool more = false;  // behind the last one
};

// Results of the children of a map run, from child `from` on, in their order.
struct MapResultRange {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;
  std::uint64_t from = 0;
  std::size_t bytes_max = 1u << 20;  // of bodies; at least one result is given
};

// All records, or all that changed: upserts and removals, to be made durable together.
struct Records {
  std::vector<DocumentRecord> documents;
  std::vector<JobRecord> jobs;  // a parent's row goes before its children's
  // Of ended executions a store loads only the row, with an empty body, and the rows of their map runs,
  // alike.
  std::vector<ExecutionRow> executions;
  std::vector<workflow::PayloadRecord> payloads;
  std::vector<workflow::ThreadRecord> threads;
  std::vector<workflow::MapRunRecord> map_runs;
  std::vector<workflow::MapChildRecord> map_children;
  std::vector<workflow::MapResultRecord> map_results;  // never loaded; read by ranges
  std::vector<workflow::HistoryEvent> history;         // appended, never loaded
  std::vector<DocumentKey> removed_documents;
  std::vector<std::uint64_t> removed_jobs;  // numbers; a parent's children are listed too
  std::vector<std::pair<std::uint64_t, std::uint64_t>> removed_threads;  // execution, thread
  // Execution and map run: its items, children and results go, its row stays.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> settled_runs;
  std::vector<std::uint64_t> removed_executions;  // with all that is theirs, the history too
  [[nodiscard]] bool empty() const {
    return documents.empty() && jobs.empty() && executions.empty() && payloads.empty() && threads.empty() &&
           map_runs.empty() && map_children.empty() && map_results.empty() && history.empty() &&
           removed_documents.empty() && removed_jobs.empty() && removed_threads.empty() &&
           settled_runs.empty() && removed_executions.empty();
  }
  bool operator==(const Records&) const = default;
};

}  // namespace stoker::core
