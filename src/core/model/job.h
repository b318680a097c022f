#pragma once
// A job, plain, array parent or array child, and its attempts.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/ledger.h"
#include "core/model/definition.h"
#include "core/model/quota.h"
#include "core/model/types.h"

namespace stoker::core {

// The attempt is stopped, or was, so that another job can run.
struct Preemption {
  Instant at;        // 0: it is not
  JobNo by;          // the job that needs the room
  std::string node;  // where that job will run; "": its share had to give, room was there
  bool operator==(const Preemption&) const = default;
};

// One run of a job on a node, finished or not (AWS Batch: AttemptDetail).
struct Attempt {
  std::string node;
  std::vector<std::string> gpus;  // UUIDs it holds or held
  Instant placed_at;              // STARTING since
  Instant started_at;             // 0: its program never ran
  Instant stopped_at;             // 0: not ended
  std::optional<int> exit_code;
  std::string reason;  // container.reason
  std::string status_reason;
  bool lost = false;     // with its machine, no fault of the job: not counted
  std::string progress;  // while STARTING: what the node says it is doing
  QuotaUse quota;        // jobs of shares only
  Preemption preempted;
  bool operator==(const Attempt&) const = default;
};

enum class DependencyType : std::uint8_t { Whole, NToN, Sequential };
struct Dependency {
  std::optional<Uuid> job;  // none: SEQUENTIAL within the array itself
  int index = -1;           // a child of `job`, or -1
  DependencyType type = DependencyType::Whole;
  bool operator==(const Dependency&) const = default;
};

// The task of a workflow that submitted the job.
struct StartedBy {
  std::string execution_arn;
  std::string state;
  bool operator==(const StartedBy&) const = default;
};

struct Job;

// The children of an array. Children share the parent's extra data; one that differs gets its own.
struct ArrayState {
  std::vector<Job> children;
  std::array<std::uint32_t, kJobStatusCount> counts{};  // children by status
  Instant counts_changed_at;
};

// What most waiting jobs do not need, or share with their parent.
struct JobExtra {
  std::string name;
  std::string status_reason;  // of the last transition; waiting jobs' reasons come from the scheduler
  std::vector<Attempt> attempts;
  std::vector<Dependency> depends_on;
  std::optional<Tags> tags;
  std::unique_ptr<const StartedBy> started_by;  // null: no workflow did
  // What its runs cost on machines that we launched, by cost::Kind, as far as those are accounted for.
  std::array<Money, cost::kKindCount> costs{};
  std::unique_ptr<ArrayState> array;  // array parents only
};

struct Job {
  JobNo no;
  JobNo parent;             // children: the array's number
  Uuid id;                  // children: the parent's
  std::int32_t index = -1;  // children: their place in the array
  JobStatus status = JobStatus::Submitted;
  std::uint8_t attempts_used = 0;
  bool cancelled : 1 = false;   // by CancelJob
  bool terminated : 1 = false;  // by TerminateJob
  bool timed_out : 1 = false;
  bool changed : 1 = false;   // differs from its record (bookkeeping of Core)
  bool recorded : 1 = false;  // has a record: untouched children have none
  std::uint16_t unmet = 0;    // dependencies not yet SUCCEEDED
  QueueNo queue;
  Instant created_at;
  Instant runnable_at;      // 0: not yet
  Instant started_at;       // of the latest attempt
  Instant stopped_at;       // 0: not terminal
  JobSpec* spec = nullptr;  // owned by State::specs
  std::unique_ptr<JobExtra> extra;

  // Attempts that count against those allowed: all but those lost with their machine.
  [[nodiscard]] int attempts_counted() const;
  [[nodiscard]] bool is_array() const { return extra && extra->array; }
  [[nodiscard]] bool is_child() const { return index >= 0; }
  // "uuid" or "uuid:index", as the API names jobs.
  [[nodiscard]] std::string public_id() const {
    return is_child() ? id.str() + ":" + std::to_string(index) : id.str();
  }
};

}  // namespace stoker::core
