#include "core/workflow/definition/characters.h"
#include "core/workflow/definition/state.h"
#include "core/workflow/definition/transitions.h"

namespace stoker::asl {
namespace {

constexpr std::size_t kStateNameCharsMax = 80;

bool check_state_name(std::string_view name, const Where& where, Reading& reading) {
  if (name.empty() || count_characters(name) > kStateNameCharsMax) {
    reading.diagnosis.error("INVALID_STATE_NAME", "State names must have 1 to 80 characters", where);
    return false;
  }
  if (reading.state_names.emplace(name).second) return true;
  reading.diagnosis.error("DUPLICATE_STATE_NAME", "Duplicate State name: " + std::string(name), where);
  return false;
}

}  // namespace

std::shared_ptr<const Machine> read_machine(const Fields& fields, Reading& reading) {
  auto machine = std::make_shared<Machine>();
  machine->start_at = fields.string("StartAt");
  const json::Value* states = fields.get("States");
  if (states == nullptr) return machine;
  if (states->get_object().empty()) {
    reading.diagnosis.schema("Value cannot be empty", fields.at("States"));
    return machine;
  }
  Graph graph{
      .start_at = machine->start_at, .start_at_where = fields.at("StartAt"), .states = {}, .transitions = {}};
  const std::size_t errors_before = reading.diagnosis.errors();
  for (const auto& [key, value] : states->get_object()) {
    const std::string_view name{key.data(), key.size()};
    const Where where = fields.at("States").member(name);
    graph.states.emplace(name);
    if (!check_state_name(name, where, reading)) continue;
    if (auto state = read_state(value, name, where, reading, graph.transitions))
      machine->states.emplace(name, *std::move(state));
  }
  if (!fields.has("StartAt")) return machine;
  check_targets(graph, reading.diagnosis);
  // A state with an error may have ways out that nobody knows.
  if (reading.diagnosis.errors() == errors_before) check_reach(graph, fields.where(), reading.diagnosis);
  return machine;
}

std::shared_ptr<const Machine> read_inner_machine(const Fields& fields, Reading& reading) {
  if (reading.nesting >= kMachineNestingMax) {
    reading.diagnosis.error(
        "TOO_DEEPLY_NESTED",
        "Map and Parallel states can be nested " + std::to_string(kMachineNestingMax) + " levels deep",
        fields.where());
    return nullptr;
  }
  ++reading.nesting;
  auto machine = read_machine(fields, reading);
  --reading.nesting;
  return machine;
}

}  // namespace stoker::asl
