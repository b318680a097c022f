#pragma once
// One turn on one execution: applies news to the state and runs what is ready. Private to run/; each group
// of functions has a file of its own name.
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/run/context.h"
#include "core/workflow/run/flow.h"
#include "core/workflow/run/resource.h"
#include "core/workflow/run/state.h"

namespace stoker::workflow {

class Interpreter {
 public:
  // Both outlive it.
  Interpreter(ExecutionState& state, Instant now, Effects& out);

  void begin();
  Heard hear(const News& news);

 private:
  // ---- turn.cc: what runs when ----
  Heard on(const TimerDue&);
  Heard on(const Stop& news);
  Heard on(const GiveUp& news);
  void run_due();
  void run_ready();
  void run_joins();  // parents whose last child ended go on
  void step(Thread& thread);
  ThreadNo next_ready();
  void pay(std::size_t steps);                  // of the turn's budget
  void pay_step();                              // one step, and more where its expressions were expensive
  void set_phase(Thread& thread, Phase phase);  // keeps the sets of ready threads and timers
  void set_due(Thread& thread, Instant due);
  [[nodiscard]] bool over() const { return s_.status != Status::Running; }
  void touch(const Thread& thread) { s_.changed_threads.insert(thread.no); }

  // ---- journal.cc: history ----
  // Nothing is written after the end. The last event that there is room for is the end, by States.Runtime.
  std::uint64_t append(EventType type, std::uint64_t previous, std::string details = {});
  // As the next event of the thread.
  std::uint64_t chain(Thread& thread, EventType type, std::string details = {});
  void write(EventType type, std::uint64_t previous, std::string details);

  // ---- surroundings.cc: what expressions see, and chance ----
  Surroundings around(Thread& thread, std::string_view token = {});
  Surroundings around_item(Thread& map_thread, const MapItem& item);  // for a Map's ItemSelector
  const asl::Variables* visible(const Thread& thread);
  std::optional<MapItem> map_item(const Thread& thread);
  const json::Value* context(const Thread& thread, std::string_view token, const MapItem* item);
  std::uint64_t random();
  TaskToken new_token(const Thread& thread);
  std::string new_uuid();

  // ---- states.cc: entering and leaving ----
  // `before` and `evaluation_after`: the event that an EvaluationFailed would follow.
  void enter(Thread& thread);
  void enter_pass(Thread& thread, std::uint64_t before);
  void enter_wait(Thread& thread);
  void enter_choice(Thread& thread, std::uint64_t before);
  void enter_succeed(Thread& thread, std::uint64_t before);
  void enter_fail(Thread& thread, std::uint64_t before);
  // With the result of the work.
  void leave_state(Thread& thread, const Document& result, std::uint64_t evaluation_after);
  void exit(Thread& thread, Leaving leaving);
  Evaluated<void> check_variables(const Thread& thread, const Assigned& assigned);
  void finish(Thread& thread, Document output);  // the end of its machine; the thread may be gone then

  // ---- task.cc ----
  void try_task(Thread& thread, std::uint64_t evaluation_after);
  Thread* find_task(const TaskToken& token);
  Heard on(const TaskStarted& news);
  Heard on(const TaskSubmitted& news);
  Heard on(const TaskSucceeded& news);
  Heard on(const TaskFailed& news);
  Heard on(const TaskHeartbeat& news);
  void time_out(Thread& thread, bool heartbeat);
  void fail_task(Thread& thread, EventType type, Raised raised);

  // ---- children.cc: Parallel and inline Map ----
  void start_parallel(Thread& thread, std::uint64_t evaluation_after);
  void start_map(Thread& thread, std::uint64_t evaluation_after);
  void start_inline_map(Thread& thread, Document effective, MapItems items, std::int64_t concurrency);
  void start_iteration(Thread& parent, std::uint64_t previous);
  void begin_iteration(Thread& thread);
  void join(Thread& parent);
  Thread& new_thread(Thread& parent, std::size_t index, const asl::Machine& machine, std::uint64_t previous);
  void drop_children(Thread& thread);  // with all records of them
  void drop_thread(ThreadNo no);
  void drop_work(Thread& thread);  // children and map run: they are not gone on with

  // ---- failure.cc ----
  // The fault of an expression: writes EvaluationFailed behind `after` when it is one of JSONata.
  void fault(Thread& thread, const Fault& fault, std::uint64_t after, bool joined = false);
  Raised note_fault(Thread& thread, const Fault& fault, std::uint64_t after);
  // Retry, Catch, or up to the parent, or the end. `joined`: after the Succeeded event of a Parallel or Map.
  void fail(ThreadNo no, Raised raised, bool joined = false);
  bool retry_state(Thread& thread, const Raised& raised);
  void abort_siblings(Thread& parent, ThreadNo except, std::uint64_t failing);
  void abort_tree(Thread& thread, std::uint64_t failing);
  void abort_one(Thread& thread, std::uint64_t failing);
  void give_up_task(Thread& thread);

  // ---- end.cc ----
  void succeed(Thread& top, Document output);
  void end(Status status, std::optional<std::string> error, std::optional<std::string> cause,
           std::uint64_t previous, Instant at);
  void finish_ending(Instant at);

  // ---- redrive.cc ----
  Heard on(const Redrive&);
  void redrive_thread(Thread& thread, std::uint64_t redriven);
  void redrive_run(Thread& thread);

  // ---- map_run.cc: distributed Map ----
  void start_map_run(Thread& thread, Document effective, std::optional<MapItems> items,
                     std::int64_t concurrency);
  Evaluated<void> read_terms(Thread& thread, MapRun& run);
  void begin_children(MapRun& run);
  void step_map_run(Thread& thread);
  Evaluated<std::string> next_child_input(Thread& thread, MapRun& run, std::size_t& count);
  void start_child(Thread& thread, MapRun& run);
  void settle_map_run(Thread& thread, MapRun& run);
  void succeed_map_run(Thread& thread, MapRun& run, Document result);
  void fail_map_run(Thread& thread, MapRun& run, Raised raised);
  void fault_map_run(Thread& thread, MapRun& run, const Fault& fault);
  void ask_writer(Thread& thread, MapRun& run);
  void stop_children(MapRun& run);
  void give_up_map_run(MapRun& run, Status status);
  void abort_map_run(MapRun& run, Status status);
  void drop_map_run(MapRun& run);
  MapRun* find_run(std::uint64_t no);
  MapRun* asked_run(const TaskToken& token, RunStage stage);
  Heard on(const ItemsRead& news);
  Heard on(const ResultsWritten& news);
  Heard on(const ChildEnded& news);
  Heard on(const UpdateMapRun& news);

  ExecutionState& s_;
  Instant now_;
  Effects& out_;
  std::size_t budget_;           // steps left in this turn
  std::uint64_t effort_ = 0;     // of expressions, not yet paid from the budget
  std::vector<ThreadNo> joins_;  // parents whose last child ended
  asl::Variables visible_;
};

// Effects of what a state waits for, as they were first given.
StartTask start_task(const Thread& thread);
StartChild start_child(const ExecutionState& state, const MapRun& run, std::size_t index);
ReadItems read_items(const MapRun& run);
WriteResults write_results(const ExecutionState& state, const MapRun& run);
std::string map_run_arn(const ExecutionState& state, const MapRun& run);

// Cut to a number of bytes, at the start of a character.
std::string cut(std::string_view text, std::size_t bytes_max);

}  // namespace stoker::workflow
