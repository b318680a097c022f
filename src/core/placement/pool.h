#pragma once
// The nodes among which a place for a run is looked for: those of one compute environment, or of a simulated
// cluster. Nodes that are alike (room.h) are scored once, and for each shape only what changed since it was
// last asked about is scored again: choosing costs by changes, not by nodes.
#include <memory>
#include <string>
#include <vector>

#include "core/model/node.h"
#include "core/model/shape.h"
#include "core/placement/ask.h"
#include "core/placement/policy.h"
#include "core/placement/workload.h"

namespace stoker::core {

class Pool {
 public:
  // `seed`: for policies that decide by chance.
  explicit Pool(PolicyName policy, std::uint64_t seed = 1);
  Pool(Pool&&) noexcept;
  Pool& operator=(Pool&&) noexcept;
  ~Pool();

  // The node is new, or something about it changed. The pool keeps its address until remove(). Only open
  // nodes are chosen; one that comes back keeps its place in the order.
  void put(Node& node);
  // Its runs, and nothing else about it, changed.
  void update(Node& node);
  // Its images, and nothing else about it, changed.
  void note_images(Node& node);
  void remove(Node& node);

  // Not chosen until it is taken back; everything else about it may change meanwhile.
  void set_aside(Node& node);
  void take_back(Node& node);

  [[nodiscard]] bool empty() const;
  // The best node for one more run of the shape; null when it fits nowhere. `no` is the shape's number for
  // ever.
  Node* choose(ShapeNo no, const Shape& shape);
  // The devices it gets there.
  std::vector<std::string> devices(const Node& node, ShapeNo no, const Shape& shape);
  // Why it fits on no node: what all nodes that could hold it are short of, taken together.
  struct Shortage {
    Lack lack = 0;
    bool could_hold = false;     // some connected node could hold it when empty
    const Node* node = nullptr;  // one of those, for an example
  };
  Shortage shortage(ShapeNo no, const Shape& shape);

  // Connected nodes that could hold it when empty, the earliest known first; at most so many.
  std::vector<Node*> could_hold(ShapeNo no, const Shape& shape, std::size_t most);

  // What is usually asked for, for policies that weigh fragments. Everything is scored anew after it.
  void set_workload(Workload workload);
  // Nodes came or went since set_workload(), so many that it should be told again: it also looks at how many
  // GPUs of each model there are.
  [[nodiscard]] bool has_outgrown_workload() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stoker::core
