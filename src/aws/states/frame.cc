#include "aws/states/frame.h"

#include "aws/states/test_state.h"
#include "core/machines/errors.h"
#include "core/workflow/definition/variable_references.h"

namespace stoker::aws {

void add_states(Handlers& handlers) {
  add_state_machines(handlers);
  add_state_machine_versions(handlers);
  add_state_machine_aliases(handlers);
  add_activities(handlers);
  add_states_tags(handlers);
  add_executions(handlers);
  add_execution_history(handlers);
  add_tasks(handlers);
  add_map_runs(handlers);
  add_validation(handlers);
  add_test_state(handlers);
}

Result<Page> read_states_page(const json::Value& input, std::string_view list) {
  constexpr std::size_t kSizeMax = 1'000;  // [M], and what the shape check let through
  json::Value asked = json::Object{};
  const std::int64_t size = json::get_int(input, "maxResults");
  asked.get_object()["maxResults"] = size == 0 ? static_cast<std::int64_t>(kPageMax) : size;
  if (const json::Value* token = json::find(input, "nextToken")) asked.get_object()["nextToken"] = *token;
  auto page = read_page(asked, list, kSizeMax);
  if (!page) return core::invalid_token();
  return page;
}

core::Tags read_tag_list(const json::Value& input) {
  core::Tags out;
  for (const json::Value& tag : json::get_array(input, "tags"))
    out[std::string(json::get_string(tag, "key"))] = json::get_string(tag, "value");
  return out;
}

json::Array tag_list(const core::Tags& tags) {
  json::Array out;
  for (const auto& [key, value] : tags) out.push_back(json::Object{{"key", key}, {"value", value}});
  return out;
}

json::Shared take_document(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  return value == nullptr ? nullptr : std::make_shared<const json::Value>(*value);
}

json::Object revision_detail(const core::MachineRevision& revision, bool metadata_only) {
  json::Object out{{"name", revision.machine}, {"roleArn", revision.role_arn}};
  out["definition"] = metadata_only ? std::string() : revision.definition;
  out["loggingConfiguration"] = *revision.logging;
  out["tracingConfiguration"] = *revision.tracing;
  out["encryptionConfiguration"] = *revision.encryption;
  if (!revision.id.empty()) out["revisionId"] = revision.id;
  if (metadata_only || !revision.parsed) return out;
  json::Object references;
  for (const auto& [state, variables] : asl::variable_references(*revision.parsed))
    references[state] = json::Array(variables.begin(), variables.end());
  if (!references.empty()) out["variableReferences"] = std::move(references);
  return out;
}

json::Value nothing(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

}  // namespace stoker::aws
