#pragma once
// A job: plain, an array or one of its children, a multi-node job or one of its nodes; and its attempts.
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cost/ledger.h"
#include "core/model/definition.h"
#include "core/model/quota.h"
#include "core/model/types.h"

namespace stoker::core {

// The attempt is stopped, or was, so that another job can run, or so that it goes on elsewhere.
struct Preemption {
  Instant at;        // 0: it is not
  JobNo by;          // the job that needs the room; its own: it is moved to another machine
  std::string node;  // where that job will run; "": its share had to give, room was there
  bool operator==(const Preemption&) const = default;
};

// A machine that is lost is no fault of the job: the attempt does not count (fleet-and-node.md 1.5), up to so
// many times a job.
inline constexpr int kLostAttemptsMax = 20;

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
  bool lost = false;     // its machine was lost, or that of a node of the job
  Instant warned_at;     // its program was told that its machine will be taken away; 0: it was not
  std::string progress;  // while STARTING: what the node says it is doing
  QuotaUse quota;        // jobs of shares only
  Preemption preempted;
  // Of its MIG devices: what part of a GPU's memory they are together, in thousandths; 0: it has none.
  std::int64_t mig_memory_milli = 0;
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

// The children of an array, or the nodes of a multi-node job. They share the parent's extra data; one that
// differs gets its own.
struct ArrayState {
  std::vector<Job> children;
  std::array<std::uint32_t, kJobStatusCount> counts{};  // children by status
  Instant counts_changed_at;
  bool gang = false;                        // of a multi-node job
  std::vector<std::string> addresses = {};  // of the machines of its latest attempt, by node
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
  std::unique_ptr<ArrayState> array;  // arrays and multi-node jobs only, not their children
};

struct Job {
  JobNo no;
  JobNo parent;             // children and nodes: the number of the array or the multi-node job
  Uuid id;                  // children and nodes: the parent's
  std::int32_t index = -1;  // children and nodes: their place
  JobStatus status = JobStatus::Submitted;
  std::uint8_t attempts_used = 0;
  bool cancelled : 1 = false;   // by CancelJob
  bool terminated : 1 = false;  // by TerminateJob
  bool timed_out : 1 = false;
  bool changed : 1 = false;   // differs from its record (bookkeeping of Core)
  bool recorded : 1 = false;  // has a record: untouched children have none
  bool node : 1 = false;      // of a multi-node job
  bool stopping : 1 = false;  // a multi-node job whose nodes are told to end, and each of those
  std::uint16_t unmet = 0;    // dependencies not yet SUCCEEDED
  QueueNo queue;
  Instant created_at;
  Instant runnable_at;      // 0: not yet
  Instant started_at;       // of the latest attempt
  Instant stopped_at;       // 0: not terminal
  JobSpec* spec = nullptr;  // owned by State::specs
  std::unique_ptr<JobExtra> extra;

  // Attempts that count against those allowed: all but those that were preempted, and the first
  // kLostAttemptsMax that were lost with their machine.
  [[nodiscard]] int attempts_counted() const;
  [[nodiscard]] int attempts_lost() const;  // that were not preempted
  [[nodiscard]] bool is_array() const { return extra && extra->array && !extra->array->gang; }
  // A multi-node job. Its nodes start together and end together, so that it alone waits. Its attempt is that
  // of its main node, unless another node failed first; what ends it is noted there at once, and the job goes
  // on when all nodes have ended.
  [[nodiscard]] bool is_gang() const { return extra && extra->array && extra->array->gang; }
  // Of an array or of a multi-node job.
  [[nodiscard]] bool is_child() const { return index >= 0; }
  [[nodiscard]] bool is_node() const { return node; }
  // Of an array, or the nodes of a multi-node job; none of others.
  [[nodiscard]] std::span<Job> children();
  [[nodiscard]] std::span<const Job> children() const;
  // "uuid", "uuid:index" of a child or "uuid#index" of a node, as the API names jobs.
  [[nodiscard]] std::string public_id() const {
    return is_child() ? id.str() + (node ? '#' : ':') + std::to_string(index) : id.str();
  }
};

}  // namespace stoker::core
