// Raw input to effective input.
#include "core/workflow/run/expressions.h"

namespace stoker::workflow {
namespace {

// A path, or null for nothing, or absent for all (2.3).
Evaluated<Document> select(const asl::Selector& selector, const Document& from, const Surroundings& around) {
  if (selector.nothing) return Document(json::Value(json::Object()));
  if (!selector.path) return from;
  auto found = selector.path->read(scope_of(around, from.value()));
  if (!found) return std::unexpected(asl::invalid_path(*selector.path, found.error()));
  return Document(*std::move(found));
}

}  // namespace

Evaluated<Document> filtered_input(const Surroundings& around) {
  // InputPath: null selects {}, absent selects all.
  auto filtered = select(around.state.input_path, around.input, around);
  if (filtered && around.trace != nullptr) around.trace->after_input_path = *filtered;
  return filtered;
}

Evaluated<Document> selected_output(const Surroundings& around, const Document& merged) {
  return select(around.state.output_path, merged, around);
}

Evaluated<Document> effective_input(const Surroundings& around) {
  const asl::State& state = around.state;
  if (state.language == asl::Language::Jsonata) {
    // Arguments, or the input as it is (2.8).
    if (!state.arguments) return around.input;
    auto value = state.arguments->evaluate("Arguments", scope_of(around, around.input.value()));
    if (!value) return std::unexpected(std::move(value).error());
    Document arguments(*std::move(value));
    if (around.trace != nullptr) around.trace->after_arguments = arguments;
    return arguments;
  }
  // Step 1: InputPath.
  auto filtered = filtered_input(around);
  if (!filtered) return filtered;
  // Step 2: Parameters, or what is there. A Map's old Parameters are its ItemSelector.
  Document effective = *std::move(filtered);
  if (state.parameters) {
    auto value = state.parameters->evaluate("Parameters", scope_of(around, effective.value()));
    if (!value) return std::unexpected(std::move(value).error());
    effective = Document(*std::move(value));
  }
  if (around.trace != nullptr) around.trace->after_parameters = effective;
  return effective;
}

}  // namespace stoker::workflow
