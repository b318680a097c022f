#include "core/workflow/run/program.h"

#include "base/ids.h"
#include "base/rng.h"
#include "core/workflow/run/resource.h"

namespace stoker::workflow {
namespace {

// Notes what everything in one state reads.
class Reader {
 public:
  void see(const asl::Path& path) {
    needs_.context |= path.root() == asl::Path::Root::Context;
    needs_.variables |= path.root() == asl::Path::Root::Variable;
  }
  void see(const jsonata::Expression& expression) {
    for (const std::vector<std::string>& variable : expression.variables()) {
      if (variable.empty()) continue;
      if (variable[0] != "states")
        needs_.variables = true;
      else
        needs_.context |= variable.size() == 1 || variable[1] == "context";
    }
  }
  void see(const asl::Selector& selector) {
    if (selector.path) see(*selector.path);
  }
  void see(const std::optional<asl::Payload>& payload) {
    if (!payload) return;
    payload->visit_paths([&](const asl::Path& path) { see(path); });
    payload->visit_expressions(
        [&](const jsonata::Expression& expression, const asl::Spot&) { see(expression); });
  }
  void see(const std::optional<asl::Setting>& setting) {
    if (!setting) return;
    if (const auto* path = std::get_if<asl::Path>(&*setting)) see(*path);
    if (const auto* expression = std::get_if<jsonata::Expression>(&*setting)) see(*expression);
    if (const auto* intrinsic = std::get_if<asl::Intrinsic>(&*setting))
      for (const asl::Path* path : intrinsic->paths()) see(*path);
  }
  void see(const asl::ChoiceRule& rule) {
    if (const auto* condition = std::get_if<asl::Condition>(&rule.condition))
      condition->visit_paths([&](const asl::Path& path) { see(path); });
    if (const auto* expression = std::get_if<jsonata::Expression>(&rule.condition)) see(*expression);
    see(rule.assign);
    see(rule.output);
  }
  void see(const asl::Map& map) {
    if (map.items_path) see(*map.items_path);
    see(map.items);
    see(map.item_selector);
    see(map.concurrency_max);
    see(map.tolerated_failure_count);
    see(map.tolerated_failure_percentage);
    if (map.reader) {
      see(map.reader->arguments);
      see(map.reader->items_max);
    }
    if (map.batcher) {
      see(map.batcher->items_max);
      see(map.batcher->bytes_max);
      see(map.batcher->batch_input);
    }
    if (map.writer) see(map.writer->arguments);
  }
  void see(const asl::State& state) {
    see(state.input_path);
    see(state.result_path);
    see(state.output_path);
    for (const auto* payload :
         {&state.parameters, &state.result_selector, &state.arguments, &state.output, &state.assign})
      see(*payload);
    for (const asl::Catcher& catcher : state.catchers) {
      see(catcher.result_path);
      see(catcher.assign);
      see(catcher.output);
    }
    if (const auto* wait = std::get_if<asl::Wait>(&state.kind)) {
      see(wait->seconds);
      see(wait->timestamp);
    } else if (const auto* fail = std::get_if<asl::Fail>(&state.kind)) {
      see(fail->error);
      see(fail->cause);
    } else if (const auto* task = std::get_if<asl::Task>(&state.kind)) {
      see(task->timeout_s);
      see(task->heartbeat_s);
      see(task->credentials_role);
    } else if (const auto* choice = std::get_if<asl::Choice>(&state.kind)) {
      for (const asl::ChoiceRule& rule : choice->rules) see(rule);
    } else if (const auto* map = std::get_if<asl::Map>(&state.kind)) {
      see(*map);
    }
  }
  [[nodiscard]] Program::Needs needs() const { return needs_; }

 private:
  Program::Needs needs_{.context = false, .variables = false};
};

// The part of an ARN's resource between its type and its last ':', without a label: the machine's name.
std::string_view machine_of(std::string_view execution_arn) {
  std::string_view rest = arn_field(execution_arn, 5);
  rest.remove_prefix(std::min(rest.size(), rest.find(':') + 1));
  rest = rest.substr(0, rest.find(':'));
  return rest.substr(0, rest.find('/'));
}

std::string arn_like(std::string_view execution_arn, std::string_view resource) {
  std::string arn(execution_arn.substr(0, execution_arn.size() - arn_field(execution_arn, 5).size()));
  arn += resource;
  return arn;
}

}  // namespace

std::shared_ptr<const Program> Program::create(std::shared_ptr<const asl::Definition> definition) {
  return std::shared_ptr<const Program>(new Program(std::move(definition)));
}

Program::Program(std::shared_ptr<const asl::Definition> definition) : definition_(std::move(definition)) {
  std::vector<const asl::Machine*> machines = {definition_->machine.get()};
  while (!machines.empty()) {
    const asl::Machine* machine = machines.back();
    machines.pop_back();
    for (const auto& [name, state] : machine->states) {
      states_.emplace(name, &state);
      Reader reader;
      reader.see(state);
      needs_.emplace(&state, reader.needs());
      if (const auto* parallel = std::get_if<asl::Parallel>(&state.kind))
        for (const auto& branch : parallel->branches) machines.push_back(branch.get());
      if (const auto* map = std::get_if<asl::Map>(&state.kind)) machines.push_back(map->processor.get());
    }
  }
}

const asl::State* Program::find(std::string_view state) const {
  const auto found = states_.find(state);
  return found == states_.end() ? nullptr : found->second;
}

Program::Needs Program::needs(const asl::State& state) const {
  const auto found = needs_.find(&state);
  return found == needs_.end() ? Needs{} : found->second;
}

std::string map_run_arn(std::string_view execution_arn, std::string_view label, std::string_view uuid) {
  return arn_like(execution_arn, "mapRun:" + std::string(machine_of(execution_arn)) + "/" +
                                     std::string(label) + ":" + std::string(uuid));
}
std::string map_child_arn(std::string_view execution_arn, std::string_view label, std::string_view uuid) {
  return arn_like(execution_arn, "execution:" + std::string(machine_of(execution_arn)) + "/" +
                                     std::string(label) + ":" + std::string(uuid));
}
std::string map_machine_arn(std::string_view execution_arn, std::string_view label) {
  return arn_like(execution_arn,
                  "stateMachine:" + std::string(machine_of(execution_arn)) + "/" + std::string(label));
}

std::string map_label(const asl::State& map_state) {
  if (const auto* map = std::get_if<asl::Map>(&map_state.kind); map != nullptr && !map->label.empty())
    return map->label;
  // FNV-1a over the name, stretched: not secret, only stable.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : map_state.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  Rng rng(hash);
  const std::uint64_t high = rng.next();
  return Uuid::from_random(high, rng.next()).str();
}

}  // namespace stoker::workflow
