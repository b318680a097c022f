// Parallel and inline Map: threads below a thread (amazon-states-language.md 4.4, 4.5, 7.2 rules 3 to 6).
#include "base/assert.h"
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {

Thread& Interpreter::new_thread(Thread& parent, std::size_t index, const asl::Machine& machine,
                                std::uint64_t previous) {
  Thread child;
  child.no = s_.next_thread++;
  child.parent = parent.no;
  child.index = index;
  child.machine = &machine;
  child.state = &machine.states.find(machine.start_at)->second;
  child.last = previous;
  parent.children->threads[index] = child.no;
  parent.children->started = index + 1;
  s_.changed = true;
  Thread& thread = s_.threads.emplace(child.no, std::move(child)).first->second;
  touch(thread);
  return thread;
}

void Interpreter::start_parallel(Thread& thread, std::uint64_t evaluation_after) {
  const auto& branches = std::get<asl::Parallel>(thread.state->kind).branches;
  auto effective = effective_input(around(thread));
  if (!effective) return fault(thread, effective.error(), evaluation_after);
  if (s_.threads.size() + branches.size() > s_.limits.threads_max)
    return fault(thread, runtime_fault("The execution has too many branches and iterations at a time."),
                 thread.last);
  const std::uint64_t started = chain(thread, EventType::ParallelStateStarted);
  if (over()) return;
  thread.children = std::make_unique<Children>();
  thread.children->total = branches.size();
  thread.children->concurrency = branches.size();
  thread.children->threads.resize(branches.size());
  thread.children->results.resize(branches.size());
  set_phase(thread, Phase::Children);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Thread& branch = new_thread(thread, i, *branches[i], started);
    branch.input = *effective;
    set_phase(branch, Phase::Enter);
  }
}

void Interpreter::start_map(Thread& thread, std::uint64_t evaluation_after) {
  const auto& map = std::get<asl::Map>(thread.state->kind);
  const Surroundings surroundings = around(thread);
  auto effective = effective_input(surroundings);
  if (!effective) return fault(thread, effective.error(), evaluation_after);
  // RECORDED: a wrong MaxConcurrency or Items comes before MapStateStarted.
  const auto concurrency = map_concurrency(surroundings);
  if (!concurrency) return fault(thread, concurrency.error(), evaluation_after);
  std::optional<MapItems> items;
  if (!map.reader) {
    auto found = map_items(surroundings);
    if (!found) return fault(thread, found.error(), evaluation_after);
    items = *std::move(found);
  }
  const std::size_t length = items ? items->items->get_array().size() : 0;
  chain(thread, EventType::MapStateStarted, ObjectText().add("length", length).take());
  if (over()) return;
  if (map.distributed) return start_map_run(thread, *std::move(effective), std::move(items), *concurrency);
  start_inline_map(thread, *std::move(effective), *std::move(items), *concurrency);
}

void Interpreter::start_inline_map(Thread& thread, Document effective, MapItems items,
                                   std::int64_t concurrency) {
  // 0 = no wish; more than the ceiling = the ceiling.
  std::size_t at_a_time = s_.limits.inline_concurrency_max;
  if (concurrency > 0 && static_cast<std::uint64_t>(concurrency) < at_a_time)
    at_a_time = static_cast<std::size_t>(concurrency);
  if (s_.threads.size() + std::min(at_a_time, items.items->get_array().size()) > s_.limits.threads_max)
    return fault(thread, runtime_fault("The execution has too many branches and iterations at a time."),
                 thread.last);
  thread.children = std::make_unique<Children>();
  Children& children = *thread.children;
  children.concurrency = at_a_time;
  children.total = items.items->get_array().size();
  children.items = std::move(items.items);
  children.keys = std::move(items.keys);
  children.effective = std::move(effective);
  children.threads.resize(children.total);
  children.results.resize(children.total);
  set_phase(thread, Phase::Children);
  if (children.total == 0) return joins_.push_back(thread.no);
  const std::uint64_t started = thread.last;
  while (!over() && children.started < std::min(children.concurrency, children.total))
    start_iteration(thread, started);
}

void Interpreter::start_iteration(Thread& parent, std::uint64_t previous) {
  const auto& map = std::get<asl::Map>(parent.state->kind);
  const std::size_t index = parent.children->started;
  const std::uint64_t started =
      append(EventType::MapIterationStarted, previous,
             ObjectText().add("index", index).add("name", parent.state->name).take());
  if (over()) return;
  Thread& iteration = new_thread(parent, index, *map.processor, started);
  iteration.begun = false;
  set_phase(iteration, Phase::Begin);
}

void Interpreter::begin_iteration(Thread& thread) {
  Thread& parent = s_.threads.at(thread.parent);
  const auto& map = std::get<asl::Map>(parent.state->kind);
  const json::Value& item = parent.children->items->get_array()[thread.index];
  if (map.item_selector) {
    const auto context_item = map_item(thread);
    auto input = map_item_input(around_item(parent, *context_item), parent.children->effective, item);
    if (input)
      if (auto fits = check_size(s_.limits, *input, parent.state->name); !fits)
        input = std::unexpected(std::move(fits).error());
    if (!input) {
      // The Map's own expression failed: in the words of the Map, in the iteration's chain.
      Raised raised = raise(input.error(), parent.state->name, parent.entered_event);
      if (input.error().error == asl::kQueryEvaluationError)
        chain(thread, EventType::EvaluationFailed,
              ObjectText()
                  .add_if("cause", raised.cause)
                  .add("error", raised.error)
                  .add_unless_empty("location", input.error().location)
                  .add("state", parent.state->name)
                  .take());
      return fail(thread.no, std::move(raised));
    }
    thread.input = *std::move(input);
  } else {
    thread.input = Document(item);
  }
  thread.begun = true;
  set_phase(thread, Phase::Enter);
  enter(thread);
}

// The last child ended: the results in order are the result of the state.
void Interpreter::join(Thread& parent) {
  Document result = Document::array(parent.children->results);
  const bool map = parent.children->items != nullptr;
  // 7.2 rules 5 and 6: Succeeded stands beside the chain, Exited has the same previous event.
  append(map ? EventType::MapStateSucceeded : EventType::ParallelStateSucceeded, parent.last);
  if (over()) return;
  drop_work(parent);
  if (auto fits = check_size(s_.limits, result, parent.state->name); !fits)
    return fault(parent, fits.error(), parent.last, true);
  auto leaving = leave(around(parent), result);
  if (!leaving) return fault(parent, leaving.error(), parent.last, true);
  if (auto fits = check_variables(parent, leaving->assigned); !fits)
    return fault(parent, fits.error(), parent.last, true);
  exit(parent, *std::move(leaving));
}

void Interpreter::drop_children(Thread& thread) {
  std::vector<ThreadNo> below = {thread.no};
  while (!below.empty()) {
    const ThreadNo no = below.back();
    below.pop_back();
    const auto found = s_.threads.find(no);
    if (found == s_.threads.end() || !found->second.children) {
      if (no != thread.no) drop_thread(no);
      continue;
    }
    Children& children = *found->second.children;
    for (std::size_t i = 0; i < children.started; ++i) below.push_back(children.threads[i]);
    found->second.children.reset();
    if (no != thread.no) drop_thread(no);
  }
  touch(thread);
}

void Interpreter::drop_work(Thread& thread) {
  drop_children(thread);
  if (MapRun* run = find_run(thread.run)) drop_map_run(*run);
  thread.run = 0;
  // Until the caller says how it goes on.
  if (thread.phase == Phase::Children || thread.phase == Phase::MapRun) set_phase(thread, Phase::Failed);
}

void Interpreter::drop_thread(ThreadNo no) {
  if (const auto found = s_.threads.find(no); found != s_.threads.end()) {
    if (found->second.run != 0)
      if (MapRun* run = find_run(found->second.run)) drop_map_run(*run);
    s_.timers.erase({found->second.timer, no});
    s_.ready.erase(no);
    s_.changed_threads.erase(no);
    s_.threads.erase(found);
  }
  if (no < s_.recorded_below) s_.removed_threads.push_back(no);
}

}  // namespace stoker::workflow
