// Result to output and variables, on the usual way out and on that of a catcher.
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/flow_parts.h"

namespace stoker::workflow {
namespace {

// ResultPath: null throws the result away, absent and "$" replace, else into a copy of the raw input.
Evaluated<Document> merge(const asl::Selector& result_path, const Document& raw, const Document& result) {
  if (result_path.nothing) return raw;
  if (!result_path.path || result_path.path->text() == "$") return result;
  json::Value merged = raw.value();
  if (auto put = asl::put_at(merged, *result_path.path, result.value()); !put)
    return std::unexpected(std::move(put).error());
  return Document(std::move(merged));
}

// Error output: Error, then Cause. RECORDED: what the sender of a failure left out is null, while a time-out
// has an empty cause.
Document error_output(const Raised& raised) {
  const bool timeout = raised.error == asl::kTimeout || raised.error == asl::kHeartbeatTimeout;
  json::Object output;
  output["Error"] = raised.error_given ? json::Value(raised.error) : json::Value(nullptr);
  if (raised.cause)
    output["Cause"] = *raised.cause;
  else
    output["Cause"] = timeout ? json::Value("") : json::Value(nullptr);
  return Document(json::Value(std::move(output)));
}

Evaluated<Leaving> leave_json_path(const Surroundings& around, const Document& result) {
  const asl::State& state = around.state;
  Leaving leaving{.output = {}, .assigned = {}, .next = state.next};
  // Step 1: ResultSelector sees the result.
  Document selected = result;
  if (state.result_selector) {
    auto value = state.result_selector->evaluate("ResultSelector", scope_of(around, result.value()));
    if (!value) return std::unexpected(std::move(value).error());
    selected = Document(*std::move(value));
  }
  if (around.trace != nullptr && has_result(state)) around.trace->after_result_selector = selected;
  // Step 2: ResultPath, into the raw input.
  Document merged = selected;
  if (has_result(state)) {
    auto put = merge(state.result_path, around.input, selected);
    if (!put) return std::unexpected(std::move(put).error());
    merged = *std::move(put);
    if (around.trace != nullptr) around.trace->after_result_path = merged;
  }
  // Step 3: OutputPath.
  auto output = selected_output(around, merged);
  if (!output) return std::unexpected(std::move(output).error());
  leaving.output = *std::move(output);
  // Beside it: Assign, where `$` is the (selected) result.
  if (state.assign) {
    auto assigned =
        assign(state.assign, "Assign", scope_of(around, selected.value()), *around.limits, state.name);
    if (!assigned) return std::unexpected(std::move(assigned).error());
    leaving.assigned = *std::move(assigned);
  }
  return leaving;
}

Evaluated<Leaving> leave_jsonata(const Surroundings& around, const Document& result) {
  const asl::State& state = around.state;
  Leaving leaving{.output = has_result(state) ? result : around.input, .assigned = {}, .next = state.next};
  asl::Scope scope = scope_of(around, around.input.value());
  if (has_result(state)) scope.states_result = &result.value();
  if (state.assign) {
    auto assigned = assign(state.assign, "Assign", scope, *around.limits, state.name);
    if (!assigned) return std::unexpected(std::move(assigned).error());
    leaving.assigned = *std::move(assigned);
  }
  if (state.output) {
    auto value = state.output->evaluate("Output", scope);
    if (!value) return std::unexpected(std::move(value).error());
    leaving.output = Document(*std::move(value));
  }
  return leaving;
}

}  // namespace

bool has_result(const asl::State& state) {
  if (std::holds_alternative<asl::Pass>(state.kind)) return state.language == asl::Language::JsonPath;
  return std::holds_alternative<asl::Task>(state.kind) || std::holds_alternative<asl::Parallel>(state.kind) ||
         std::holds_alternative<asl::Map>(state.kind);
}

Evaluated<Assigned> assign(const std::optional<asl::Payload>& payload, std::string_view field,
                           const asl::Scope& scope, const Limits& limits, std::string_view state) {
  Assigned assigned;
  if (!payload) return assigned;
  auto values = payload->evaluate(field, scope);
  if (!values) return std::unexpected(std::move(values).error());
  // The reader lets nothing but an object pass; 256 KiB holds for each variable and for all of one Assign.
  std::size_t bytes = 0;
  if (!values->is_object()) return assigned;
  for (auto& [name, value] : values->get_object()) {
    Document document(std::move(value));
    bytes += document.text().size();
    if (bytes > limits.payload_bytes_max || document.depth() > limits.payload_depth_max)
      return std::unexpected(variables_fault(state));
    assigned.emplace_back(name, std::move(document));
  }
  return assigned;
}

Evaluated<Leaving> leave(const Surroundings& around, const Document& result) {
  if (around.trace != nullptr && has_result(around.state)) around.trace->result = result;
  auto leaving = around.state.language == asl::Language::Jsonata ? leave_jsonata(around, result)
                                                                 : leave_json_path(around, result);
  if (!leaving) return leaving;
  if (auto fits = check_size(*around.limits, leaving->output, around.state.name); !fits)
    return std::unexpected(std::move(fits).error());
  return leaving;
}

Evaluated<Leaving> leave_by_catcher(const Surroundings& around, std::size_t index, const Raised& raised) {
  const asl::State& state = around.state;
  const asl::Catcher& catcher = state.catchers.at(index);
  const Document error = error_output(raised);
  const std::string field = "Catch[" + std::to_string(index) + "]/";
  Leaving leaving{.output = error, .assigned = {}, .next = catcher.next};
  asl::Scope scope = scope_of(around, error.value());
  scope.states_error_output = &error.value();
  if (catcher.assign) {
    auto assigned = assign(catcher.assign, field + "Assign", scope, *around.limits, state.name);
    if (!assigned) return std::unexpected(std::move(assigned).error());
    leaving.assigned = *std::move(assigned);
  }
  if (state.language == asl::Language::Jsonata) {
    if (catcher.output) {
      auto value = catcher.output->evaluate(field + "Output", scope);
      if (!value) return std::unexpected(std::move(value).error());
      leaving.output = Document(*std::move(value));
    }
  } else {
    auto merged = merge(catcher.result_path, around.input, error);
    if (!merged) return std::unexpected(std::move(merged).error());
    leaving.output = *std::move(merged);
  }
  if (auto fits = check_size(*around.limits, leaving.output, state.name); !fits)
    return std::unexpected(std::move(fits).error());
  return leaving;
}

Raised raise(const Fault& fault, std::string_view state, std::uint64_t entered_event) {
  Raised raised{.error = fault.error, .cause = {}, .error_given = true};
  std::string cause;
  if (fault.prefixed)
    cause = "An error occurred while executing the state '" + std::string(state) +
            "' (entered at the event id #" + std::to_string(entered_event) + "). ";
  cause += fault.cause;
  raised.cause = std::move(cause);
  return raised;
}

}  // namespace stoker::workflow
