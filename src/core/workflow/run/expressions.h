#pragma once
// What the files of flow.h share: scopes, settings and their types.
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "core/workflow/run/flow.h"

namespace stoker::workflow {

// `dollar` is `$` in JSONPath mode. `$states` has the input and the context, and what the caller adds.
asl::Scope scope_of(const Surroundings& around, const json::Value& dollar);

// A field that is literal or computed. `name` is the field without "Path"; faults of paths name the twin.
// A path that finds nothing is `missing`.
enum class OnMissing : std::uint8_t { InvalidPath, MissingInField };
Evaluated<json::Value> evaluate(const asl::Setting& setting, std::string_view name, const asl::Scope& scope,
                                const json::Value& input, OnMissing missing = OnMissing::InvalidPath);
// Whether an expression of JSONata computes it, which has its own texts for wrong types.
bool by_jsonata(const asl::Setting& setting);
// The path of a setting, "$.n"; "" for other kinds.
std::string_view path_text(const asl::Setting& setting);

// "The JSONata expression 'E' specified for the field 'F' returned an unexpected result type. Expected
// 'array', but was 'string' for value: "x""
Fault unexpected_type(const jsonata::Expression& expression, std::string_view field,
                      std::string_view expected, const json::Value& value);
// The same for a setting that is an expression; for others a plain text of States.Runtime.
Fault wrong_type(const asl::Setting& setting, std::string_view field, std::string_view expected,
                 const json::Value& value);

// A whole number, also written 3.0; nothing for anything else.
std::optional<std::int64_t> whole_number(const json::Value& value);

// States.DataLimitExceeded when `document` is too large; `what` is the name of the state or the resource.
Evaluated<void> check_size(const Limits& limits, const Document& document, std::string_view what);

Fault runtime_fault(std::string cause);
Fault size_fault(std::string_view what);             // "... returned a result with a size exceeding ..."
Fault variables_fault(std::string_view state_name);  // the same of what it assigns

}  // namespace stoker::workflow
