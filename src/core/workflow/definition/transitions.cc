#include "core/workflow/definition/transitions.h"

#include <map>

namespace stoker::asl {
namespace {

constexpr std::string_view kMissingTarget = "MISSING_TRANSITION_TARGET";

void check_reachable(const Graph& graph, const Where& machine, Diagnosis& diagnosis) {
  std::multimap<std::string_view, std::string_view> ways;
  for (const Transition& way : graph.transitions) ways.emplace(way.from, way.to);
  std::set<std::string_view> reached;
  std::vector<std::string_view> waiting{graph.start_at};
  while (!waiting.empty()) {
    const std::string_view state = waiting.back();
    waiting.pop_back();
    if (!graph.states.contains(state) || !reached.insert(state).second) continue;
    const auto [first, last] = ways.equal_range(state);
    for (auto way = first; way != last; ++way) waiting.push_back(way->second);
  }
  for (const std::string& state : graph.states)
    if (!reached.contains(state))
      diagnosis.error(kMissingTarget, "State \"" + state + "\" is not reachable.",
                      machine.member("States").member(state));
}

}  // namespace

void check_targets(const Graph& graph, Diagnosis& diagnosis) {
  const auto check = [&](std::string_view field, const std::string& to, const Where& where) {
    if (!graph.states.contains(to))
      diagnosis.error(kMissingTarget, "Missing '" + std::string(field) + "' target: " + to, where);
  };
  check("StartAt", graph.start_at, graph.start_at_where);
  for (const Transition& way : graph.transitions)
    if (!way.to.empty() || way.field == "Next" || way.field == "Default") check(way.field, way.to, way.where);
}

void check_reach(const Graph& graph, const Where& machine, Diagnosis& diagnosis) {
  check_reachable(graph, machine, diagnosis);
  const bool ends =
      std::ranges::any_of(graph.transitions, [](const Transition& way) { return way.to.empty(); });
  if (!ends) diagnosis.error("MISSING_END_STATE", "Workflow has no terminal state", machine);
}

}  // namespace stoker::asl
