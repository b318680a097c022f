#include "core/workflow/run/execution.h"

#include <algorithm>

#include "core/workflow/run/codec.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/map_run.h"
#include "core/workflow/run/redrive.h"

namespace stoker::workflow {

struct Execution::Impl {
  ExecutionState state;
};

const asl::Machine* top_machine(const Program& program, const ExecutionStart& start) {
  if (start.map_state.empty()) return program.definition().machine.get();
  const asl::State* state = program.find(start.map_state);
  const auto* map = state != nullptr ? std::get_if<asl::Map>(&state->kind) : nullptr;
  return map != nullptr ? map->processor.get() : nullptr;
}

Execution::Execution(std::shared_ptr<const Program> program, const Limits& limits, ExecutionStart start,
                     Instant now, Effects& out)
    : impl_(std::make_unique<Impl>()) {
  impl_->state.program = std::move(program);
  impl_->state.limits = limits;
  impl_->state.start = std::move(start);
  Interpreter(impl_->state, now, out).begin();
}
Execution::Execution(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Execution::~Execution() = default;
Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;

Result<Execution> Execution::load(std::shared_ptr<const Program> program, const Limits& limits,
                                  const Snapshot& snapshot) {
  auto impl = std::make_unique<Impl>();
  ExecutionState& s = impl->state;
  s.program = std::move(program);
  s.limits = limits;
  if (auto loaded = load_state(s, snapshot); !loaded) return std::unexpected(std::move(loaded).error());
  if (s.status == Status::Running) find_what_waits(s);
  return Execution(std::move(impl));
}

Heard Execution::apply(Instant now, const News& news, Effects& out) {
  return Interpreter(impl_->state, now, out).hear(news);
}

std::optional<Instant> Execution::next_due() const {
  const ExecutionState& s = impl_->state;
  if (s.status != Status::Running) return std::nullopt;
  if (!s.ready.empty()) return Instant{};
  std::optional<Instant> due;
  if (s.timeout_at) due = s.timeout_at;
  if (!s.timers.empty() && (!due || s.timers.begin()->first < *due)) due = s.timers.begin()->first;
  return due;
}

Effects Execution::owed() const {
  const ExecutionState& s = impl_->state;
  Effects owed;
  if (s.status != Status::Running) return owed;
  for (const auto& [no, thread] : s.threads) {
    if (!thread.task) continue;
    StartTask start = start_task(thread);
    start.again = true;
    owed.emplace_back(std::move(start));
  }
  for (const auto& [no, run] : s.runs) {
    if (run.stage == RunStage::Reading) owed.emplace_back(read_items(run));
    if (run.stage == RunStage::Writing) owed.emplace_back(write_results(s, run));
    if (run.stage != RunStage::Running) continue;
    for (std::size_t i = 0; i < run.children.size(); ++i) {
      if (run.children[i].status != ChildStatus::Running) continue;
      if (run.children[i].redriven) {
        owed.emplace_back(RedriveChild{{s.start.no, run.no, i}, run.children[i].name, true});
        continue;
      }
      StartChild child = start_child(s, run, i);
      child.again = true;
      owed.emplace_back(std::move(child));
    }
  }
  return owed;
}

Changes Execution::take_changes() {
  ExecutionState& s = impl_->state;
  Changes changes;
  const bool changed = s.changed || !s.changed_threads.empty() || !s.changed_runs.empty();
  if (changed) changes.execution = execution_record(s);
  if (s.input_changed) changes.payloads.push_back(input_record(s));
  for (const ThreadNo no : s.changed_threads)
    if (const auto thread = s.threads.find(no); thread != s.threads.end())
      changes.threads.push_back(thread_record(s, thread->second));
  // Finished ones whose parent is still waiting.
  for (const auto& finished : s.finished_threads) {
    const auto parent = s.threads.find(finished.parent);
    if (parent == s.threads.end() || !parent->second.children) continue;
    const Children& children = *parent->second.children;
    if (finished.index < children.total && children.threads[finished.index] == finished.thread)
      changes.threads.push_back(finished_record(s, parent->second, finished.index));
  }
  for (const std::uint64_t no : s.changed_runs) {
    MapRun& run = s.runs.at(no);
    changes.map_runs.push_back(map_run_record(s, run));
    for (const std::size_t index : run.changed_children) {
      if (auto result = take_map_result(s, run, index)) changes.map_results.push_back(*std::move(result));
      changes.map_children.push_back(map_child_record(s, run, index));
    }
    run.changed_children.clear();
  }
  for (const std::uint64_t no : s.changed_run_items)
    changes.payloads.push_back(map_items_record(s, s.runs.at(no)));
  changes.removed_threads = std::move(s.removed_threads);
  changes.settled_runs = std::move(s.settled_runs);
  changes.history = std::move(s.history);
  s.changed = s.input_changed = false;
  s.changed_threads.clear();
  s.finished_threads.clear();
  s.removed_threads.clear();
  s.changed_runs.clear();
  s.changed_run_items.clear();
  s.settled_runs.clear();
  s.history.clear();
  s.recorded_below = s.next_thread;
  return changes;
}

Snapshot Execution::snapshot() const {
  const ExecutionState& s = impl_->state;
  Snapshot all;
  all.execution = execution_record(s);
  all.payloads.push_back(input_record(s));
  for (const auto& [no, thread] : s.threads) {
    all.threads.push_back(thread_record(s, thread));
    if (!thread.children) continue;
    for (std::size_t i = 0; i < thread.children->started; ++i)
      if (thread.children->results[i]) all.threads.push_back(finished_record(s, thread, i));
  }
  std::ranges::sort(all.threads, {}, &ThreadRecord::thread);
  for (const auto& [no, run] : s.runs) {
    all.map_runs.push_back(map_run_record(s, run));
    if (run.settled) continue;
    all.payloads.push_back(map_items_record(s, run));
    for (std::size_t i = 0; i < run.children.size(); ++i)
      all.map_children.push_back(map_child_record(s, run, i));
  }
  return all;
}

const ExecutionStart& Execution::start() const {
  return impl_->state.start;
}
const Program& Execution::program() const {
  return *impl_->state.program;
}
Status Execution::status() const {
  return impl_->state.status;
}
const Document* Execution::output() const {
  return impl_->state.output ? &*impl_->state.output : nullptr;
}
const std::optional<std::string>& Execution::error() const {
  return impl_->state.error;
}
const std::optional<std::string>& Execution::cause() const {
  return impl_->state.cause;
}
Instant Execution::started_at() const {
  return impl_->state.started_at;
}
Instant Execution::stopped_at() const {
  return impl_->state.stopped_at;
}
Instant Execution::redriven_at() const {
  return impl_->state.redriven_at;
}
std::int64_t Execution::redrive_count() const {
  return impl_->state.redrive_count;
}
std::uint64_t Execution::events() const {
  return impl_->state.next_event - 1;
}
std::uint64_t Execution::steps() const {
  return impl_->state.steps;
}
std::string Execution::redrive_refusal(Instant now) const {
  return workflow::redrive_refusal(impl_->state, now);
}

std::vector<ThreadView> Execution::threads() const {
  return thread_views(impl_->state);
}
std::vector<MapRunView> Execution::map_runs() const {
  return map_run_views(impl_->state);
}

std::optional<StartTask> Execution::task(const TaskToken& token) const {
  const ExecutionState& s = impl_->state;
  const auto thread = s.threads.find(token.thread);
  if (s.status != Status::Running || thread == s.threads.end() || !thread->second.task ||
      thread->second.task->token != token)
    return std::nullopt;
  return start_task(thread->second);
}

void Execution::check_invariants() const {
  check_state(impl_->state);
}

}  // namespace stoker::workflow
