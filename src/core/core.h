#pragma once
// The pure heart: values in, values out, one thread. No clock, thread, file or socket; the same events at the
// same instants give the same state, records and actions, byte for byte.
//
// A turn of the shell: apply() each event, schedule() once, make take_changes() durable, then hand out the
// actions.
#include <memory>
#include <optional>
#include <string>

#include "core/action.h"
#include "core/event.h"
#include "core/placement/policy_name.h"
#include "core/provision/launching.h"
#include "core/records.h"
#include "core/state.h"
#include "core/workflow/run/limits.h"

namespace stoker::core {

struct Settings {
  Duration stop_grace = seconds(30);         // AWS Batch User Guide, job timeouts
  Duration history = days(7);                // terminal jobs are remembered at least that long
  PolicyName placement = kDefaultPolicy;     // which node a run goes to
  std::size_t jobs_waiting_max = 2'000'000;  // top-level jobs not terminal; further submissions are refused
  Place place = {};                          // for the ARNs that stand in the data of workflows
  workflow::Limits workflow = {};
  std::shared_ptr<const Launching> launching = nullptr;  // null: this server launches no machines
  Money node_price =
      {};  // per hour, of nodes that were not launched; 0: they cost nothing and have no accounts
  Duration execution_history = days(90);  // ended executions are remembered that long, with their history
};

class Core {
 public:
  explicit Core(Settings settings);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // Into an empty core, before anything else. Internal when records contradict each other. Nodes are not
  // records: they come back by NodeConnected, and runs that were active wait for that.
  Result<void> load(const Records& records);

  // The only ways to change the state.
  void apply(Instant now, const Event& event, Actions& out);
  void schedule(Instant now, Actions& out);

  // What changed since the last call.
  Records take_changes();

  // When to apply TimerFired, if nothing else happens.
  [[nodiscard]] std::optional<Instant> next_wakeup() const;
  [[nodiscard]] const State& state() const;

  // Walks all cross-references; aborts with a text when one is wrong. For tests: it costs by the size of the
  // state.
  void check_invariants() const;
  // Everything as records, for comparing a reloaded core with a living one.
  [[nodiscard]] Records all_records() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stoker::core
