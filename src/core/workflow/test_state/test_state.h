#pragma once
// TestState: one state, run on its own with what its author makes up for the rest of the world. It goes
// through the same steps as in an execution (core/workflow/run/flow.h). Pure, and calls no service: a Task
// needs a mock to succeed.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace stoker::workflow {

enum class Strictness : std::uint8_t {
  Strict,   // required members are there, and what is there conforms to the API
  Present,  // what is there conforms
  None,     // any JSON
};

// What stands in for the work of a Task, Parallel or Map.
struct Mock {
  struct ErrorOutput {
    std::string error;
    std::optional<std::string> cause;
  };
  std::optional<std::string> result{};  // JSON
  std::optional<ErrorOutput> error_output{};
  Strictness strictness = Strictness::Strict;
};

struct TestStateRequest {
  std::string definition;                 // of a state, or of a machine when `state_name` is given
  std::optional<std::string> state_name;  // at any depth of the machine
  std::string role_arn;                   // "": none
  std::optional<std::string> input;       // JSON; {} by default
  std::optional<std::string> variables;   // a JSON object
  std::optional<std::string> context;     // a JSON object
  std::optional<Mock> mock;
  bool reveal_secrets = false;
  // How far things went before.
  std::optional<std::int64_t> retrier_retry_count;
  std::optional<std::string> error_caused_by_state;
  std::optional<std::int64_t> map_iteration_failure_count;
  std::optional<std::string> map_item_reader_data;
};

// Which API's answer a mock is.
struct MockedCall {
  std::string_view service;  // "batch", "aws-sdk:lambda"
  std::string_view api;      // "submitJob"
  bool waits = false;        // ".sync": the answer of the API that tells how the work is
};
// The rest of "Mock result schema validation error: ..."; nothing when the result is right or its API
// unknown.
using CheckResponse = std::function<std::optional<std::string>(
    const MockedCall& call, const json::Value& result, Strictness strictness)>;

struct TestStateWorld {
  Instant now;
  std::function<std::uint64_t()> random;
  std::string partition = "aws";
  std::string region;
  std::string account;
  CheckResponse check_response;  // may be empty
};

// JSON texts, and numbers where they are numbers in the API. What a state does not come by stays empty.
struct Inspection {
  std::string input;
  std::optional<std::string> variables;
  std::optional<std::string> after_input_path, after_parameters, after_arguments;
  std::optional<std::string> result, after_result_selector, after_result_path;
  std::optional<std::string> after_items_path, after_items_pointer, after_item_selector, after_item_batcher;
  std::optional<std::int64_t> concurrency_max, tolerated_failure_count;
  std::optional<double> tolerated_failure_percentage;
  std::optional<std::int64_t> catch_index, retry_index, retry_backoff_interval_s;
};

enum class TestStatus : std::uint8_t { Succeeded, Failed, Retriable, CaughtError };

struct TestStateResult {
  TestStatus status = TestStatus::Failed;
  std::optional<std::string> output;  // JSON
  std::optional<std::string> error, cause;
  std::string next_state;  // "": none
  Inspection inspection;
};

// A request that makes no sense is an Error with the name that the API has for it: ValidationException,
// InvalidDefinition, InvalidExecutionInput. A state that fails is a result.
Result<TestStateResult> test_state(const TestStateRequest& request, const TestStateWorld& world);

}  // namespace stoker::workflow
