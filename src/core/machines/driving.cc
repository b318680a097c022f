// The loop that lets executions work: news in, effects out, timers, bounds of a turn.
#include "base/assert.h"
#include "core/machines/limits.h"
#include "core/machines/rules.h"
#include "core/machines/workflows.h"
#include "core/workflow/run/execution.h"
#include "core/world.h"

namespace stoker::core {
namespace {

// The timer of the execution as it is now.
void keep_timer(World& world, ExecutionInfo& info) {
  const auto next = info.live ? info.live->next_due() : std::nullopt;
  // An instant that is past, even 0, means at once; 0 in our index means none.
  const Instant due = next ? std::max(*next, Instant{1}) : Instant{};
  if (due == info.due) return;
  if (info.due) world.workflows.timers.erase({info.due, info.no});
  if (due) world.workflows.timers.insert({due, info.no});
  info.due = due;
}

void want(World& world, const ExecutionInfo& info, workflow::Effects& effects) {
  for (workflow::Effect& effect : effects)
    world.workflows.queue.push_back(WorkflowWork::Wanted{info.no, std::move(effect)});
  effects.clear();
}

struct CarryOut {
  World& world;
  Instant now;
  ExecutionInfo& info;
  Actions& out;

  void operator()(workflow::StartTask& effect) { start_task(world, now, info, std::move(effect), out); }
  void operator()(workflow::CancelTask& effect) { cancel_task(world, now, effect, out); }
  void operator()(workflow::ReadItems& effect) {
    out.push_back(ReadMapItems{std::move(effect), program_of(world, info.revision)});
  }
  void operator()(workflow::WriteResults& effect) {
    out.push_back(WriteMapResults{std::move(effect), info.no.value, program_of(world, info.revision)});
  }
  void operator()(workflow::StartChild& effect) { start_map_child(world, now, info, std::move(effect), out); }
  void operator()(workflow::StopChild& effect) {
    ExecutionInfo* child = child_of(effect.child);
    if (child == nullptr) return;
    // It may still be on its way back from the store to be redriven.
    if (const auto waiting = world.workflows.redriving.find(child->no);
        waiting != world.workflows.redriving.end())
      std::erase_if(waiting->second, [&](const Redriving& who) { return who.map_run == effect.child; });
    hear(world, now, *child, workflow::Stop{});
  }
  void operator()(workflow::RedriveChild& effect) {
    const ExecutionInfo* child = child_of(effect.child);
    if (child == nullptr)
      tell(world, info.no,
           workflow::ChildEnded{.child = effect.child, .status = workflow::Status::Failed, .output = {}});
    else if (child->status != workflow::Status::Running)
      fetch_for_redrive(world, child->no,
                        {.request = {},
                         .map_run = effect.child,
                         .only_report = effect.again && child->redriven_at >= info.redriven_at},
                        out);
  }
  void operator()(workflow::Ended&) { end_execution(world, now, info, out); }

 private:
  ExecutionInfo* child_of(const workflow::ChildRef& ref) {
    const auto found = world.state.executions.children.find(ref);
    return found == world.state.executions.children.end() ? nullptr
                                                          : world.state.executions.find(found->second);
  }
};

void take(World& world, Instant now, std::variant<WorkflowWork::Told, WorkflowWork::Wanted>& item,
          Actions& out) {
  if (auto* told = std::get_if<WorkflowWork::Told>(&item)) {
    if (ExecutionInfo* info = world.state.executions.find(told->to)) hear(world, now, *info, told->news);
    return;
  }
  auto& wanted = std::get<WorkflowWork::Wanted>(item);
  ExecutionInfo* info = world.state.executions.find(wanted.by);
  if (info != nullptr && info->live) std::visit(CarryOut{world, now, *info, out}, wanted.effect);
}

bool turn_is_long(const World& world) {
  return world.workflows.turn_length >= kTurnLengthMax;
}

void end_polls(World& world, Instant now, Actions& out) {
  auto& ends = world.workflows.poll_ends;
  for (; !ends.empty() && ends.front().first <= now; ends.pop_front()) {
    const auto [activity, request] = ends.front().second;
    const auto queue = world.workflows.activities.find(activity);
    if (queue == world.workflows.activities.end()) continue;
    auto& pollers = queue->second.pollers;
    const auto poller = std::ranges::find(pollers, request, &Poller::request);
    if (poller == pollers.end()) continue;  // it was given a task
    pollers.erase(poller);
    out.push_back(Replied{request, ActivityTaskGiven{}});
  }
}

}  // namespace

void note_changed(World& world, ExecutionInfo& info) {
  if (info.changed) return;
  info.changed = true;
  world.workflows.changed.push_back(info.no);
}

workflow::Heard hear(World& world, Instant now, ExecutionInfo& info, const workflow::News& news) {
  if (!info.live) return workflow::Heard::Stale;
  workflow::Effects effects;
  const std::uint64_t before = info.live->events() + info.live->steps();
  const workflow::Heard heard = info.live->apply(now, news, effects);
  world.workflows.turn_length += info.live->events() + info.live->steps() - before;
  note_changed(world, info);
  keep_timer(world, info);
  want(world, info, effects);
  return heard;
}

void tell(World& world, ExecutionNo to, workflow::News news) {
  world.workflows.queue.push_back(WorkflowWork::Told{to, std::move(news)});
}

void adopt(World& world, ExecutionInfo& info, workflow::Effects wanted) {
  note_changed(world, info);
  keep_timer(world, info);
  want(world, info, wanted);
}

void run_workflows(World& world, Instant now, Actions& out) {
  tell_ended_jobs(world, out);
  auto& queue = world.workflows.queue;
  for (std::size_t n = 0; n < kWorkPerTurnMax && !turn_is_long(world) && !queue.empty(); ++n) {
    auto item = std::move(queue.front());
    queue.pop_front();
    take(world, now, item, out);
  }
}

void run_workflow_timers(World& world, Instant now, Actions& out) {
  WorkflowWork& work = world.workflows;
  for (std::size_t n = 0; n < kTimersPerTurnMax && !turn_is_long(world) && !work.timers.empty() &&
                          work.timers.begin()->first <= now;
       ++n) {
    ExecutionInfo* info = world.state.executions.find(work.timers.begin()->second);
    ASSERT(info != nullptr && info->live, "a timer of an execution that does not run");
    hear(world, now, *info, workflow::TimerDue{});
    run_workflows(world, now, out);
  }
  end_polls(world, now, out);
  for (std::size_t n = 0;
       n < kForgottenPerTurnMax && !work.retirements.empty() && work.retirements.begin()->first <= now; ++n)
    forget_execution(world, *world.state.executions.find(work.retirements.begin()->second));
}

std::optional<Instant> next_workflow_timer(const World& world) {
  const WorkflowWork& work = world.workflows;
  std::optional<Instant> next;
  const auto consider = [&](Instant at) {
    if (!next || at < *next) next = at;
  };
  if (!work.queue.empty() || !work.ended_jobs.empty()) consider(Instant{1});
  if (!work.timers.empty()) consider(work.timers.begin()->first);
  if (!work.retirements.empty()) consider(work.retirements.begin()->first);
  if (!work.poll_ends.empty()) consider(work.poll_ends.front().first);
  return next;
}

std::shared_ptr<const workflow::Program> program_of(World& world, const RevisionRef& revision) {
  auto& kept = world.state.machines.revisions.at(revision->no);
  if (!kept.program && revision->parsed) kept.program = workflow::Program::create(revision->parsed);
  return kept.program;
}

}  // namespace stoker::core
