#pragma once
// Which GPUs of a node a run gets, and who holds them.
#include <string>
#include <vector>

#include "base/rng.h"
#include "core/model/node.h"
#include "core/model/shape.h"
#include "core/placement/policy.h"

namespace stoker::core {

// The devices for a run on a node where it fits, as Attempt::gpus names them: UUIDs of whole GPUs or of the
// one that is shared, or names of MIG devices. Of whole GPUs the set whose members are nearest each other
// (best_set()); shares as the policy says, by chance where it decides by chance.
std::vector<std::string> choose_devices(const Node& node, const Candidate& candidate, const Policy& policy,
                                        Rng& rng);

// `count` of the usable GPUs: most pairs joined by NVLink, then on one NUMA node; then the set that leaves
// the others most joined; then the lowest. Where nothing is known of the seats: the lowest. Indexes,
// ascending.
std::vector<std::size_t> best_set(const std::vector<GpuSeat>& seats, const std::vector<std::size_t>& usable,
                                  std::size_t count);

// The run takes what it asks for and its devices from the node. A MIG device that does not exist yet is made:
// an idle GPU of mode Dynamic is partitioned for it. Devices that the node does not have (any more) are
// passed over.
void take(Node& node, JobNo job, const Resources& amounts, const std::vector<std::string>& devices);
// What part of a GPU's memory the MIG devices of a run are together, in thousandths.
std::int64_t mig_memory_milli(const Node& node, JobNo job);
// A node that connects tells the MIG devices that exist, not those that were planned beside them: on GPUs of
// mode Dynamic of which runs hold devices the rest is planned anew, first as more of what they hold.
void fill_layouts(Node& node);
// Gives them back.
void give_back(Node& node, JobNo job, const Resources& amounts);

}  // namespace stoker::core
