#include "core/workflow/run/testing/driver.h"

#include <set>

#include "base/assert.h"
#include "core/workflow/definition/read.h"

namespace stoker::workflow::testing {

std::shared_ptr<const Program> Driver::program(std::string_view definition) {
  const asl::ReadDefinition read = asl::read_definition(definition);
  ASSERT(read.definition != nullptr,
         read.diagnostics.empty() ? "no definition" : asl::invalid_definition_message(read.diagnostics));
  return Program::create(read.definition);
}

Driver::Driver(std::string_view definition, const Limits& limits) : Driver(program(definition), limits) {}
Driver::Driver(std::shared_ptr<const Program> program, const Limits& limits)
    : program_(std::move(program)), limits_(limits) {}

void Driver::start(std::string input, ExecutionStart more) {
  more.no = 7;
  more.arn = "arn:aws:states:us-east-1:000000000000:execution:m:x";
  more.name = "x";
  more.machine_arn = "arn:aws:states:us-east-1:000000000000:stateMachine:m";
  more.machine_name = "m";
  more.role_arn = "arn:aws:iam::000000000000:role/r";
  more.input = Document::parse(std::move(input)).value();
  if (more.seed == 0) more.seed = 11;
  more.seed2 = 12;
  execution_.emplace(program_, limits_, std::move(more), now, effects);
  for (const Effect& effect : effects) note(effect);
  turn();
}

void Driver::note(const Effect& effect) {
  if (const auto* task = std::get_if<StartTask>(&effect)) open_tasks[task->token] = *task;
  if (const auto* cancel = std::get_if<CancelTask>(&effect)) open_tasks.erase(cancel->token);
  if (const auto* read = std::get_if<ReadItems>(&effect)) reader = *read;
  if (const auto* write = std::get_if<WriteResults>(&effect)) writer = *write;
  if (const auto* child = std::get_if<StartChild>(&effect)) running_children[child->child.index] = *child;
  if (const auto* stop = std::get_if<StopChild>(&effect)) running_children.erase(stop->child.index);
  if (const auto* again = std::get_if<RedriveChild>(&effect)) {
    StartChild child;
    child.child = again->child;
    child.name = again->name;
    running_children[again->child.index] = child;
    redriven_children.insert(again->child.index);
  }
}

void Driver::turn() {
  execution_->check_invariants();
  Changes changes = execution_->take_changes();
  history.insert(history.end(), changes.history.begin(), changes.history.end());
  for (MapResultRecord& result : changes.map_results) results[result.index] = std::move(result);
  apply(records_, std::move(changes));
  ASSERT(records_ == execution_->snapshot(), "the changes are not all of the change");
  if (reload_after_each_turn) reload();
}

Heard Driver::tell(const News& news) {
  const std::size_t before = effects.size();
  const Heard heard = execution_->apply(now, news, effects);
  for (std::size_t i = before; i < effects.size(); ++i) note(effects[i]);
  turn();
  return heard;
}

void Driver::advance(Duration by) {
  const Instant until = now + by;
  for (;;) {
    const auto due = execution_->next_due();
    if (!due || *due > until) break;
    if (*due > now) now = *due;
    tell(TimerDue{});
  }
  now = until;
}

void Driver::reload() {
  auto loaded = Execution::load(program_, limits_, records_);
  ASSERT(loaded.has_value(), loaded.has_value() ? "" : loaded.error().message);
  ASSERT(loaded->snapshot() == records_, "the records do not give the state back");
  loaded->check_invariants();
  execution_ = *std::move(loaded);
}

std::vector<StartTask> Driver::tasks(std::string_view state) const {
  std::vector<StartTask> tasks;
  for (const auto& [token, task] : open_tasks)
    if (task.state == state && execution_->task(token)) tasks.push_back(task);
  return tasks;
}

}  // namespace stoker::workflow::testing
