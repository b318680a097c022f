#pragma once
// The runnable jobs of a queue by shape. Jobs that ask for the same thing share one shape: what does not fit
// for one of them fits for none, so a pass costs by shapes and placements, not by waiting jobs.
#include <map>
#include <string>
#include <vector>

#include "core/job/job_set.h"
#include "core/model/shape.h"
#include "core/model/types.h"

namespace stoker::core {

// Why nothing of a shape could be placed, in the terms of the rule that said no.
enum class WaitKind : std::uint8_t {
  None,         // not tried yet
  Resources,    // a node could hold it, but is too full now
  Consumables,  // units of a consumable resource are taken
  Order,        // it would fit, but an earlier job waits for the same resource
  NeverFits,    // larger than every node of its environments
  NoNodes,      // its environments have no connected node
  Disabled,     // no environment of the queue is enabled
};
struct WaitReason {
  WaitKind kind = WaitKind::None;
  std::string text;  // one sentence for a person
  Instant since;     // when this kind of reason began
  bool operator==(const WaitReason&) const = default;
};

struct WaitingShape {
  JobSet jobs;
  WaitReason reason;  // of the last pass that tried it
};
using WaitingJobs = std::map<ShapeNo, WaitingShape>;

}  // namespace stoker::core
