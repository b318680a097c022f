#pragma once
// Moving a run to another machine: it is stopped as for another job, with the same grace, but the job that
// gets the room on the other machine is the job itself. So a move is a preemption by itself: it uses no
// attempt, the room is kept by a claim, and a crash at any line loses nothing.
#include <string>

#include "core/action.h"
#include "core/model/shape.h"
#include "core/world.h"

namespace stoker::core {

// For whom a job is moved (fleet-and-node.md 2.4, 7.3). All of these: it runs, is not being stopped, does not
// say stoker:preemptible=false, is no multi-node job, and was not moved fleet::kMovesMax times.
// Off a machine that is to be left, or to be in time: when it can go on where it was stopped.
bool moves_keeping_work(const Job& job);
// So that its machine can go: when it can go on, or says that it may be stopped; not a job with a deadline,
// and not in the first fleet::kMoveRest after a move.
bool moves_to_save(const Job& job, Instant now);

// Stops it and keeps room for it on the machine that placement chooses for `shape` (the job's own, or
// narrower) in the environments of its queue. False, and nothing is done, when there is no room now.
bool move_run(World& world, Job& job, const Shape& shape, const std::string& why, Instant now, Actions& out);

}  // namespace stoker::core
