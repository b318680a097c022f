#include "core/workflow/definition/variable_references.h"

#include <set>

namespace stoker::asl {
namespace {

// Walks all fields of one state that read something.
class Collector {
 public:
  void state(const State& state) {
    selector(state.input_path);
    selector(state.output_path);
    for (const auto* field :
         {&state.parameters, &state.result_selector, &state.arguments, &state.output, &state.assign})
      payload(*field);
    for (const Catcher& catcher : state.catchers) {
      payload(catcher.assign);
      payload(catcher.output);
    }
    std::visit([&](const auto& kind) { this->kind(kind); }, state.kind);
  }

  std::vector<std::string> take() && { return {names_.begin(), names_.end()}; }

 private:
  void kind(const Pass&) {}
  void kind(const Succeed&) {}
  void kind(const Parallel&) {}
  void kind(const Wait& wait) {
    setting(wait.seconds);
    setting(wait.timestamp);
  }
  void kind(const Fail& fail) {
    setting(fail.error);
    setting(fail.cause);
  }
  void kind(const Task& task) {
    setting(task.timeout_s);
    setting(task.heartbeat_s);
    setting(task.credentials_role);
  }
  void kind(const Choice& choice) {
    for (const ChoiceRule& rule : choice.rules) {
      if (const auto* condition = std::get_if<Condition>(&rule.condition))
        condition->visit_paths([&](const Path& found) { path(found); });
      if (const auto* condition = std::get_if<jsonata::Expression>(&rule.condition)) expression(*condition);
      payload(rule.assign);
      payload(rule.output);
    }
  }
  void kind(const Map& map) {
    if (map.items_path) path(*map.items_path);
    payload(map.items);
    payload(map.item_selector);
    setting(map.concurrency_max);
    setting(map.tolerated_failure_count);
    setting(map.tolerated_failure_percentage);
    if (map.reader) {
      payload(map.reader->arguments);
      setting(map.reader->items_max);
    }
    if (map.batcher) {
      setting(map.batcher->items_max);
      setting(map.batcher->bytes_max);
      payload(map.batcher->batch_input);
    }
    if (map.writer) payload(map.writer->arguments);
  }

  void path(const Path& path) {
    if (path.root() == Path::Root::Variable) names_.emplace(path.variable());
  }
  void selector(const Selector& selector) {
    if (selector.path) path(*selector.path);
  }
  void expression(const jsonata::Expression& expression) {
    for (const std::vector<std::string>& variable : expression.variables())
      if (variable[0] != "states") names_.insert(variable[0]);
  }
  void payload(const std::optional<Payload>& payload) {
    if (!payload) return;
    payload->visit_paths([&](const Path& found) { path(found); });
    payload->visit_expressions([&](const jsonata::Expression& found, const Spot&) { expression(found); });
  }
  void setting(const std::optional<Setting>& setting) {
    if (!setting) return;
    if (const auto* found = std::get_if<Path>(&*setting)) path(*found);
    if (const auto* found = std::get_if<jsonata::Expression>(&*setting)) expression(*found);
    if (const auto* intrinsic = std::get_if<Intrinsic>(&*setting))
      for (const Path* found : intrinsic->paths()) path(*found);
  }

  std::set<std::string> names_;
};

}  // namespace

std::map<std::string, std::vector<std::string>> variable_references(const Definition& definition) {
  std::map<std::string, std::vector<std::string>> references;
  std::vector<const Machine*> waiting{definition.machine.get()};
  while (!waiting.empty()) {
    const Machine& machine = *waiting.back();
    waiting.pop_back();
    for (const auto& [name, state] : machine.states) {
      Collector collector;
      collector.state(state);
      std::vector<std::string> names = std::move(collector).take();
      if (!names.empty()) references.emplace(name, std::move(names));
      if (const auto* map = std::get_if<Map>(&state.kind)) waiting.push_back(map->processor.get());
      if (const auto* parallel = std::get_if<Parallel>(&state.kind))
        for (const auto& branch : parallel->branches) waiting.push_back(branch.get());
    }
  }
  return references;
}

}  // namespace stoker::asl
