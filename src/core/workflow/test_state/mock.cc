// What a mock may be (AWS's words where they are known).
#include "core/workflow/test_state/subject.h"

namespace stoker::workflow {
namespace {

bool is_map_or_parallel(const asl::State& state) {
  return std::holds_alternative<asl::Map>(state.kind) || std::holds_alternative<asl::Parallel>(state.kind);
}

// Whether only somebody outside can end the task.
bool waits_for_others(const Resource& resource) {
  return resource.kind == TaskKind::Activity || resource.pattern != Pattern::RequestResponse;
}

Result<void> check_without_mock(const TestStateRequest& request, const asl::State& state) {
  const auto unsupported = [](std::string_view what) {
    return invalid_request("TestState does not support " + std::string(what) +
                           " when a mock is not specified.");
  };
  if (request.map_iteration_failure_count) return unsupported("MapIterationFailureCount");
  if (request.retrier_retry_count) return unsupported("RetrierRetryCount");
  if (request.error_caused_by_state) return unsupported("ErrorCausedByState");
  if (request.map_item_reader_data) return unsupported("MapItemReaderData");
  if (request.context) return unsupported("Context");
  if (is_map_or_parallel(state))
    return std::unexpected(
        Error{Code::InvalidArgument,
              "TestState API does not support Map or Parallel states. Supported state types "
              "include: [Task, Wait, Pass, Succeed, Fail, Choice]",
              "InvalidDefinition"});
  const auto* task = std::get_if<asl::Task>(&state.kind);
  if (task == nullptr) return {};
  if (request.role_arn.empty()) return invalid_request("RoleArn must be specified when testing a Task state");
  if (waits_for_others(read_resource(task->resource)))
    return unsupported("activities and the '.sync' and '.waitForTaskToken' service integrations");
  return {};
}

// A state that the error is said to come from must be one inside the Map or Parallel.
bool has_inner_state(const asl::State& state, const std::string& name) {
  if (const auto* map = std::get_if<asl::Map>(&state.kind)) return map->processor->states.contains(name);
  const auto* parallel = std::get_if<asl::Parallel>(&state.kind);
  return parallel != nullptr && std::ranges::any_of(parallel->branches, [&](const auto& branch) {
           return branch->states.contains(name);
         });
}

Result<void> check_shape(const TestStateRequest& request, const TestStateWorld& world,
                         const asl::State& state, const Document& result) {
  const json::Value& value = result.value();
  if (const auto* map = std::get_if<asl::Map>(&state.kind)) {
    if (map->writer && !value.is_object()) return invalid_request("Mocked result must be a JSON object.");
    if (!map->writer && !value.is_array()) return invalid_request("Mocked result must be an array.");
    if (request.map_iteration_failure_count && value.is_array() &&
        *request.map_iteration_failure_count > static_cast<std::int64_t>(value.get_array().size()))
      return invalid_request(
          "Map iteration failure count must be less than or equal to the number of Map iterations");
  }
  if (const auto* parallel = std::get_if<asl::Parallel>(&state.kind)) {
    if (!value.is_array()) return invalid_request("Mocked result must be an array.");
    if (value.get_array().size() != parallel->branches.size())
      return invalid_request(
          "Mocked result must contain the same number of items as number of Parallel branches.");
  }
  const auto* task = std::get_if<asl::Task>(&state.kind);
  if (task == nullptr || request.mock->strictness == Strictness::None || !world.check_response) return {};
  const Resource resource = read_resource(task->resource);
  // The payload of a function, the output of a worker and of whoever has a token can be anything.
  if (resource.kind != TaskKind::Service || resource.pattern == Pattern::WaitForTaskToken) return {};
  const MockedCall call{.service = resource.service,
                        .api = resource.api,
                        .waits = resource.pattern != Pattern::RequestResponse};
  if (const auto fault = world.check_response(call, value, request.mock->strictness))
    return invalid_request("Mock result schema validation error: " + *fault);
  return {};
}

}  // namespace

Result<void> check_mock(const TestStateRequest& request, const TestStateWorld& world, const asl::State& state,
                        const std::optional<Document>& mocked_result) {
  if (!request.mock) return check_without_mock(request, state);
  const Mock& mock = *request.mock;
  if (!std::holds_alternative<asl::Task>(state.kind) && !is_map_or_parallel(state))
    return invalid_request("State type '" + std::string(asl::type_name(state.kind)) +
                           "' is not supported when a mock is specified");
  if (request.reveal_secrets)
    return invalid_request("TestState does not support RevealSecrets when a mock is specified.");
  if (mock.result && mock.error_output)
    return invalid_request(
        "A test mock should have only one of the following fields: [result, errorOutput].");
  if (!mock.result && !mock.error_output)
    return invalid_request("A test mock must have one of the following fields: [result, errorOutput].");
  if (request.error_caused_by_state && is_map_or_parallel(state) &&
      !has_inner_state(state, *request.error_caused_by_state))
    return invalid_request("ErrorCausedByState not found in definition");
  if (mocked_result) return check_shape(request, world, state, *mocked_result);
  return {};
}

}  // namespace stoker::workflow
