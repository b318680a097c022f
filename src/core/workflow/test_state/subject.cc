#include "core/workflow/test_state/subject.h"

#include "core/workflow/definition/json_fault.h"
#include "core/workflow/definition/read.h"

namespace stoker::workflow {
namespace {

constexpr std::size_t kDepthMax = 64;  // of JSON in the request

std::unexpected<Error> invalid_definition(const std::vector<asl::Diagnostic>& diagnostics) {
  return std::unexpected(
      Error{Code::InvalidArgument, asl::invalid_definition_message(diagnostics), "InvalidDefinition"});
}

// The state of that name at any depth; null when there is none.
const asl::State* find_state(const asl::Machine& outermost, std::string_view name) {
  std::vector<const asl::Machine*> waiting{&outermost};
  while (!waiting.empty()) {
    const asl::Machine& machine = *waiting.back();
    waiting.pop_back();
    if (const auto found = machine.states.find(name); found != machine.states.end()) return &found->second;
    for (const auto& [key, state] : machine.states) {
      if (const auto* map = std::get_if<asl::Map>(&state.kind)) waiting.push_back(map->processor.get());
      if (const auto* parallel = std::get_if<asl::Parallel>(&state.kind))
        for (const auto& branch : parallel->branches) waiting.push_back(branch.get());
    }
  }
  return nullptr;
}

Result<std::shared_ptr<const asl::State>> read_tested_state(const TestStateRequest& request) {
  if (!request.state_name) {
    asl::ReadState read = asl::read_lone_state(request.definition, kTestedName);
    if (read.state == nullptr) return invalid_definition(read.diagnostics);
    return std::move(read.state);
  }
  asl::ReadDefinition read = asl::read_definition(request.definition);
  if (read.definition == nullptr) return invalid_definition(read.diagnostics);
  const asl::State* state = find_state(*read.definition->machine, *request.state_name);
  if (state == nullptr) return invalid_request("State not found in definition");
  return std::shared_ptr<const asl::State>(read.definition, state);
}

Result<Document> read_input(const TestStateRequest& request) {
  if (!request.input) return Document(json::Value(json::Object()));
  const auto invalid = [](const std::string& why) {
    return std::unexpected(Error{Code::InvalidArgument,
                                 "Invalid State Machine Execution Input: '" + why + "'",
                                 "InvalidExecutionInput"});
  };
  if (request.input->empty()) return invalid("Invalid execution input.");
  if (const auto fault = asl::find_json_fault(*request.input, kDepthMax)) return invalid(fault->message);
  auto input = Document::parse(*request.input);
  if (!input) return invalid(input.error().message);
  return input;
}

Result<asl::Variables> read_variables(const TestStateRequest& request) {
  asl::Variables variables;
  if (!request.variables) return variables;
  const auto parsed = json::parse(*request.variables, {.depth_max = kDepthMax});
  if (!parsed || !parsed->is_object()) return invalid_request("Variables must be a valid JSON object");
  for (const auto& [name, value] : parsed->get_object())
    variables.emplace(name, std::make_shared<const json::Value>(value));
  return variables;
}

Result<std::optional<Document>> read_mocked_result(const TestStateRequest& request) {
  if (!request.mock || !request.mock->result) return std::nullopt;
  auto result = Document::parse(*request.mock->result);
  if (!result || result->depth() > kDepthMax) return invalid_request("Mocked result must be valid JSON");
  return *std::move(result);
}

}  // namespace

std::unexpected<Error> invalid_request(std::string message) {
  return std::unexpected(Error{Code::InvalidArgument, std::move(message), "ValidationException"});
}

Result<Subject> read_subject(const TestStateRequest& request, const TestStateWorld& world) {
  Subject subject;
  subject.state = TRY(read_tested_state(request));
  subject.mocked_result = TRY(read_mocked_result(request));
  TRY(check_mock(request, world, *subject.state, subject.mocked_result));
  subject.input = TRY(read_input(request));
  subject.variables = TRY(read_variables(request));
  subject.context = TRY(read_context(request, world, *subject.state, subject.input));
  subject.reader_data = request.map_item_reader_data;
  return subject;
}

}  // namespace stoker::workflow
