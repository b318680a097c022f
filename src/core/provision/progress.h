#pragma once
// How far a job has come, and what a move or an interruption would take of that: by stoker:checkpoint.
#include <optional>

#include "core/fleet/deadline/due.h"
#include "core/state.h"

namespace stoker::core {

// Until when the work of a run counts that began at `works_from` and ended at `to`. What ended by an
// interruption or because it was told to make room is lost since the last checkpoint; a job that saves when
// it is told to end loses nothing.
Instant kept_until(const JobSpec& spec, const Attempt& attempt, Instant works_from, Instant to);
// Work that interrupted runs left for the next one; what a run that failed may have saved does not count.
Duration kept_work(const Job& job);

// Of a job with a deadline; nothing: it has none.
std::optional<fleet::Due> due_of(const Job& job);

// How long it is expected to run: what it says, else its time limit; 0: not known.
Duration expected_run(const JobSpec& spec);
// Until it ends by itself, with `guess` for what is not known. A run that has gone on for longer than that is
// taken to go on for as long as it has.
Duration expected_rest(const Job& job, Duration guess, Instant now);

// How often it was moved (schedule/preempt/move.h).
int moves(const Job& job);

// "on-demand: 40 min of slack are left for 35 min of work (safety-net)", of the last look; "" for a job
// without a deadline, and where no machines are launched.
std::string deadline_text(const State& state, const Job& job);

}  // namespace stoker::core
