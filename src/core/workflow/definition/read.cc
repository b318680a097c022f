#include "core/workflow/definition/read.h"

#include "base/text.h"
#include "core/workflow/definition/json_fault.h"
#include "core/workflow/definition/machine_fields.h"
#include "core/workflow/definition/scopes.h"
#include "core/workflow/definition/state.h"
#include "core/workflow/definition/values.h"
#include "json/strict.h"

namespace stoker::asl {
namespace {

// The text as JSON, or nothing and the reason in `diagnosis`.
std::optional<json::Value> parse_document(std::string_view text, Diagnosis& diagnosis) {
  if (text.size() > kDefinitionBytesMax) {
    diagnosis.error_in_text(
        "SCHEMA_VALIDATION_FAILED",
        "Definition must not be larger than " + std::to_string(kDefinitionBytesMax) + " bytes", "");
    return std::nullopt;
  }
  if (trim(text).empty()) {
    diagnosis.error_in_text("SCHEMA_VALIDATION_FAILED", "Definition must be a valid JSON object", "");
    return std::nullopt;
  }
  auto document =
      json::parse_strictly(text, {.depth_max = kDefinitionDepthMax, .bytes_max = kDefinitionBytesMax});
  if (document && document->is_object()) return *std::move(document);
  if (document) {
    diagnosis.error_in_text("SCHEMA_VALIDATION_FAILED", "Definition must be a valid JSON object", "");
    return std::nullopt;
  }
  if (const auto fault = find_json_fault(text, kDefinitionDepthMax))
    diagnosis.error_in_text(fault->too_deep ? "TOO_DEEPLY_NESTED" : "INVALID_JSON_DESCRIPTION",
                            fault->message + "\n at " + fault->source, fault->source);
  else  // what the scan does not look at: UTF-8
    diagnosis.error_in_text("INVALID_JSON_DESCRIPTION", document.error().message, "");
  return std::nullopt;
}

Language read_language(const Fields& fields, Diagnosis& diagnosis) {
  const std::string language = fields.string("QueryLanguage");
  if (language == "JSONata") return Language::Jsonata;
  if (fields.has("QueryLanguage") && language != "JSONPath")
    diagnosis.schema("Value should be one of the following: [JSONPath, JSONata]", fields.at("QueryLanguage"));
  return Language::JsonPath;
}

std::shared_ptr<const Definition> read_document(const json::Value& document, Reading& reading) {
  constexpr std::string_view kVersions[] = {"1.0"};
  constexpr std::int64_t kTimeoutMax = 99'999'999;
  const auto fields =
      read_fields(document, kDocumentFields, kAnyState, Language::JsonPath, Where(), reading.diagnosis);
  if (!fields) return nullptr;
  reading.language = read_language(*fields, reading.diagnosis);
  check_one_of(*fields, "Version", kVersions, reading.diagnosis);
  auto definition = std::make_shared<Definition>();
  definition->comment = fields->string("Comment");
  definition->timeout_s = read_integer(*fields, "TimeoutSeconds", {1, kTimeoutMax}, reading.diagnosis);
  definition->machine = read_machine(*fields, reading);
  return definition;
}

}  // namespace

ReadDefinition read_definition(std::string_view text, bool express) {
  Diagnosis diagnosis;
  std::shared_ptr<const Definition> definition;
  if (const auto document = parse_document(text, diagnosis)) {
    Reading reading{.diagnosis = diagnosis, .express = express};
    definition = read_document(*document, reading);
    if (!diagnosis.failed()) check_scopes(*document, diagnosis);
  }
  if (diagnosis.failed()) definition = nullptr;
  return {.definition = std::move(definition), .diagnostics = std::move(diagnosis).take()};
}

ReadState read_lone_state(std::string_view text, std::string_view name) {
  Diagnosis diagnosis;
  std::shared_ptr<const State> state;
  if (const auto document = parse_document(text, diagnosis)) {
    Reading reading{.diagnosis = diagnosis, .alone = true};
    std::vector<Transition> transitions;
    const Where where = Where().member("States").member(name);
    reading.state_names.emplace(name);
    if (auto found = read_state(*document, name, where, reading, transitions))
      state = std::make_shared<const State>(*std::move(found));
  }
  if (diagnosis.failed()) state = nullptr;
  return {.state = std::move(state), .diagnostics = std::move(diagnosis).take()};
}

std::string invalid_definition_message(const std::vector<Diagnostic>& diagnostics) {
  std::string list;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.warning) continue;
    if (!list.empty()) list += ", ";
    list += diagnostic.code + ": " + diagnostic.message;
    const bool told = diagnostic.location.empty() || diagnostic.message.ends_with(diagnostic.location);
    if (!told) list += " at " + diagnostic.location;
  }
  return "Invalid State Machine Definition: '" + list + "'";
}

}  // namespace stoker::asl
