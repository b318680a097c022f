#pragma once
// Drives one execution in tests as a host does: keeps its records and its history, remembers what was asked
// for, and can reload it from the records after every turn.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/workflow/run/execution.h"

namespace stoker::workflow::testing {

class Driver {
 public:
  // Aborts when the definition has faults.
  explicit Driver(std::string_view definition, const Limits& limits = {});
  static std::shared_ptr<const Program> program(std::string_view definition);
  Driver(std::shared_ptr<const Program> program, const Limits& limits);

  void start(std::string input, ExecutionStart more = {});
  Heard tell(const News& news);  // and everything that is due at once
  void advance(Duration by);     // with TimerDue for everything that falls due
  // From the records alone, as after a crash. Aborts when they do not give the state back.
  void reload();
  bool reload_after_each_turn = false;

  // The open tasks of a state, oldest first.
  [[nodiscard]] std::vector<StartTask> tasks(std::string_view state) const;
  [[nodiscard]] Execution& execution() { return *execution_; }
  [[nodiscard]] const Snapshot& records() const { return records_; }

  // Of children of map runs with a ResultWriter, by index.
  std::map<std::uint64_t, MapResultRecord> results;
  Instant now{1'700'000'000'000};
  std::vector<HistoryEvent> history;  // all of it
  Effects effects;                    // since they were last taken
  std::map<TaskToken, StartTask> open_tasks;
  std::map<std::uint64_t, StartChild> running_children;  // by index, of the newest run
  std::set<std::uint64_t> redriven_children;
  std::optional<ReadItems> reader;
  std::optional<WriteResults> writer;

 private:
  void turn();
  void note(const Effect& effect);

  std::shared_ptr<const Program> program_;
  Limits limits_;
  std::optional<Execution> execution_;
  Snapshot records_;
};

}  // namespace stoker::workflow::testing
