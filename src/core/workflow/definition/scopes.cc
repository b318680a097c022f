#include "core/workflow/definition/scopes.h"

#include <functional>
#include <map>

namespace stoker::asl {
namespace {

// The variables that a machine assigns, each by one of its states or, null, by several; and those around it.
struct Scope {
  const Scope* outer = nullptr;
  const json::Value* holder = nullptr;  // the state of the outer machine that has this one inside
  std::map<std::string_view, const json::Value*> assigned_by{};
};

// RECORDED: what only the Map or Parallel around it assigns does not count: it does so when this is over.
bool is_outer(const Scope& scope, std::string_view name) {
  for (const Scope* inner = &scope; inner->outer != nullptr; inner = inner->outer) {
    const auto found = inner->outer->assigned_by.find(name);
    if (found != inner->outer->assigned_by.end() && found->second != inner->holder) return true;
  }
  return false;
}

// Calls `use` with the name and place of every variable that a state assigns.
void for_each_assigned(const json::Value& state, const Where& where,
                       const std::function<void(std::string_view, const Where&)>& use) {
  const auto in = [&](const json::Value& holder, const Where& place) {
    for (const auto& [key, value] : json::get_object(holder, "Assign")) {
      std::string_view name{key.data(), key.size()};
      if (name.ends_with(".$")) name.remove_suffix(2);
      use(name, place.member("Assign"));
    }
  };
  in(state, where);
  for (const std::string_view list : {"Catch", "Choices"}) {
    const json::Array& holders = json::get_array(state, list);
    for (std::size_t i = 0; i < holders.size(); ++i) in(holders[i], where.member(list).item(i));
  }
}

class Walk {
 public:
  explicit Walk(Diagnosis& diagnosis) : diagnosis_(diagnosis) {}

  // Nesting of machines is bounded by the reader.
  void machine(const json::Value& machine, const Where& where, const Scope* outer,
               const json::Value* holder) {
    Scope scope{.outer = outer, .holder = holder};
    const json::Object& states = json::get_object(machine, "States");
    for (const auto& [key, state] : states) {
      const Where place = where.member("States").member({key.data(), key.size()});
      for_each_assigned(state, place, [&](std::string_view name, const Where& at) {
        if (is_outer(scope, name))
          diagnosis_.schema("The variable '" + std::string(name) + "' is assigned in an outer scope already",
                            at);
        const auto [entry, first] = scope.assigned_by.emplace(name, &state);
        if (!first && entry->second != &state) entry->second = nullptr;
      });
    }
    for (const auto& [key, state] : states)
      inner_machines(state, where.member("States").member({key.data(), key.size()}), scope);
  }

 private:
  void inner_machines(const json::Value& state, const Where& where, const Scope& scope) {
    const json::Array& branches = json::get_array(state, "Branches");
    for (std::size_t i = 0; i < branches.size(); ++i)
      machine(branches[i], where.member("Branches").item(i), &scope, &state);
    for (const std::string_view name : {"ItemProcessor", "Iterator"}) {
      const json::Value* processor = json::find(state, name);
      if (processor == nullptr) continue;
      const json::Value* config = json::find(*processor, "ProcessorConfig");
      const bool distributed = config != nullptr && json::get_string(*config, "Mode") == "DISTRIBUTED";
      machine(*processor, where.member(name), distributed ? nullptr : &scope, &state);
    }
  }

  Diagnosis& diagnosis_;
};

}  // namespace

void check_scopes(const json::Value& document, Diagnosis& diagnosis) {
  Walk(diagnosis).machine(document, Where(), nullptr, nullptr);
}

}  // namespace stoker::asl
