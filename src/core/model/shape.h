#pragma once
// What a run needs of a node. Jobs that ask for the same thing share one shape: what does not fit for one of
// them fits for none.
#include <string>
#include <vector>

#include "core/model/gpu.h"
#include "core/model/types.h"
#include "core/model/wishes.h"

namespace stoker::core {

struct Shape {
  Resources resources = {};
  GpuNeed gpu = {};
  std::vector<ConsumableNeed> consumables = {};  // sorted by resource
  std::string image = {};                        // of its container; "": a plain process of the node
  std::vector<std::string> instance_types = {};  // one of them; empty: any machine
  SpotUse spot = SpotUse::First;                 // Only, Never: on spot machines alone, or on none
  // Multi-node jobs: the shape of each node, at most that far apart; the above is what they need together.
  std::vector<ShapeNo> gang = {};
  Nearness nearness = Nearness::Any;
  [[nodiscard]] bool is_gang() const { return !gang.empty(); }
  [[nodiscard]] bool container() const { return !image.empty(); }
  auto operator<=>(const Shape&) const = default;
};

}  // namespace stoker::core
