#pragma once
// Claims: jobs for which others are being stopped. A claim ends when its job starts, ends, or cannot use the
// room after all; until then nobody else gets what becomes free on the node, and nobody is stopped for that
// job again. Claims are no records: they follow from the attempts that are being stopped, and from those
// after which a job that was moved waits to go on.
//
// The machine to which a job is moved may be away when the job could start there: after a restart its agent
// has not said hello yet, or its connection broke. Then the claim waits for it, for a while, and the job may
// start elsewhere meanwhile.
#include "core/world.h"

namespace stoker::core {

inline constexpr Duration kAwaitedMost = minutes(10);

// `victims`: runs that are being stopped, for it or for another reason, and on whose end it counts.
void make_claim(World& world, const Job& job, const std::string& node, const std::set<JobNo>& victims);
// Those that are still being stopped for the job are stopped for nobody any more, after a restart as well.
// Nothing when there is none.
void drop_claim(World& world, JobNo job);
// The node is gone.
void drop_claims_on(World& world, const std::string& node);
// The node has said hello: it keeps the room for which there is a claim.
void hold_for_claim(World& world, Node& node);
// The job of the claim waits after a move, and the machine is away.
bool is_awaited(const State& state, JobNo job, const Claim& claim);
// The attempt of the run is over.
void note_run_ended(World& world, const Job& run);
// After loading: from the attempts that are being stopped.
void restore_claims(World& world);

// The job's active attempt is being stopped for another job.
bool is_preempted(const Job& job);
// For one that still waits for it, and that is not `job`.
bool makes_room_for_another(const State& state, const Job& run, JobNo job);
// So that it goes on elsewhere (move.h).
bool is_moving(const Job& job);
// How many of its attempts were ended for other jobs: they do not count as attempts. Moves are none of them.
int preemptions(const Job& job);

}  // namespace stoker::core
