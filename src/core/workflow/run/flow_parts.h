#pragma once
// Steps that several kinds of state share.
#include "core/workflow/run/flow.h"

namespace stoker::workflow {

Evaluated<Document> filtered_input(const Surroundings& around);                           // InputPath
Evaluated<Document> selected_output(const Surroundings& around, const Document& merged);  // OutputPath

// Assign, evaluated in a scope whose variables are still the old ones.
Evaluated<Assigned> assign(const std::optional<asl::Payload>& payload, std::string_view field,
                           const asl::Scope& scope, const Limits& limits, std::string_view state);

// Whether a kind of state has a result of its own: Task, Parallel, Map and, in JSONPath mode, Pass.
bool has_result(const asl::State& state);

}  // namespace stoker::workflow
