#pragma once
// The graph of one machine: every target exists, every state can be reached, and there is an end.
#include <set>
#include <string>
#include <vector>

#include "core/workflow/definition/reading.h"

namespace stoker::asl {

struct Graph {
  std::string start_at;
  Where start_at_where;
  std::set<std::string, std::less<>> states;  // also those that could not be read
  std::vector<Transition> transitions;
};

void check_targets(const Graph& graph, Diagnosis& diagnosis);
// Needs targets that exist. `machine` is the place of the object that has StartAt and States.
void check_reach(const Graph& graph, const Where& machine, Diagnosis& diagnosis);

}  // namespace stoker::asl
