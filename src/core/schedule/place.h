#pragma once
// Where a job can run: its environments in order, the best node of the first that has room. What is kept for
// earlier jobs counts as taken.
#include <vector>

#include "core/model/node.h"
#include "core/schedule/gate.h"
#include "core/schedule/kept.h"

namespace stoker::core {

// What was found out about one environment that has no place.
struct Finding {
  const ComputeEnvironment* environment = nullptr;
  bool nodes = false;          // some are connected; always false when the environment is DISABLED
  bool could_hold = false;     // some could hold the job when empty
  const Node* node = nullptr;  // one of those, for an example
  Lack lack = 0;               // what is short on those; 0: there is room, but
  Kept::Block kept = {};       // it is kept for an earlier job
};

struct PlaceSearch {
  Node* node = nullptr;           // null: no place
  Pool* pool = nullptr;           // of the node
  std::vector<Finding> findings;  // when there is none: one an environment
};

// What the job is short of in each environment is kept for it.
PlaceSearch find_place(World& world, Kept& kept, const Contender& contender);

// The findings as a reason.
Hold describe_findings(const State& state, const Contender& contender, const std::vector<Finding>& findings);

}  // namespace stoker::core
