#pragma once
// Jobs of the simulation: submitted, started where the core says, ended; and into the books.
#include "sim/run/world.h"

namespace stoker::sim {

void submit(World& world, std::size_t job);

// ---- what the core wants ----

void on_start(World& world, const core::StartRun& start);
void on_stop(World& world, const core::StopRun& stop);
// Its machine will be taken away, and its runs are told to save.
void on_warned(World& world, std::size_t job);
void on_replied(World& world, const core::Replied& replied);

// ---- what was foreseen; of an earlier start it means nothing any more ----

void on_works(World& world, const Due& due);
void on_ends(World& world, const Due& due);
// The grace after it was told to end is over.
void on_killed(World& world, const Due& due);

// ---- the books ----

// A start is over: how long it ran there, and how much of that is kept.
void note_run(World& world, std::size_t job, bool succeeded);
// A machine is lost, and the core knows it: so the runs of the job on others end at once.
void end_runs_elsewhere(World& world, std::size_t job, std::size_t lost_machine);
// All runs of the start are over. What became of the job in the core's eyes: succeeded, waits again, or
// failed for good.
void settle(World& world, std::size_t job, bool succeeded);
// The job runs when the simulation ends.
void note_running(World& world, std::size_t job);

}  // namespace stoker::sim
