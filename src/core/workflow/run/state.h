#pragma once
// The state of one execution. Private to run/.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/workflow/run/execution.h"
#include "core/workflow/run/flow.h"

namespace stoker::workflow {

using ThreadNo = std::uint64_t;
inline constexpr ThreadNo kTopThread = 1;

enum class Phase : std::uint8_t {
  Begin,     // ready: an iteration whose input is not yet worked out
  Enter,     // ready: enters its state
  Try,       // ready: tries its state again, which it has entered before
  Wait,      // a Wait until due
  Retry,     // until due, then Try
  Task,      // a task is under way
  Children,  // branches or iterations are under way
  MapRun,    // a map run is under way
  Failed,    // of an execution that is over, or is about to be: where it failed
  Aborted,   // likewise: what was given up because of it
};

struct RunningTask {
  TaskToken token;
  Document parameters;
  std::string role;
  bool started = false;    // activities: a worker has it
  bool submitted = false;  // .sync and .waitForTaskToken: the API accepted it
  Instant timeout_at;      // 0: never
  Instant heartbeat_at;    // 0: never
  std::int64_t heartbeat_s = 0;
};

// The branches of a Parallel or the iterations of an inline Map.
struct Children {
  std::size_t total = 0;
  std::size_t finished = 0;
  std::size_t started = 0;  // indexes below have a thread
  std::size_t concurrency = 0;
  json::Shared items;                            // Map: an array
  std::vector<std::string> keys;                 // Map over an object
  Document effective;                            // input of the branches; Map: what the ItemSelector reads
  std::vector<ThreadNo> threads;                 // by index, also of finished ones: their records stay
  std::vector<std::optional<Document>> results;  // by index
};

struct Thread {
  ThreadNo no = 0;
  ThreadNo parent = 0;    // 0: the top level
  std::size_t index = 0;  // among the children of the parent
  const asl::Machine* machine = nullptr;
  const asl::State* state = nullptr;
  Phase phase = Phase::Enter;
  Document input;                     // raw
  asl::Variables variables;           // of its own scope
  std::vector<std::int64_t> retries;  // by retrier, in this visit of the state
  std::int64_t retry_count = 0;
  std::uint64_t last = 0;           // the event that the next one follows
  std::uint64_t entered_event = 0;  // StateEntered of this visit
  Instant entered_at;
  Instant due;    // Wait, Retry
  Instant timer;  // its entry in ExecutionState::timers: the earliest of all it waits for
  std::optional<RunningTask> task;
  std::unique_ptr<Children> children;
  std::uint64_t run = 0;  // MapRun: which
  bool begun = true;      // iterations: their input is worked out
};

enum class ChildStatus : std::uint8_t { Running, Succeeded, Failed, TimedOut, Aborted, PendingRedrive };
struct MapChild {
  std::string name;                  // UUID
  std::size_t first = 0, count = 0;  // its items
  ChildStatus status = ChildStatus::Running;
  // Of a run with a ResultWriter these are dropped with the record of the result.
  std::string input;   // while it runs
  std::string output;  // when it succeeded
  std::optional<std::string> error, cause;
  Instant started_at, stopped_at;
  bool redriven = false;  // started by RedriveChild
};
enum class RunStage : std::uint8_t { Reading, Running, Writing, Over };
struct MapRun {
  std::uint64_t no = 0;
  std::string uuid, label;
  const asl::State* state = nullptr;
  ThreadNo thread = 0;
  RunStage stage = RunStage::Reading;
  bool settled = false;  // its items and children are gone: nobody needs them
  Status status = Status::Running;
  TaskToken token;         // of the reader or writer that is asked
  json::Shared arguments;  // of that one
  std::int64_t items_max = 0;
  Instant started_at, stopped_at, redriven_at;
  std::int64_t redrive_count = 0;
  std::uint64_t started_event = 0;
  std::int64_t concurrency_max = 0;
  std::optional<std::int64_t> tolerated_count;
  std::optional<double> tolerated_percentage;
  std::int64_t batch_items_max = 0, batch_bytes_max = 0;  // 0: no batches by that
  bool batched = false;
  std::string batch_input;  // JSON text; "": none
  Document effective;       // what the ItemSelector reads
  json::Shared items;       // an array; null before it is read, and when the run is settled
  std::vector<std::string> keys;
  std::string source;  // Map.Item.Source
  std::vector<MapChild> children;
  std::size_t next_item = 0;
  std::vector<std::size_t> to_redrive;  // indexes of children that wait for RedriveChild, last first
  MapRunCounts item_counts, child_counts;
  std::size_t output_bytes = 0;    // of the result without a ResultWriter, so far
  bool outputs_too_large = false;  // they cannot become a result: further ones are not kept
  std::optional<Raised> failing;   // Writing: the failure that the run ends with
  std::set<std::size_t> changed_children;
};

struct ExecutionState {
  std::shared_ptr<const Program> program;
  Limits limits;
  ExecutionStart start;

  Status status = Status::Running;
  std::optional<Document> output;
  std::optional<std::string> error, cause;
  Instant started_at, stopped_at, redriven_at;
  std::int64_t redrive_count = 0;
  Instant timeout_at;  // 0: never
  std::uint64_t next_event = 1;
  std::uint64_t last_event = 0;  // the terminal one, for what follows a redrive
  std::uint64_t random_count = 0;
  ThreadNo next_thread = kTopThread;
  std::uint64_t next_run = 1;
  ThreadNo cursor = 0;  // the thread that had the last step; the next one after it is first
  std::size_t variable_bytes = 0;

  std::map<ThreadNo, Thread> threads;  // alive, or where an execution that is over stopped
  std::map<std::uint64_t, MapRun> runs;

  // Not recorded: found again from the above.
  std::set<ThreadNo> ready;
  std::set<std::pair<Instant, ThreadNo>> timers;
  std::uint64_t steps = 0;             // that were paid for, since it is in memory
  std::optional<json::Value> context;  // Execution and StateMachine parts are the same for every state

  // Changes since they were last taken.
  bool changed = false;
  bool input_changed = false;
  std::set<ThreadNo> changed_threads;
  struct Finished {
    ThreadNo thread = 0;
    ThreadNo parent = 0;
    std::size_t index = 0;
  };
  std::vector<Finished> finished_threads;
  std::vector<ThreadNo> removed_threads;
  ThreadNo recorded_below = kTopThread;  // threads from this number on have no record yet
  std::set<std::uint64_t> changed_runs;
  std::set<std::uint64_t> changed_run_items;
  std::vector<std::uint64_t> settled_runs;
  std::vector<HistoryEvent> history;
};

// Fills what is not recorded: ready threads and timers.
void find_what_waits(ExecutionState& state);
// Aborts with a text when cross-references do not agree.
void check_state(const ExecutionState& state);

std::vector<ThreadView> thread_views(const ExecutionState& state);
std::vector<MapRunView> map_run_views(const ExecutionState& state);

// When the thread wants to hear of the time: the earliest of what it waits for; 0: never.
Instant earliest_due(const Thread& thread);
bool is_ready(Phase phase);
// Whether a map run can start a child now.
bool can_start_child(const Limits& limits, const MapRun& run);

// The machine that the top thread runs; null when there is no such Map state.
const asl::Machine* top_machine(const Program& program, const ExecutionStart& start);

}  // namespace stoker::workflow
