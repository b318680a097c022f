#pragma once
// Where a job can run: its environments in order, the best node of the first that has room. A node that is
// kept for an earlier job comes last, and only when that does not make the other wait longer.
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
  Lack lack = 0;               // what is short on those
  Resources free = {};         // on `node`, for this job
  JobNo kept_for = {};         // the rest of what is idle on `node` is kept for this one
  JobNo behind = {};           // there is room on `node`, but it is kept for this job
};

struct PlaceSearch {
  Node* node = nullptr;           // null: no place
  Pool* pool = nullptr;           // of the node
  ShapeNo shape;                  // what was asked for: no more than the share of the job allows
  bool lent = false;              // the node is kept for another job
  std::vector<Finding> findings;  // when there is no place: one an environment
};

// Where nothing has room, a node may be kept for the job from now on.
PlaceSearch find_place(World& world, Kept& kept, const Contender& contender);

// The same for a job that must not start now whatever is free: says so when no machine that is there could
// ever hold it.
std::optional<Hold> find_never(World& world, Kept& kept, const Contender& contender);

// The findings as a reason; `shape` is what was asked for.
Hold describe_findings(const State& state, const Contender& contender, const Shape& shape,
                       const std::vector<Finding>& findings);

}  // namespace stoker::core
