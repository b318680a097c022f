#pragma once
// How far a job has come, and what a move or an interruption would take of that: by stoker:checkpoint.
#include <optional>

#include "core/fleet/deadline/due.h"
#include "core/state.h"

namespace stoker::core {

// Of a node of a multi-node job that job: its nodes start, end and go on together.
const Job& whole_job(const State& state, const Job& job);

// Until when the work of a run counts that works since `works_from` and ended at `to`. What lost its machine
// or had to make room keeps what model/wishes.h says; how anything else ended is its own affair. `attempt` is
// that of the whole job.
Instant kept_until(const JobSpec& spec, const Attempt& attempt, Instant works_from, Instant to);
// Work that interrupted runs left for the next one; what a run that failed may have saved does not count.
Duration kept_work(const Job& job);

// Of a job with a deadline; nothing: it has none.
std::optional<fleet::Due> due_of(const Job& job);
// As it would be if its run were stopped now.
std::optional<fleet::Due> due_if_stopped(const Job& job, Instant now);

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
