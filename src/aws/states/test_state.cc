// TestState: the state runs in core/workflow/test_state; here are the members of its request and answer.
#include "core/workflow/test_state/test_state.h"

#include "aws/states/mock_check.h"
#include "aws/states/test_state.h"
#include "base/rng.h"

namespace stoker::aws {
namespace {

std::optional<std::string> text_of(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  if (value == nullptr) return std::nullopt;
  return std::string(json::text(*value));
}

std::optional<std::int64_t> count_of(const json::Value& input, std::string_view member) {
  const json::Value* value = json::find(input, member);
  if (value == nullptr) return std::nullopt;
  return value->to_number<std::int64_t>();
}

workflow::Mock read_mock(const json::Value& input) {
  workflow::Mock mock;
  mock.result = text_of(input, "result");
  if (const json::Value* error = json::find(input, "errorOutput"))
    mock.error_output = {.error = text_of(*error, "error").value_or(""), .cause = text_of(*error, "cause")};
  const std::string_view mode = json::get_string(input, "fieldValidationMode", "STRICT");
  mock.strictness = mode == "NONE"      ? workflow::Strictness::None
                    : mode == "PRESENT" ? workflow::Strictness::Present
                                        : workflow::Strictness::Strict;
  return mock;
}

workflow::TestStateRequest read_request(const json::Value& input) {
  workflow::TestStateRequest request;
  request.definition = json::get_string(input, "definition");
  request.state_name = text_of(input, "stateName");
  request.role_arn = json::get_string(input, "roleArn");
  request.input = text_of(input, "input");
  request.variables = text_of(input, "variables");
  request.context = text_of(input, "context");
  request.reveal_secrets = json::get_bool(input, "revealSecrets");
  if (const json::Value* mock = json::find(input, "mock")) request.mock = read_mock(*mock);
  if (const json::Value* configuration = json::find(input, "stateConfiguration")) {
    request.retrier_retry_count = count_of(*configuration, "retrierRetryCount");
    request.error_caused_by_state = text_of(*configuration, "errorCausedByState");
    request.map_iteration_failure_count = count_of(*configuration, "mapIterationFailureCount");
    request.map_item_reader_data = text_of(*configuration, "mapItemReaderData");
  }
  return request;
}

template <class T>
void put(json::Object& out, std::string_view name, const std::optional<T>& value) {
  if (value) out[name] = *value;
}

json::Object inspection_data(const workflow::Inspection& inspection) {
  json::Object out{{"input", inspection.input}};
  put(out, "afterInputPath", inspection.after_input_path);
  put(out, "afterParameters", inspection.after_parameters);
  put(out, "afterArguments", inspection.after_arguments);
  put(out, "afterItemsPath", inspection.after_items_path);
  put(out, "afterItemsPointer", inspection.after_items_pointer);
  put(out, "afterItemSelector", inspection.after_item_selector);
  put(out, "afterItemBatcher", inspection.after_item_batcher);
  put(out, "result", inspection.result);
  put(out, "afterResultSelector", inspection.after_result_selector);
  put(out, "afterResultPath", inspection.after_result_path);
  put(out, "variables", inspection.variables);
  put(out, "maxConcurrency", inspection.concurrency_max);
  put(out, "toleratedFailureCount", inspection.tolerated_failure_count);
  put(out, "toleratedFailurePercentage", inspection.tolerated_failure_percentage);
  json::Object error;
  put(error, "catchIndex", inspection.catch_index);
  put(error, "retryIndex", inspection.retry_index);
  put(error, "retryBackoffIntervalSeconds", inspection.retry_backoff_interval_s);
  if (!error.empty()) out["errorDetails"] = std::move(error);
  return out;
}

std::string_view status_name(workflow::TestStatus status) {
  switch (status) {
    case workflow::TestStatus::Succeeded:
      return "SUCCEEDED";
    case workflow::TestStatus::Failed:
      return "FAILED";
    case workflow::TestStatus::Retriable:
      return "RETRIABLE";
    case workflow::TestStatus::CaughtError:
      break;
  }
  return "CAUGHT_ERROR";
}

json::Value answer_of(const workflow::TestStateResult& result, bool inspected) {
  json::Object out;
  put(out, "output", result.output);
  put(out, "error", result.error);
  put(out, "cause", result.cause);
  if (inspected) out["inspectionData"] = inspection_data(result.inspection);
  if (!result.next_state.empty()) out["nextState"] = result.next_state;
  out["status"] = status_name(result.status);
  return out;
}

// The work is bounded by the size of the request and the limits of expressions, and keeps no thread of the
// core waiting.
void test_state(const Place& place, json::Value input, Backend& backend, Completion done) {
  const auto rng = std::make_shared<Rng>([&] {
    const Uuid seed = backend.new_uuid();
    std::uint64_t number = 0;
    std::memcpy(&number, seed.bytes.data(), sizeof number);
    return number;
  }());
  const workflow::TestStateWorld world{.now = backend.now(),
                                       .random = [rng] { return rng->next(); },
                                       .partition = "aws",
                                       .region = place.region,
                                       .account = place.account,
                                       .check_response = check_mocked_response};
  const auto result = workflow::test_state(read_request(input), world);
  if (!result) return done(std::unexpected(result.error()));
  done(answer_of(*result, json::get_string(input, "inspectionLevel", "INFO") != "INFO"));
}

}  // namespace

void add_test_state(Handlers& handlers) {
  handlers[OperationId::StatesTestState].run = test_state;
}

}  // namespace stoker::aws
