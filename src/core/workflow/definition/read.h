#pragma once
// Reads a definition and finds everything that is wrong with it, in the codes and words of
// ValidateStateMachineDefinition.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/definition/definition.h"

namespace stoker::asl {

struct Diagnostic {
  bool warning = false;
  std::string code;  // SCHEMA_VALIDATION_FAILED, ...
  std::string message;
  std::string location;  // "/States/X/Type"; "" = none
  bool operator==(const Diagnostic&) const = default;
};

struct ReadDefinition {
  std::shared_ptr<const Definition> definition;  // null when there is an error
  std::vector<Diagnostic> diagnostics;           // errors and warnings, in the order of the document
};

// Definitions larger or deeper than AWS takes are refused before they are parsed.
inline constexpr std::size_t kDefinitionBytesMax = 1'048'576;
inline constexpr std::size_t kDefinitionDepthMax = 256;  // of JSON

ReadDefinition read_definition(std::string_view text, bool express = false);

// One state without its machine, as TestState takes it: the states it names need not exist, and it needs
// neither Next nor End. Locations are below "/States/NAME".
struct ReadState {
  std::shared_ptr<const State> state;  // null when there is an error
  std::vector<Diagnostic> diagnostics;
};
ReadState read_lone_state(std::string_view text, std::string_view name);

// "Invalid State Machine Definition: 'CODE: message at /location'", as CreateStateMachine says it.
std::string invalid_definition_message(const std::vector<Diagnostic>& diagnostics);

}  // namespace stoker::asl
