#pragma once
// Every bound of one execution. The defaults are those of AWS, where AWS has one.
#include <cstddef>

#include "base/time.h"

namespace stoker::workflow {

struct Limits {
  // Of every input, output, result and variable, as JSON text. States.DataLimitExceeded beyond.
  std::size_t payload_bytes_max = 262'144;
  // Of nested objects and arrays in any of these. Ours: what is deeper is of no use and costs stack.
  std::size_t payload_depth_max = 128;
  // Of all variables of all scopes together.
  std::size_t variables_bytes_max = 10u << 20;
  // The event with this number is the ExecutionFailed that says so.
  std::size_t events_max = 25'000;
  // State transitions, started children and evaluated items of one turn; what is left is due at once.
  std::size_t steps_per_turn = 2'000;
  // So many evaluated nodes of JSONata, or values that a path visits, count as one more step.
  std::size_t effort_per_step = 200;
  // So many bytes of an event's details count as one more step: a turn holds what it writes until its commit.
  std::size_t event_bytes_per_step = 1'024;
  // Iterations of one inline Map at a time; MaxConcurrency may ask for fewer.
  std::size_t inline_concurrency_max = 40;
  // Children of one map run at a time.
  std::size_t map_run_concurrency_max = 10'000;
  // Threads of control alive at a time in one execution; one more is States.Runtime.
  std::size_t threads_max = 20'000;
  // Items of one map run.
  std::size_t map_run_items_max = 1'000'000;
  // A Wait may not last longer. RECORDED: 24,855 days pass, 24,856 do not.
  Duration wait_max = seconds(2'147'483'647);
  // Error names and causes are cut to this (GetExecutionHistory: 256 and 32,768).
  std::size_t error_bytes_max = 256;
  std::size_t cause_bytes_max = 32'768;
};

}  // namespace stoker::workflow
