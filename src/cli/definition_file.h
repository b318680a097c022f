#pragma once
// A state machine's definition as a file, and what the server finds wrong with it.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/api.h"

namespace stoker::cli {

inline constexpr std::size_t kDefinitionMax = 1u << 20;  // bytes, of Step Functions

// The content. InvalidArgument when it cannot be read or is too large.
Result<std::string> read_definition(const Context& context, const std::string& path);

// "pipes/digits.asl.json" → "digits", with the characters and the length that names of state machines may
// have.
std::string machine_name_of_file(std::string_view path);

// The line (from 1) where a place of a definition is, by the location that Step Functions gives:
// "/States/Train/Next", "/States/Branch/Branches[0]/StartAt", "[Source: ...; line: 3, column: 7]". Of what is
// not there, the innermost object around it that is. 0 when there is no telling.
std::size_t line_of_location(std::string_view definition, std::string_view location);

struct Diagnostic {
  std::string severity{};  // "ERROR", "WARNING"
  std::string code{};
  std::string message{};
  std::string location{};
  std::size_t line = 0;
};
// What ValidateStateMachineDefinition answers, in the order of the file.
std::vector<Diagnostic> diagnostics_of(const json::Value& answer, std::string_view definition);

// "train.asl.json:12: error: MISSING_TRANSITION_TARGET: Missing 'Next' target: X (/States/A/Next)"
std::string diagnostic_text(std::string_view path, const Diagnostic& diagnostic);

}  // namespace stoker::cli
