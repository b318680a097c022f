// Which thread of control an event belongs to follows from its previousEventId: usually that of the event
// before it. What starts or ends branches and iterations points elsewhere, by the rules that
// GetExecutionHistory of AWS keeps: then the names in the event decide, from the inside out.
#include "cli/execution_tree.h"

#include <algorithm>
#include <array>

#include "cli/failure_text.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::string_view kEntered = "StateEntered";
constexpr std::string_view kExited = "StateExited";

constexpr std::array<std::string_view, 3> kScheduled = {"TaskScheduled", "ActivityScheduled",
                                                        "LambdaFunctionScheduled"};
constexpr std::array<std::string_view, 13> kTryFailed = {"TaskFailed",
                                                         "TaskTimedOut",
                                                         "TaskStartFailed",
                                                         "TaskSubmitFailed",
                                                         "ActivityFailed",
                                                         "ActivityTimedOut",
                                                         "ActivityScheduleFailed",
                                                         "LambdaFunctionFailed",
                                                         "LambdaFunctionTimedOut",
                                                         "LambdaFunctionScheduleFailed",
                                                         "LambdaFunctionStartFailed",
                                                         "EvaluationFailed",
                                                         "MapRunFailed"};

bool is_fork(const StateView& state) {
  return state.type == "Map" || state.type == "Parallel";
}

// "Entered" → the members of one visit as they begin.
void begin_visit(StateView& state, Instant at) {
  state = {.name = std::move(state.name),
           .type = std::move(state.type),
           .thread = state.thread,
           .entered = at,
           .visits = state.visits + 1};
}

}  // namespace

struct ExecutionTree::Event {
  std::string_view type;
  Instant at;
  std::int64_t previous;
  const json::Value& details;

  [[nodiscard]] std::string name() const { return printable(json::get_string(details, "name")); }
  [[nodiscard]] std::string failure() const {
    return failure_text(json::get_string(details, "error"), json::get_string(details, "cause"));
  }
};

std::string_view status_text(StateStatus status) {
  switch (status) {
    case StateStatus::Running:
      return "RUNNING";
    case StateStatus::Retrying:
      return "RETRYING";
    case StateStatus::Succeeded:
      return "SUCCEEDED";
    case StateStatus::Caught:
      return "CAUGHT";
    case StateStatus::Failed:
      return "FAILED";
    case StateStatus::Aborted:
      break;
  }
  return "ABORTED";
}

Colour colour_of_status(StateStatus status) {
  switch (status) {
    case StateStatus::Running:
      return Colour::Green;
    case StateStatus::Retrying:
    case StateStatus::Caught:
      return Colour::Yellow;
    case StateStatus::Failed:
      return Colour::Red;
    case StateStatus::Succeeded:
    case StateStatus::Aborted:
      break;
  }
  return Colour::Dim;
}

Instant wire_instant(const json::Value& value, std::string_view key) {
  const json::Value* found = json::find(value, key);
  if (found == nullptr || !found->is_number()) return {};
  const double seconds_since = found->to_number<double>();
  // Also refuses what is no number.
  if (!(seconds_since > 0 && seconds_since < 1e12)) return {};
  return {static_cast<std::int64_t>(seconds_since * 1000 + 0.5)};
}

const json::Value& details_of(const json::Value& event) {
  static const json::Value none;
  if (!event.is_object()) return none;
  for (const auto& member : event.get_object())
    if (std::string_view(member.key()).ends_with("EventDetails")) return member.value();
  return none;
}

template <class Wanted>
ExecutionTree::Place ExecutionTree::climb(std::size_t thread, Wanted wanted) const {
  std::size_t state = threads_[thread].current;
  for (;;) {
    if (state != kNone && wanted(states_[state])) return {.thread = states_[state].thread, .state = state};
    if (thread == 0) return {.thread = 0};
    state = threads_[thread].state;
    thread = states_[state].thread;
  }
}

ExecutionTree::Place ExecutionTree::enclosing(std::size_t thread, std::string_view name) const {
  return climb(thread, [name](const StateView& state) { return state.name == name; });
}

ExecutionTree::Place ExecutionTree::enclosing_fork(std::size_t thread) const {
  return climb(thread, [](const StateView& state) { return is_fork(state) && is_open(state.status); });
}

ExecutionTree::Place ExecutionTree::unfinished(std::string_view name) const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const StateView& state = states_[i];
    const bool succeeded = state.status == StateStatus::Succeeded || state.status == StateStatus::Caught;
    // A Map or Parallel runs again since the redrive, and so does what it goes on with.
    const bool wanted = is_fork(state) ? is_open(state.status) : !succeeded && !is_open(state.status);
    if (wanted && state.name == name && threads_[state.thread].current == i)
      return {.thread = state.thread, .state = i};
  }
  return {};
}

std::size_t ExecutionTree::new_thread(std::size_t state, std::int64_t index) {
  threads_.push_back({.state = state, .index = index});
  states_[state].threads.push_back(threads_.size() - 1);
  return threads_.size() - 1;
}

// A thread that is over: what failed in it failed for good, what ran becomes `running`.
void ExecutionTree::settle(std::size_t thread, StateStatus running, Instant at) {
  std::vector<std::size_t> open = {thread};
  while (!open.empty()) {
    ThreadView& one = threads_[open.back()];
    open.pop_back();
    bool failed = one.current != kNone && states_[one.current].status == StateStatus::Failed;
    for (const std::size_t index : one.states) {
      StateView& state = states_[index];
      if (!is_open(state.status)) continue;
      failed = failed || state.status == StateStatus::Retrying;
      state.status = state.status == StateStatus::Retrying ? StateStatus::Failed : running;
      if (!state.ended) state.ended = at;
      open.insert(open.end(), state.threads.begin(), state.threads.end());
    }
    if (is_open(one.status)) one.status = failed ? StateStatus::Failed : running;
  }
}

void ExecutionTree::settle_below(std::size_t state, Instant at) {
  const std::vector<std::size_t> threads = states_[state].threads;
  for (const std::size_t thread : threads) settle(thread, StateStatus::Aborted, at);
}

ExecutionTree::Place ExecutionTree::enter(const Event& event, Place from) {
  std::size_t thread = from.thread;
  if (from.forks && from.state != kNone)
    thread = new_thread(from.state, static_cast<std::int64_t>(states_[from.state].threads.size()));
  const std::string name = event.name();
  if (from.redriven) thread = unfinished(name).thread;
  const auto known = std::ranges::find(threads_[thread].states, name,
                                       [this](std::size_t index) { return states_[index].name; });
  std::size_t index = states_.size();
  if (known != threads_[thread].states.end()) {
    index = *known;
    begin_visit(states_[index], event.at);
  } else {
    const std::string type(event.type.substr(0, event.type.size() - kEntered.size()));
    states_.push_back({.name = name, .type = printable(type), .thread = thread, .entered = event.at});
    threads_[thread].states.push_back(index);
  }
  threads_[thread].current = index;
  threads_[thread].status = StateStatus::Running;
  if (states_[index].type == "Fail") {  // which has no other event
    states_[index].status = StateStatus::Failed;
    states_[index].ended = event.at;
  }
  return {.thread = thread, .state = index};
}

ExecutionTree::Place ExecutionTree::leave(const Event& event, Place from) {
  const Place place = enclosing(from.thread, event.name());
  if (place.state == kNone) return from;
  StateView& state = states_[place.state];
  const bool caught = state.status == StateStatus::Retrying || state.status == StateStatus::Failed;
  state.status = caught ? StateStatus::Caught : StateStatus::Succeeded;
  state.ended = event.at;
  const std::vector<std::size_t> below = state.threads;
  for (const std::size_t thread : below)
    settle(thread, caught ? StateStatus::Aborted : StateStatus::Succeeded, event.at);
  threads_[place.thread].status = StateStatus::Succeeded;  // until the next state is entered
  return place;
}

ExecutionTree::Place ExecutionTree::schedule(const Event& event, Place from) {
  if (from.state == kNone) return from;
  StateView& state = states_[from.state];
  state.status = StateStatus::Running;
  state.ended = {};
  ++state.tries;
  state.job_id.clear();
  state.execution_arn.clear();
  const std::string_view type = json::get_string(event.details, "resourceType");
  state.resource = printable((type.empty() ? "" : std::string(type) + ":") +
                             std::string(json::get_string(event.details, "resource")));
  return from;
}

// What a task has started, by the answer of the API that it called.
ExecutionTree::Place ExecutionTree::submit(const Event& event, Place from) {
  if (from.state == kNone) return from;
  const auto answer = json::parse(json::get_string(event.details, "output"));
  if (!answer) return from;
  StateView& state = states_[from.state];
  if (const std::string_view id = json::get_string(*answer, "JobId"); !id.empty())
    state.job_id = printable(id);
  if (const std::string_view arn = json::get_string(*answer, "ExecutionArn"); !arn.empty())
    state.execution_arn = printable(arn);
  return from;
}

// Whether it is tried again, caught or ends everything, the next event of its thread will tell.
ExecutionTree::Place ExecutionTree::fail_try(const Event& event, Place from) {
  const std::string_view named = json::get_string(event.details, "state");  // of EvaluationFailed
  const Place place = named.empty() ? from : enclosing(from.thread, printable(named));
  if (place.state == kNone) return from;
  StateView& state = states_[place.state];
  state.status = StateStatus::Retrying;
  state.ended = event.at;
  state.failure = event.failure();
  return place;
}

// The first try of a Map or Parallel, or the next: the branches of the one before are forgotten.
ExecutionTree::Place ExecutionTree::fork(const Event& event, Place from) {
  Place place = enclosing_fork(from.thread);
  if (place.state == kNone) return from;
  StateView& state = states_[place.state];
  state.status = StateStatus::Running;
  state.ended = {};
  ++state.tries;
  state.threads.clear();
  threads_[place.thread].current = place.state;
  place.forks = event.type.starts_with("Parallel");
  return place;
}

ExecutionTree::Place ExecutionTree::iterate(const Event& event, Place from) {
  const Place map = from.redriven ? unfinished(event.name()) : enclosing(from.thread, event.name());
  if (map.state == kNone) return from;
  const std::int64_t index = json::get_int(event.details, "index");
  const auto& threads = states_[map.state].threads;
  // Mostly the one that began last.
  const auto found = std::find_if(threads.rbegin(), threads.rend(),
                                  [&](std::size_t t) { return threads_[t].index == index; });
  const std::size_t thread = found != threads.rend() ? *found : new_thread(map.state, index);
  if (event.type.ends_with("Started")) {
    threads_[thread].status = StateStatus::Running;
  } else if (event.type.ends_with("Succeeded")) {
    threads_[thread].status = StateStatus::Succeeded;
  } else if (event.type.ends_with("Aborted")) {
    if (threads_[thread].status == StateStatus::Succeeded) threads_[thread].status = StateStatus::Running;
    settle(thread, StateStatus::Aborted, event.at);
  } else {
    settle(thread, StateStatus::Aborted, event.at);
    threads_[thread].status = StateStatus::Failed;
    StateView& state = states_[map.state];
    state.status = StateStatus::Retrying;
    state.ended = event.at;
    if (from.state != kNone) state.failure = states_[from.state].failure;
  }
  return {.thread = thread};
}

ExecutionTree::Place ExecutionTree::fail_fork(const Event& event, Place from) {
  const Place place = enclosing_fork(from.thread);
  if (place.state == kNone) return from;
  settle_below(place.state, event.at);
  StateView& state = states_[place.state];
  state.status = StateStatus::Failed;
  state.ended = event.at;
  if (from.state != kNone && from.state != place.state) state.failure = states_[from.state].failure;
  return place;
}

// A sibling of what failed. Which one is not told, but all of them are given up together.
ExecutionTree::Place ExecutionTree::abort_below(const Event& event, Place from) {
  const Place place = enclosing_fork(from.thread);
  if (place.state == kNone) return {.thread = from.thread};
  settle_below(place.state, event.at);
  StateView& state = states_[place.state];
  state.status = StateStatus::Retrying;
  state.ended = event.at;
  if (from.state != kNone && from.state != place.state) state.failure = states_[from.state].failure;
  return {.thread = place.thread};
}

ExecutionTree::Place ExecutionTree::begin_map_run(const Event& event, Place from) {
  const std::string arn = printable(json::get_string(event.details, "mapRunArn"));
  if (from.redriven)
    for (const StateView& state : states_)
      if (state.map_run_arn == arn) return {.thread = state.thread, .state = threads_[state.thread].current};
  if (from.state == kNone) return from;
  states_[from.state].map_run_arn = arn;
  return from;
}

ExecutionTree::Place ExecutionTree::end_execution(const Event& event, Place from) {
  ended_ = event.at;
  const std::string_view end = event.type.substr(std::string_view("Execution").size());
  status_ = end == "Succeeded"  ? "SUCCEEDED"
            : end == "Aborted"  ? "ABORTED"
            : end == "TimedOut" ? "TIMED_OUT"
                                : "FAILED";
  if (status_ == "FAILED" && from.state != kNone) {
    // What failed without an event of its own, and everything around it.
    std::size_t state = from.state;
    for (;;) {
      StateView& failed = states_[state];
      if (is_open(failed.status)) failed.status = StateStatus::Retrying;
      if (failed.failure.empty() && failed.type != "Fail") failed.failure = event.failure();
      if (failed.thread == 0) break;
      state = threads_[failed.thread].state;
    }
  }
  settle(0, StateStatus::Aborted, event.at);
  return {};
}

ExecutionTree::Place ExecutionTree::start_execution(const Event& event) {
  ended_ = {};
  status_ = "RUNNING";
  if (event.type == "ExecutionStarted") {
    started_ = event.at;
    return {};
  }
  // States within which something goes on are not entered again.
  for (std::size_t i = 0; i < states_.size(); ++i) {
    StateView& state = states_[i];
    const bool goes_on = !state.threads.empty() || !state.map_run_arn.empty();
    if (!goes_on || threads_[state.thread].current != i) continue;
    if (state.status != StateStatus::Failed && state.status != StateStatus::Aborted) continue;
    state.status = StateStatus::Running;
    state.ended = {};
    threads_[state.thread].status = StateStatus::Running;
  }
  return {.redriven = true};
}

ExecutionTree::Place ExecutionTree::add(const json::Value& raw) {
  const std::int64_t id = json::get_int(raw, "id");
  if (const auto known = places_.find(id); known != places_.end()) return known->second;
  const Event event{.type = json::get_string(raw, "type"),
                    .at = wire_instant(raw, "timestamp"),
                    .previous = json::get_int(raw, "previousEventId"),
                    .details = details_of(raw)};
  const auto before = places_.find(event.previous);
  const Place from = before != places_.end() ? before->second : Place{.state = threads_[0].current};
  const auto is = [&event](std::string_view type) { return event.type == type; };
  const auto one_of = [&event](const auto& types) {
    return std::ranges::find(types, event.type) != types.end();
  };
  const auto take = [&]() -> Place {
    if (event.type.ends_with(kEntered)) return enter(event, from);
    if (event.type.ends_with(kExited)) return leave(event, from);
    if (one_of(kScheduled)) return schedule(event, from);
    if (is("TaskSubmitted") || is("TaskSucceeded")) return submit(event, from);
    if (one_of(kTryFailed)) return fail_try(event, from);
    if (is("MapStateStarted") || is("ParallelStateStarted")) return fork(event, from);
    if (event.type.starts_with("MapIteration")) return iterate(event, from);
    if (is("MapStateSucceeded") || is("ParallelStateSucceeded")) return enclosing_fork(from.thread);
    if (is("MapStateFailed") || is("ParallelStateFailed")) return fail_fork(event, from);
    if (event.type.ends_with("StateAborted")) return abort_below(event, from);
    if (is("MapRunStarted") || is("MapRunRedriven")) return begin_map_run(event, from);
    if (is("ExecutionStarted") || is("ExecutionRedriven")) return start_execution(event);
    if (event.type.starts_with("Execution")) return end_execution(event, from);
    return from;
  };
  Place place = take();
  place.forks = place.forks && is("ParallelStateStarted");
  place.redriven = is("ExecutionRedriven");
  places_[id] = place;
  last_ = std::max(last_, id);
  return place;
}

std::string ExecutionTree::path(Place place) const {
  std::string out = place.state != kNone ? states_[place.state].name : "";
  for (std::size_t thread = place.thread; thread != 0;) {
    const StateView& owner = states_[threads_[thread].state];
    const std::string step = owner.name + "[" + std::to_string(threads_[thread].index) + "]";
    out = out.empty() ? step : step + "/" + out;
    thread = owner.thread;
  }
  return out;
}

}  // namespace stoker::cli
