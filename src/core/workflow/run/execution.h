#pragma once
// One execution of a state machine: an interpreter that is told what happened and says what it wants done.
// Pure: the same news at the same instants gives the same history, effects and records. Nothing here knows
// other executions, jobs or the wire.
//
// A turn of the host: apply() news, carry out the effects (answers come back as news, in the same turn or
// years later), make take_changes() durable.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/workflow/run/effects.h"
#include "core/workflow/run/limits.h"
#include "core/workflow/run/news.h"
#include "core/workflow/run/program.h"
#include "core/workflow/run/records.h"

namespace stoker::workflow {

struct ExecutionStart {
  std::uint64_t no = 0;  // unique for ever; task tokens carry it
  std::string arn;
  std::string name;
  std::string machine_arn;  // unqualified
  std::string machine_name;
  std::string version_arn;  // "": not started through a version or alias
  std::string alias_arn;
  std::string role_arn;
  Document input;
  std::uint64_t seed = 0;  // from the caller's entropy: tokens are as hard to guess as this and seed2
  std::uint64_t seed2 = 0;
  bool express = false;   // no RedriveCount in the context object
  std::string map_state;  // child of a map run: runs the processor of this Map state
  std::string map_run_arn;
  std::optional<ChildRef> child;
  std::optional<Duration> time_max;  // on top of TimeoutSeconds: 5 minutes for express, a year for standard
  std::string trace_header;
};

// For people: where a thread of control is.
struct ThreadView {
  std::uint64_t thread = 0;  // 1: the top level
  std::uint64_t parent = 0;
  std::int64_t index = -1;  // of the branch or iteration
  std::string_view state;
  std::string_view type;       // "Task"
  std::string_view waits_for;  // "task", "timer", "retry", "children", "reader", "writer", "" = goes on now
  Instant entered_at;
  Instant due;  // 0: nothing
  std::int64_t retry_count = 0;
};

struct MapRunCounts {
  std::int64_t pending = 0, running = 0, succeeded = 0, failed = 0, timed_out = 0, aborted = 0, total = 0,
               results_written = 0, failures_not_redrivable = 0, pending_redrive = 0;
  bool operator==(const MapRunCounts&) const = default;
};
struct MapRunView {
  std::uint64_t run = 0;
  std::string arn;
  std::string state;  // name of the Map state
  Status status{};
  Instant started_at, stopped_at, redriven_at;
  std::int64_t redrive_count = 0;
  std::int64_t concurrency_max = 0;
  double tolerated_failure_percentage = 0;
  std::int64_t tolerated_failure_count = 0;
  MapRunCounts items, executions;
};

class Execution {
 public:
  // The first turn: history begins, the first state is entered.
  Execution(std::shared_ptr<const Program> program, const Limits& limits, ExecutionStart start, Instant now,
            Effects& out);
  // From its records. Internal when they contradict each other or the program. Without a program it has only
  // what it was and how it ended, not what it is at, and no map runs; when it runs, all it can do is give up.
  static Result<Execution> load(std::shared_ptr<const Program> program, const Limits& limits,
                                const Snapshot& snapshot);
  ~Execution();
  Execution(Execution&&) noexcept;
  Execution& operator=(Execution&&) noexcept;

  Heard apply(Instant now, const News& news, Effects& out);
  // When to apply TimerDue. An instant that is past, even 0, means at once.
  [[nodiscard]] std::optional<Instant> next_due() const;
  // Everything asked for and not answered, again: after a load.
  [[nodiscard]] Effects owed() const;
  Changes take_changes();
  [[nodiscard]] Snapshot snapshot() const;  // all of it; costs by its size

  // ---- what it is ----
  [[nodiscard]] const ExecutionStart& start() const;
  [[nodiscard]] const Program& program() const;  // which it must have
  [[nodiscard]] Status status() const;
  [[nodiscard]] const Document* output() const;  // null unless it succeeded
  [[nodiscard]] const std::optional<std::string>& error() const;
  [[nodiscard]] const std::optional<std::string>& cause() const;
  [[nodiscard]] Instant started_at() const;
  [[nodiscard]] Instant stopped_at() const;   // 0: it runs
  [[nodiscard]] Instant redriven_at() const;  // 0: never
  [[nodiscard]] std::int64_t redrive_count() const;
  [[nodiscard]] std::uint64_t events() const;  // how many its history has
  // What it has cost since it is in memory: steps, and more for expensive expressions. For hosts that share
  // time.
  [[nodiscard]] std::uint64_t steps() const;
  // Why it cannot be redriven, in the words of redriveStatusReason; "": it can.
  [[nodiscard]] std::string redrive_refusal(Instant now) const;

  // ---- what it is at ----
  [[nodiscard]] std::vector<ThreadView> threads() const;
  // The task of a token, as it was asked for; nothing when the try is over.
  [[nodiscard]] std::optional<StartTask> task(const TaskToken& token) const;
  [[nodiscard]] std::vector<MapRunView> map_runs() const;  // in the order of their start

  // Walks all cross-references; aborts with a text when one is wrong. For tests.
  void check_invariants() const;

 private:
  struct Impl;
  explicit Execution(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stoker::workflow
