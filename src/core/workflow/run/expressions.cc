#include "core/workflow/run/expressions.h"

#include <array>
#include <cmath>

namespace stoker::workflow {
namespace {

// Names of types as the expression texts have them.
std::string_view type_of(const json::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "boolean";
  if (value.is_number()) return "number";
  if (value.is_string()) return "string";
  return value.is_array() ? "array" : "object";
}

}  // namespace

asl::Scope scope_of(const Surroundings& around, const json::Value& dollar) {
  static const json::Value no_context = json::Object();
  static const asl::Variables no_variables;
  asl::Scope scope;
  scope.input = &dollar;
  scope.context = around.context != nullptr ? around.context : &no_context;
  scope.variables = around.variables != nullptr ? around.variables : &no_variables;
  scope.states_input = &around.input.value();
  scope.now = around.now;
  scope.effort = around.effort;
  scope.random = around.random;
  return scope;
}

Evaluated<json::Value> evaluate(const asl::Setting& setting, std::string_view name, const asl::Scope& scope,
                                const json::Value& input, OnMissing missing) {
  if (const auto* literal = std::get_if<json::Value>(&setting)) return *literal;
  if (const auto* intrinsic = std::get_if<asl::Intrinsic>(&setting)) return intrinsic->evaluate(scope);
  if (const auto* expression = std::get_if<jsonata::Expression>(&setting))
    return asl::evaluate_jsonata(*expression, name, scope);
  const auto& path = std::get<asl::Path>(setting);
  auto found = path.read(scope);
  if (found) return *std::move(found);
  if (missing == OnMissing::InvalidPath) return std::unexpected(asl::invalid_path(path, found.error()));
  return std::unexpected(asl::missing_in_field(path.text(), std::string(name) + "Path", input));
}

bool by_jsonata(const asl::Setting& setting) {
  return std::holds_alternative<jsonata::Expression>(setting);
}
std::string_view path_text(const asl::Setting& setting) {
  const auto* path = std::get_if<asl::Path>(&setting);
  return path != nullptr ? path->text() : std::string_view{};
}

Fault unexpected_type(const jsonata::Expression& expression, std::string_view field,
                      std::string_view expected, const json::Value& value) {
  std::string cause = "The JSONata expression '";
  cause += expression.text();
  cause += "' specified for the field '";
  cause += field;
  cause += "' returned an unexpected result type. Expected '";
  cause += expected;
  cause += "', but was '";
  cause += type_of(value);
  cause += "' for value: ";
  json::write(cause, value);
  return {.error = std::string(asl::kQueryEvaluationError),
          .cause = std::move(cause),
          .prefixed = true,
          .location = std::string(field)};
}

Fault wrong_type(const asl::Setting& setting, std::string_view field, std::string_view expected,
                 const json::Value& value) {
  if (const auto* expression = std::get_if<jsonata::Expression>(&setting))
    return unexpected_type(*expression, field, expected, value);
  std::string cause = "The value for the field '";
  cause += field;
  cause += "' must be a ";
  cause += expected;
  cause += " but was: ";
  json::write(cause, value);
  return runtime_fault(std::move(cause));
}

std::optional<std::int64_t> whole_number(const json::Value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64() && value.get_uint64() <= INT64_MAX)
    return static_cast<std::int64_t>(value.get_uint64());
  constexpr double kExact = 9'007'199'254'740'992.0;
  if (value.is_double() && std::fabs(value.get_double()) <= kExact &&
      std::trunc(value.get_double()) == value.get_double())
    return static_cast<std::int64_t>(value.get_double());
  return std::nullopt;
}

Evaluated<void> check_size(const Limits& limits, const Document& document, std::string_view what) {
  if (document.text().size() <= limits.payload_bytes_max) {
    if (document.text().size() <= 2 * limits.payload_depth_max ||
        document.depth() <= limits.payload_depth_max)
      return {};
    return std::unexpected(runtime_fault("The state/task '" + std::string(what) +
                                         "' returned a result that is nested too deeply."));
  }
  return std::unexpected(size_fault(what));
}

Fault size_fault(std::string_view what) {
  return {.error = std::string(asl::kDataLimitExceeded),
          .cause = "The state/task '" + std::string(what) +
                   "' returned a result with a size exceeding the maximum number of bytes service limit.",
          .prefixed = false,
          .location = {}};
}
Fault variables_fault(std::string_view state_name) {
  return {.error = std::string(asl::kDataLimitExceeded),
          .cause = "The state/task '" + std::string(state_name) +
                   "' assigns variables with a size exceeding the maximum number of bytes service limit.",
          .prefixed = false,
          .location = {}};
}

Fault runtime_fault(std::string cause) {
  return {.error = std::string(asl::kRuntime), .cause = std::move(cause), .prefixed = true, .location = {}};
}

}  // namespace stoker::workflow
