// ValidateStateMachineDefinition.
#include "aws/states/frame.h"
#include "core/workflow/definition/read.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kDiagnosticsMax = 100;  // [M] maxResults, and its default

json::Object to_json(const asl::Diagnostic& diagnostic) {
  json::Object out{{"severity", diagnostic.warning ? "WARNING" : "ERROR"},
                   {"code", diagnostic.code},
                   {"message", diagnostic.message}};
  if (!diagnostic.location.empty()) out["location"] = diagnostic.location;
  return out;
}

// Reads a text only, so it needs nobody's thread but the caller's.
void validate(const Place&, json::Value input, Backend&, Completion done) {
  const bool express = json::get_string(input, "type") == "EXPRESS";
  const bool warnings = json::get_string(input, "severity") == "WARNING";
  const std::int64_t asked = json::get_int(input, "maxResults");
  const std::size_t most = asked <= 0 ? kDiagnosticsMax : static_cast<std::size_t>(asked);
  const asl::ReadDefinition read = asl::read_definition(json::get_string(input, "definition"), express);
  json::Array shown;
  bool truncated = false;
  for (const asl::Diagnostic& diagnostic : read.diagnostics) {
    if (diagnostic.warning && !warnings) continue;
    if (shown.size() == most) {
      truncated = true;
      break;
    }
    shown.push_back(to_json(diagnostic));
  }
  const bool failed = std::ranges::any_of(
      read.diagnostics, [](const asl::Diagnostic& diagnostic) { return !diagnostic.warning; });
  done(json::Value(json::Object{
      {"result", failed ? "FAIL" : "OK"}, {"diagnostics", std::move(shown)}, {"truncated", truncated}}));
}

}  // namespace

void add_validation(Handlers& handlers) {
  handlers[OperationId::StatesValidateStateMachineDefinition] = {.run = validate};
}

}  // namespace stoker::aws
