#pragma once
// Executions at work: what drives their interpreters. News reach an execution by hear(); what it then wants
// is put in a queue and carried out by run_workflows(), so that executions that start and end each other need
// no recursion. Private to the core.
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/action.h"
#include "core/machines/execution_table.h"
#include "core/workflow/run/news.h"

namespace stoker::core {

struct World;

// A worker that waits for a task.
struct Poller {
  RequestId request;
  std::optional<std::string> worker;
};
struct ActivityQueue {
  std::deque<workflow::TaskToken> tasks;  // oldest first; some may be over by the time they are taken
  std::deque<Poller> pollers;
};

// A Batch job that ends a task (.sync).
struct AwaitedJob {
  workflow::TaskToken token;
  bool submitted = false;  // the execution has heard of it
};

// Who waits until an ended execution is back in memory.
struct Redriving {
  std::optional<RequestId> request;           // RedriveExecution
  std::string client_token = {};              // its clientToken
  std::optional<workflow::ChildRef> map_run;  // a map run that goes on
  bool only_report = false;                   // it has ended: who waits for that hears of it again
};

struct WorkflowWork {
  struct Told {
    ExecutionNo to;
    workflow::News news;
  };
  struct Wanted {
    ExecutionNo by;
    workflow::Effect effect;
  };
  std::deque<std::variant<Told, Wanted>> queue;

  std::uint64_t turn_length = 0;  // events of histories and steps, since take_changes()
  std::vector<ExecutionNo> changed;
  std::vector<std::uint64_t> removed;
  std::set<std::pair<Instant, ExecutionNo>> timers;       // next_due() of living executions
  std::set<std::pair<Instant, ExecutionNo>> retirements;  // ended executions to forget
  std::map<ExecutionNo, RequestId> sync_callers;          // StartSyncExecution
  std::map<ExecutionNo, std::vector<Redriving>> redriving;
  std::map<ActivityNo, ActivityQueue> activities;
  // All poll equally long: in the order of their deadlines.
  std::deque<std::pair<Instant, std::pair<ActivityNo, RequestId>>> poll_ends;
  std::map<Uuid, AwaitedJob> jobs;
  std::map<workflow::TaskToken, ExecutionNo> invoked;  // by the task that waits for its end
  std::vector<Uuid> ended_jobs;                        // top-level ones that ended since run_workflows()
  std::uint64_t next_execution = 1;
};

// ---- starting (starting.cc) ----

struct Starting {
  std::string machine_arn;  // of a machine, version or alias
  std::string name;         // "": `id` as text
  std::string input;        // JSON text; "" is refused
  std::string trace_header;
  Uuid id;  // minted for this start
  std::uint64_t seed = 0, seed2 = 0;
  std::optional<Invoker> invoker;
  std::optional<bool> wants_express;  // StartSyncExecution: only such machines
};
// The new execution, or the running one that this request already started.
Result<ExecutionInfo*> start_execution(World& world, Instant now, Starting request, Actions& out);
void start_map_child(World& world, Instant now, ExecutionInfo& parent, workflow::StartChild child,
                     Actions& out);

// ---- driving (driving.cc) ----

workflow::Heard hear(World& world, Instant now, ExecutionInfo& info, const workflow::News& news);
// Later in this turn or the next.
void tell(World& world, ExecutionNo to, workflow::News news);
// Puts a new or loaded interpreter to work with what it wants first.
void adopt(World& world, ExecutionInfo& info, workflow::Effects wanted);
// It differs from its record, or has ended: the end of the turn looks at it.
void note_changed(World& world, ExecutionInfo& info);
// Carries out what is wanted until nothing is left or the turn is long enough; the rest is due at once.
void run_workflows(World& world, Instant now, Actions& out);
// Timers of executions, pollers whose time is over, executions to forget.
void run_workflow_timers(World& world, Instant now, Actions& out);
[[nodiscard]] std::optional<Instant> next_workflow_timer(const World& world);
// The interpreter's program of a revision; null when this program does not accept the definition.
std::shared_ptr<const workflow::Program> program_of(World& world, const RevisionRef& revision);

// ---- effects (tasks.cc, invocations.cc, awaited_jobs.cc, activity_tasks.cc) ----

void start_task(World& world, Instant now, ExecutionInfo& info, workflow::StartTask task, Actions& out);
void cancel_task(World& world, Instant now, const workflow::CancelTask& task, Actions& out);
// states:startExecution in all its forms.
void invoke_execution(World& world, Instant now, const workflow::StartTask& task, Actions& out);
// The task that waits for this execution hears of its end.
void tell_invoker(World& world, const ExecutionInfo& info);
// batch:submitJob.sync
void await_job(World& world, const workflow::StartTask& task, Actions& out);
void job_submitted(World& world, const workflow::TaskToken& token, Actions& out);
void tell_ended_jobs(World& world, Actions& out);
// Activities.
void offer_task(World& world, Instant now, ActivityNo activity, const workflow::TaskToken& token,
                Actions& out);

// ---- ending and redriving (ending.cc) ----

void end_execution(World& world, Instant now, ExecutionInfo& info, Actions& out);
// Every running execution of the machine is stopped, in this turn and the next ones.
void stop_executions_of(World& world, const StateMachine& machine);
void forget_execution(World& world, ExecutionInfo& info);
// From the store, for Redriving. `snapshot` null: it is not there.
void execution_fetched(World& world, Instant now, ExecutionNo no, const workflow::Snapshot* snapshot,
                       Actions& out);
void fetch_for_redrive(World& world, ExecutionNo no, Redriving who, Actions& out);
// When the request with this token redrove the execution: asking again changes nothing.
std::optional<Instant> redriven_by(const ExecutionInfo& info, std::string_view client_token, Instant now);

// A random-looking id that is the same whenever it is asked for: of what a task makes at most once.
Uuid id_of_task(const workflow::TaskToken& token, std::string_view purpose);

}  // namespace stoker::core
