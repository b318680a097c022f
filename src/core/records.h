#pragma once
// The durable form of the core's state. Job rows are columns, since there are many and people query them;
// everything else is a document. A record is complete: loading all of them gives the state back.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/types.h"

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
  std::int64_t flags = 0;  // bit 0 cancelled, 1 terminated, 2 timed out
  std::string extra;       // JSON: attempts, reason, dependencies, tags, array size; "" when there is none
  bool operator==(const JobRecord&) const = default;
};

enum class DocumentKind : std::uint8_t {
  JobDefinition,
  JobSpec,
  JobQueue,
  ComputeEnvironment,
  SchedulingPolicy,
  ConsumableResource
};
inline constexpr std::size_t kDocumentKindCount = 6;
inline constexpr std::array<std::string_view, kDocumentKindCount> kDocumentKindNames = {
    "job_definitions",      "job_specs",           "job_queues",
    "compute_environments", "scheduling_policies", "consumable_resources"};

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

// All records, or all that changed: upserts and removals, to be made durable together.
struct Records {
  std::vector<DocumentRecord> documents;
  std::vector<JobRecord> jobs;  // a parent's row goes before its children's
  std::vector<DocumentKey> removed_documents;
  std::vector<std::uint64_t> removed_jobs;  // numbers; a parent's children are listed too
  [[nodiscard]] bool empty() const {
    return documents.empty() && jobs.empty() && removed_documents.empty() && removed_jobs.empty();
  }
  bool operator==(const Records&) const = default;
};

}  // namespace stoker::core
