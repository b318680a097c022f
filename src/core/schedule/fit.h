#pragma once
// Whether a node can take a run now, and if not, for lack of what. The predicate that decides is the one that
// explains.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/node.h"
#include "core/model/shape.h"
#include "core/placement/ask.h"

namespace stoker::core {

struct NodeFit {
  Lack now = 0;   // what is short at the moment; 0: it fits
  Lack ever = 0;  // what even the empty node lacks
  [[nodiscard]] bool fits() const { return now == 0; }
  bool operator==(const NodeFit&) const = default;
};

// What is idle on a node and not held for a job that has a claim on it (Node::hold).
Resources free_for_others(const Node& node);
NodeFit fit_node(const Node& node, const Shape& shape);
// By GPU of the node: whether it could serve a run of the shape, were it idle.
std::vector<bool> gpus_that_serve(const NodeKind& kind, const Shape& shape, const Match& match);
// "1.5" of 1500.
std::string thousandths(std::int64_t milli);
// "2 vCPU, 4096 MiB, 1 GPU"
std::string describe(const Resources& resources);
// "2 vCPU", "2 vCPU, 1.5 GPU"
std::string describe_cpus_and_gpus(const Resources& resources);
// All that a node has, with the models of its GPUs: "8 vCPU, 32000 MiB, 2 GPU (T4)".
std::string describe(const Node& node);
// What is free for a run of the shape, in the terms in which it asks: GPUs that would serve it, the largest
// free part of one, MIG devices of its profile. `free` as free_for_others().
std::string describe_free(const Node& node, const Resources& free, const Shape& shape);
// "; 1 of its 4 GPUs is out of order", where that is so.
std::string describe_out_of_order(const Node& node);
// "2 vCPU, 4096 MiB, 1 GPU of model a100 or h100 with 40000 MiB or more", "…, 3 MIG 1g.10gb"
std::string describe(const Shape& shape);

}  // namespace stoker::core
