#pragma once
// The environment variables of a run (AWS Batch User Guide, job environment variables).
#include <string>
#include <utility>
#include <vector>

#include "core/world.h"

namespace stoker::core {

// The spec's own, then AWS_BATCH_*, which cannot be overridden. Nodes of multi-node jobs have besides what
// distributed programs look for (docs/multi-node-jobs.md), which can.
std::vector<std::pair<std::string, std::string>> run_environment(const World& world, const Job& job);

}  // namespace stoker::core
