#pragma once
// Multi-node jobs: what their nodes are, and how their attempts begin and end together (aws-batch.md 4.8,
// fleet-and-node.md 6.4, docs/decisions/064). All nodes start in one turn or none. The main node decides how
// the job ends, and so does another node that fails or loses its machine before that; a node that ends well
// just ends. Then the others are told to end, and when the last one has, the job has ended or waits again.
#include <memory>

#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

// The nodes of a new or loaded multi-node job, as it is.
std::unique_ptr<ArrayState> make_nodes(World& world, const Job& gang);
// The job has another spec, or another queue: so have its nodes.
void update_nodes(World& world, Job& gang);

// Tells all nodes that run to end. Once is enough.
void stop_nodes(World& world, Job& gang, Actions& out);

// The program of a node has started: the job runs with its main node.
void note_node_started(World& world, const Job& node);

// How a node's run ended, by itself or because it was told to.
struct NodeEnd {
  const Attempt& attempt;  // of the node, complete
  bool succeeded = false;  // exit code 0
};
// Notes at the job what the end of a run means for it, if it decides anything, and stops the others then.
// True: no node runs any more, so that the job goes on.
bool note_node_ended(World& world, Job& gang, const Job& node, const NodeEnd& end, Actions& out);

// It is known how the attempt ended, though some nodes may not have ended yet.
bool is_decided(const Job& gang);

}  // namespace stoker::core
