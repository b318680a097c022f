#pragma once
// Claims: jobs for which others are being stopped. A claim ends when its job starts, ends, or cannot use the
// room after all; until then nobody else gets what becomes free on the node, and nobody is stopped for that
// job again. Claims are no records: they follow from the attempts that are being stopped.
#include "core/world.h"

namespace stoker::core {

void make_claim(World& world, const Job& job, const std::string& node, const std::vector<JobNo>& victims);
// Nothing when there is none.
void drop_claim(World& world, JobNo job);
// The node is gone.
void drop_claims_on(World& world, const std::string& node);
// The attempt of the victim is over.
void note_victim_ended(World& world, const Job& victim);
// After loading: from the attempts that are being stopped.
void restore_claims(World& world);

// The job's active attempt is being stopped for another job.
bool is_preempted(const Job& job);
// So that it goes on elsewhere (move.h).
bool is_moving(const Job& job);
// How many of its attempts were ended for other jobs: they do not count as attempts. Moves are none of them.
int preemptions(const Job& job);

}  // namespace stoker::core
