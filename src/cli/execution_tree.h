#pragma once
// What an execution of a state machine is doing, put together from the events of its history
// (GetExecutionHistory): states in the order in which they were entered, branches and iterations below them.
// Plain values: no server, no clock.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/table.h"
#include "json/json.h"

namespace stoker::cli {

enum class StateStatus { Running, Retrying, Succeeded, Caught, Failed, Aborted };
std::string_view status_text(StateStatus status);  // "RUNNING"
Colour colour_of_status(StateStatus status);
inline bool is_open(StateStatus status) {
  return status == StateStatus::Running || status == StateStatus::Retrying;
}

// One state within one thread of control. Loops enter a state again and again: it is one all the same, and
// shows its latest visit.
struct StateView {
  std::string name{};
  std::string type{};  // "Task"
  std::size_t thread = 0;
  StateStatus status = StateStatus::Running;
  Instant entered{};
  Instant ended{};
  std::int64_t visits = 1;
  std::int64_t tries = 0;  // of this visit, by its Retry
  std::string resource{};  // of a Task: "batch:submitJob.sync"
  std::string job_id{};    // of Batch; of the latest try
  std::string execution_arn{};
  std::string map_run_arn{};
  std::string failure{};               // of the latest try that failed
  std::vector<std::size_t> threads{};  // branches or iterations of the latest try
};

// The top level, a branch of a Parallel or an iteration of a Map.
struct ThreadView {
  static constexpr std::size_t kNone = SIZE_MAX;
  std::size_t state = kNone;  // that it is part of
  std::int64_t index = 0;
  StateStatus status = StateStatus::Running;
  std::vector<std::size_t> states{};  // by their first visit
  std::size_t current = kNone;        // the one that was entered last
};

class ExecutionTree {
 public:
  static constexpr std::size_t kNone = ThreadView::kNone;
  // Where in the execution an event belongs; state kNone: to the thread as a whole, or nobody can tell.
  struct Place {
    std::size_t thread = 0;
    std::size_t state = kNone;
    bool forks = false;     // the states entered next each begin a branch
    bool redriven = false;  // what follows goes on anywhere
  };

  ExecutionTree() : threads_(1) {}
  // Takes the events in the order of their ids. One of before changes nothing; of one that makes no sense as
  // much is taken as does.
  Place add(const json::Value& event);

  [[nodiscard]] std::int64_t last_event() const { return last_; }
  [[nodiscard]] Instant started() const { return started_; }
  [[nodiscard]] Instant ended() const { return ended_; }  // 0: it runs
  [[nodiscard]] const std::string& status() const { return status_; }
  [[nodiscard]] const std::vector<StateView>& states() const { return states_; }
  [[nodiscard]] const std::vector<ThreadView>& threads() const { return threads_; }  // [0]: the top level
  // "Train[3]/Fit", "Train[3]", "" for the execution itself.
  [[nodiscard]] std::string path(Place place) const;

 private:
  struct Event;
  Place enter(const Event& event, Place from);
  Place leave(const Event& event, Place from);
  Place schedule(const Event& event, Place from);
  Place submit(const Event& event, Place from);
  Place fail_try(const Event& event, Place from);
  Place fork(const Event& event, Place from);
  Place iterate(const Event& event, Place from);
  Place fail_fork(const Event& event, Place from);
  Place abort_below(const Event& event, Place from);
  Place begin_map_run(const Event& event, Place from);
  Place end_execution(const Event& event, Place from);
  Place start_execution(const Event& event);
  // The nearest state, from the current one of the thread outwards, that has this name; a Map or Parallel
  // that is open.
  [[nodiscard]] Place enclosing(std::size_t thread, std::string_view name) const;
  [[nodiscard]] Place enclosing_fork(std::size_t thread) const;
  // After a redrive: what failed or was given up in the state of this name; else the top level.
  [[nodiscard]] Place unfinished(std::string_view name) const;
  template <class Wanted>
  [[nodiscard]] Place climb(std::size_t thread, Wanted wanted) const;
  std::size_t new_thread(std::size_t state, std::int64_t index);
  void settle(std::size_t thread, StateStatus running, Instant at);
  void settle_below(std::size_t state, Instant at);

  std::vector<StateView> states_;
  std::vector<ThreadView> threads_;
  std::map<std::int64_t, Place> places_;  // by event
  std::int64_t last_ = 0;
  Instant started_;
  Instant ended_;
  std::string status_ = "RUNNING";
};

// A member that the API writes as seconds with a fraction.
Instant wire_instant(const json::Value& value, std::string_view key);

// The details of an event, whatever its type calls them; null where it has none.
const json::Value& details_of(const json::Value& event);

}  // namespace stoker::cli
