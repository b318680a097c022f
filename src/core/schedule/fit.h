#pragma once
// Whether a node can take a run now, and if not, for lack of what. The predicate that decides is the one that
// explains.
#include <cstdint>
#include <string>

#include "core/model/resources.h"
#include "core/schedule/waiting.h"

namespace stoker::core {

// A set of the resources a node has.
using Lack = std::uint8_t;
inline constexpr Lack kLackCpu = 1;
inline constexpr Lack kLackMemory = 2;
inline constexpr Lack kLackGpu = 4;
inline constexpr Lack kLackContainers = 8;

struct NodeFit {
  Lack now = 0;   // what is short at the moment; 0: it fits
  Lack ever = 0;  // what even the empty node lacks
  [[nodiscard]] bool fits() const { return now == 0; }
  bool operator==(const NodeFit&) const = default;
};

NodeFit fit_node(const Node& node, const Shape& shape);
// What a shape asks for, as a set.
Lack asks_for(const Shape& shape);
// "2 vCPU, 4096 MiB, 1 GPU"
std::string describe(const Resources& resources);

}  // namespace stoker::core
