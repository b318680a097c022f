#include "core/workflow/data/jsonata_field.h"

#include <cmath>

#include "base/text.h"
#include "core/workflow/data/payload.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

// JSON has no such numbers, AWS writes them as texts.
void spell_out_infinities(json::Value& value) {
  if (value.is_double() && !std::isfinite(value.get_double())) {
    const double number = value.get_double();
    value = std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  } else if (value.is_array()) {
    for (json::Value& item : value.get_array()) spell_out_infinities(item);
  } else if (value.is_object()) {
    for (auto& member : value.get_object()) spell_out_infinities(member.value());
  }
}

Fault fault_of(const jsonata::Expression& expression, const Spot& spot, std::string_view what) {
  const std::string field = spot.text();
  std::string cause = "The JSONata expression '";
  cause.append(trim(expression.text())).append("' specified for the field '").append(field);
  cause.append("' ").append(what);
  return query_fault(cause, field);
}

}  // namespace

bool is_jsonata(std::string_view text) {
  constexpr std::size_t kMarks = 4;
  return text.size() >= kMarks && text.starts_with("{%") && text.ends_with("%}");
}

std::string_view jsonata_source(std::string_view text) {
  return trim(text.substr(2, text.size() - 4));
}

JsonataWorld::JsonataWorld(const Scope& scope) {
  static const jsonata::Bindings no_variables;
  bindings_ = scope.variables != nullptr ? scope.variables : &no_variables;
  environment_.now = scope.now;
  environment_.random = scope.random;
  environment_.steps_spent = scope.effort;
  environment_.composed.push_back({"states",
                                   {{"input", scope.states_input},
                                    {"result", scope.states_result},
                                    {"errorOutput", scope.states_error_output},
                                    {"context", scope.context}}});
}

Evaluated<json::Value> JsonataWorld::evaluate(const jsonata::Expression& expression, const Spot& field) {
  if (environment_.steps_spent != nullptr)
    environment_.limits.steps =
        std::min(jsonata::Limits().steps, kEffortMax - std::min(kEffortMax, *environment_.steps_spent));
  auto outcome = expression.evaluate(nullptr, *bindings_, environment_);
  if (!outcome) {
    const jsonata::Error& error = outcome.error();
    return std::unexpected(fault_of(
        expression, field, "threw an error during evaluation. " + error.code + ": " + error.message));
  }
  if (std::holds_alternative<jsonata::Undefined>(*outcome))
    return std::unexpected(fault_of(expression, field, "returned nothing (undefined)."));
  if (std::holds_alternative<jsonata::Function>(*outcome))
    return std::unexpected(fault_of(expression, field, "returned an unsupported result type."));
  json::Value& value = std::get<json::Value>(*outcome);
  if (deeper_than(value, kValueDepthMax))
    return std::unexpected(fault_of(expression, field, "returned a value that nests too deeply."));
  spell_out_infinities(value);
  return std::move(value);
}

Evaluated<json::Value> evaluate_jsonata(const jsonata::Expression& expression, std::string_view field,
                                        const Scope& scope) {
  return JsonataWorld(scope).evaluate(expression, Spot(field));
}

}  // namespace stoker::asl
