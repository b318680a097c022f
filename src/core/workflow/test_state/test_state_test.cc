#include "core/workflow/test_state/test_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::workflow {
namespace {

TestStateWorld world() {
  auto rng = std::make_shared<Rng>(1);
  return {.now = Instant{1'700'000'000'000},
          .random = [rng] { return rng->next(); },
          .partition = "aws",
          .region = "us-east-1",
          .account = "123456789012",
          .check_response = {}};
}

TestStateRequest request(std::string_view definition, std::string_view input = "{}") {
  TestStateRequest made;
  made.definition = definition;
  made.input = input;
  made.role_arn = "arn:aws:iam::123456789012:role/r";
  return made;
}

TestStateRequest mocked(std::string_view definition, std::string_view result, std::string_view input = "{}") {
  TestStateRequest made = request(definition, input);
  made.mock = Mock{.result = std::string(result)};
  return made;
}

TestStateRequest failing(std::string_view definition, std::string_view error, std::string_view input = "{}") {
  TestStateRequest made = request(definition, input);
  made.mock = Mock{.error_output = Mock::ErrorOutput{.error = std::string(error), .cause = "why"}};
  return made;
}

// One line for each thing that the answer says.
std::string shown(const Result<TestStateResult>& result) {
  if (!result) return std::string(result.error().name) + ": " + result.error().message;
  constexpr std::string_view kStatuses[] = {"SUCCEEDED", "FAILED", "RETRIABLE", "CAUGHT_ERROR"};
  std::string text(kStatuses[static_cast<std::size_t>(result->status)]);
  const auto add = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value) text += "\n" + std::string(name) + " " + *value;
  };
  const auto number = [](const std::optional<std::int64_t>& value) {
    return value ? std::optional(std::to_string(*value)) : std::nullopt;
  };
  add("output", result->output);
  add("error", result->error);
  add("cause", result->cause);
  if (!result->next_state.empty()) add("next", result->next_state);
  const Inspection& in = result->inspection;
  add("input", in.input);
  add("afterInputPath", in.after_input_path);
  add("afterParameters", in.after_parameters);
  add("afterArguments", in.after_arguments);
  add("afterItemsPath", in.after_items_path);
  add("afterItemsPointer", in.after_items_pointer);
  add("afterItemSelector", in.after_item_selector);
  add("afterItemBatcher", in.after_item_batcher);
  add("result", in.result);
  add("afterResultSelector", in.after_result_selector);
  add("afterResultPath", in.after_result_path);
  add("variables", in.variables);
  add("maxConcurrency", number(in.concurrency_max));
  add("toleratedFailureCount", number(in.tolerated_failure_count));
  if (in.tolerated_failure_percentage)
    add("toleratedFailurePercentage", json::write(json::Value(*in.tolerated_failure_percentage)));
  add("catchIndex", number(in.catch_index));
  add("retryIndex", number(in.retry_index));
  add("retryBackoffIntervalSeconds", number(in.retry_backoff_interval_s));
  return text;
}

std::string tested(const TestStateRequest& request) {
  return shown(test_state(request, world()));
}

constexpr std::string_view kTask =
    R"({"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"p.$":"$.a"},
        "ResultSelector":{"s.$":"$.r"},"ResultPath":"$.out","Next":"Elsewhere"})";

TEST(TestState, APassWithoutResultShowsItsInputOnTheWay) {
  EXPECT_EQ(
      tested(request(
          R"({"Type":"Pass","InputPath":"$.i","Parameters":{"p.$":"$.a"},"ResultPath":"$.o","End":true})",
          R"({"i":{"a":1}})")),
      "SUCCEEDED\noutput {\"i\":{\"a\":1},\"o\":{\"p\":1}}\ninput {\"i\":{\"a\":1}}\nafterInputPath "
      "{\"a\":1}\n"
      "afterParameters {\"p\":1}\nafterResultSelector {\"p\":1}\n"
      "afterResultPath {\"i\":{\"a\":1},\"o\":{\"p\":1}}");
}

TEST(TestState, APassWithResultShowsThatInstead) {
  EXPECT_EQ(tested(request(R"({"Type":"Pass","Result":{"k":1},"Next":"N"})", R"({"v":1})")),
            "SUCCEEDED\noutput {\"k\":1}\nnext N\ninput {\"v\":1}\nresult {\"k\":1}\nafterResultSelector "
            "{\"k\":1}\n"
            "afterResultPath {\"k\":1}");
}

TEST(TestState, TheTextOfTheInputStaysAsItWasWritten) {
  EXPECT_EQ(tested(request(R"({"Type":"Succeed"})", "[1,  2]")),
            "SUCCEEDED\noutput [1,  2]\ninput [1,  2]\nafterInputPath [1,  2]");
}

TEST(TestState, JsonataStatesShowLittle) {
  EXPECT_EQ(
      tested(request(
          R"({"Type":"Pass","QueryLanguage":"JSONata","Output":"{% $states.input.a + 1 %}","End":true})",
          R"({"a":1})")),
      "SUCCEEDED\noutput 2\ninput {\"a\":1}");
}

TEST(TestState, AChoiceTellsWhereItGoes) {
  constexpr std::string_view kChoice =
      R"({"Type":"Choice","Choices":[{"Variable":"$.a","NumericEquals":1,"Next":"One"}],"Default":"Other"})";
  EXPECT_EQ(tested(request(kChoice, R"({"a":1})")),
            "SUCCEEDED\noutput {\"a\":1}\nnext One\ninput {\"a\":1}\nafterInputPath {\"a\":1}");
  EXPECT_EQ(tested(request(kChoice, R"({"a":2})")),
            "SUCCEEDED\noutput {\"a\":2}\nnext Other\ninput {\"a\":2}\nafterInputPath {\"a\":2}");
}

TEST(TestState, AFailFails) {
  EXPECT_EQ(tested(request(R"({"Type":"Fail","Error":"E","CausePath":"$.c"})", R"({"c":"because"})")),
            "FAILED\nerror E\ncause because\ninput {\"c\":\"because\"}\nafterInputPath {\"c\":\"because\"}");
}

TEST(TestState, AMockIsTheResultOfATask) {
  EXPECT_EQ(tested(mocked(kTask, R"({"r":2})", R"({"a":1})")),
            "SUCCEEDED\noutput {\"a\":1,\"out\":{\"s\":2}}\nnext Elsewhere\ninput {\"a\":1}\nafterInputPath "
            "{\"a\":1}\n"
            "afterParameters {\"p\":1}\nresult {\"r\":2}\nafterResultSelector {\"s\":2}\n"
            "afterResultPath {\"a\":1,\"out\":{\"s\":2}}");
}

TEST(TestState, AFaultOfTheStateIsAResult) {
  EXPECT_EQ(tested(mocked(kTask, R"({"r":2})")),
            "FAILED\nerror States.Runtime\ncause The JSONPath '$.a' specified for the field 'p.$' could not "
            "be found in "
            "the input '{}'\ninput {}\nafterInputPath {}");
}

TEST(TestState, ATaskWithoutAMockCannotSucceed) {
  const auto result = test_state(request(kTask, R"({"a":1})"), world());
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->status, TestStatus::Failed);
  EXPECT_EQ(result->error, "States.TaskFailed");
  EXPECT_THAT(*result->cause, testing::HasSubstr("arn:aws:states:::lambda:invoke"));
}

constexpr std::string_view kRetried =
    R"({"Type":"Task","QueryLanguage":"JSONata","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"p":1},
        "Retry":[{"ErrorEquals":["Other"]},{"ErrorEquals":["E"],"IntervalSeconds":2,"MaxAttempts":3}],
        "Catch":[{"ErrorEquals":["E"],"Output":"{% $states.errorOutput %}","Assign":{"v":1},"Next":"C"}],"End":true})";

TEST(TestState, AnErrorIsRetriedThenCaught) {
  TestStateRequest asked = failing(kRetried, "E");
  EXPECT_EQ(tested(asked),
            "RETRIABLE\nerror E\ncause why\ninput {}\nafterArguments {\"p\":1}\nretryIndex 1\n"
            "retryBackoffIntervalSeconds 2");
  asked.retrier_retry_count = 2;
  EXPECT_EQ(tested(asked),
            "RETRIABLE\nerror E\ncause why\ninput {}\nafterArguments {\"p\":1}\nretryIndex 1\n"
            "retryBackoffIntervalSeconds 8");
  asked.retrier_retry_count = 3;
  EXPECT_EQ(tested(asked),
            "CAUGHT_ERROR\noutput {\"Error\":\"E\",\"Cause\":\"why\"}\nerror E\ncause why\nnext C\ninput {}\n"
            "afterArguments {\"p\":1}\nvariables {\"v\":1}\ncatchIndex 0\nretryIndex 1");
  EXPECT_EQ(tested(failing(kRetried, "Unknown")),
            "FAILED\nerror Unknown\ncause why\ninput {}\nafterArguments {\"p\":1}");
}

TEST(TestState, VariablesComeInAndGoOut) {
  TestStateRequest asked = request(
      R"({"Type":"Pass","QueryLanguage":"JSONata","Assign":{"b":"{% $a + 1 %}"},"Output":"{% $a %}","End":true})");
  asked.variables = R"({"a":1})";
  EXPECT_EQ(tested(asked), "SUCCEEDED\noutput 1\ninput {}\nvariables {\"a\":1,\"b\":2}");
}

constexpr std::string_view kMachine =
    R"({"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","ToleratedFailureCount":1,"MaxConcurrency":3,
        "ItemSelector":{"i.$":"$$.Map.Item.Index","v.$":"$$.Map.Item.Value"},"ItemBatcher":{"MaxItemsPerBatch":2},
        "Catch":[{"ErrorEquals":["States.ExceedToleratedFailureThreshold"],"Next":"C"}],"Next":"C",
        "ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I",
        "States":{"I":{"Type":"Pass","End":true}}}},"C":{"Type":"Succeed"}}})";

TEST(TestState, AMapShowsWhatItsIterationsWouldGet) {
  TestStateRequest asked = mocked(kMachine, "[1,2,3]", R"({"items":["a","b","c"]})");
  asked.state_name = "M";
  asked.map_iteration_failure_count = 1;
  EXPECT_EQ(tested(asked),
            "SUCCEEDED\noutput [1,2,3]\nnext C\ninput {\"items\":[\"a\",\"b\",\"c\"]}\n"
            "afterInputPath {\"items\":[\"a\",\"b\",\"c\"]}\nafterItemsPath [\"a\",\"b\",\"c\"]\n"
            "afterItemSelector [{\"i\":0,\"v\":\"a\"},{\"i\":1,\"v\":\"b\"},{\"i\":2,\"v\":\"c\"}]\n"
            "afterItemBatcher [{\"Items\":[{\"i\":0,\"v\":\"a\"},{\"i\":1,\"v\":\"b\"}]},"
            "{\"Items\":[{\"i\":2,\"v\":\"c\"}]}]\nafterResultSelector [1,2,3]\nafterResultPath [1,2,3]\n"
            "maxConcurrency 3\ntoleratedFailureCount 1");
  asked.map_iteration_failure_count = 2;
  EXPECT_THAT(tested(asked), testing::StartsWith(
                                 "CAUGHT_ERROR\noutput {\"Error\":\"States.ExceedToleratedFailureThreshold\","
                                 "\"Cause\":\"The specified tolerated failure threshold was exceeded\"}"));
  asked.map_iteration_failure_count = 4;
  EXPECT_EQ(
      tested(asked),
      "ValidationException: Map iteration failure count must be less than or equal to the number of Map "
      "iterations");
}

TEST(TestState, OfManyItemsTheInputsAreNotShown) {
  std::string items = "[0";
  for (int i = 1; i < 201; ++i) items += ",0";
  const auto many = test_state(mocked(R"({"Type":"Map","ItemSelector":{"i.$":"$.missing"},
                 "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true})",
                                      "[1]", items + "]"),
                               world());
  ASSERT_TRUE(many.has_value());
  EXPECT_EQ(many->status, TestStatus::Succeeded);
  EXPECT_FALSE(many->inspection.after_item_selector.has_value());
}

TEST(TestState, StatesInsideOthersCanBeTested) {
  TestStateRequest asked = request(kMachine, "7");
  asked.state_name = "I";
  EXPECT_THAT(tested(asked), testing::StartsWith("SUCCEEDED\noutput 7"));
  asked.state_name = "J";
  EXPECT_EQ(tested(asked), "ValidationException: State not found in definition");
}

TEST(TestState, AReaderReadsWhatTheTestSays) {
  TestStateRequest asked = mocked(
      R"({"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},
          "ReaderConfig":{"InputType":"JSON","ItemsPointer":"/rows"}},"ItemSelector":{"v.$":"$$.Map.Item.Value"},
          "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true})",
      "[1]");
  asked.map_item_reader_data = R"({"rows":[5]})";
  EXPECT_EQ(tested(asked),
            "SUCCEEDED\noutput [1]\ninput {}\nafterInputPath {}\nafterItemsPointer [5]\nafterItemSelector "
            "[{\"v\":5}]\n"
            "afterResultSelector [1]\nafterResultPath [1]\nmaxConcurrency 0");
  asked.map_item_reader_data = R"({"rows":5})";
  EXPECT_THAT(tested(asked),
              testing::StartsWith(
                  "FAILED\nerror States.ItemReaderFailed\ncause Attempting to map over non-iterable node."));
}

TEST(TestState, AReaderReadsTheFormatThatItsConfigurationSays) {
  const auto items = [](std::string_view config, std::string data) {
    TestStateRequest asked = mocked(
        R"({"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},
            "ReaderConfig":)" +
            std::string(config) +
            R"(},"ItemSelector":{"v.$":"$$.Map.Item.Value"},
            "ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},
              "StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true})",
        "[1]");
    asked.map_item_reader_data = std::move(data);
    const std::string out = tested(asked);
    const std::size_t cause = out.find("cause ");
    const std::size_t at = out.find(cause == std::string::npos ? "afterItemSelector " : "cause ");
    return out.substr(at, out.find('\n', at) - at);
  };
  EXPECT_EQ(
      items(R"({"InputType":"CSV","CSVHeaderLocation":"FIRST_ROW","CSVDelimiter":"PIPE"})", "a|b\n1|2\n"),
      R"(afterItemSelector [{"v":{"a":"1","b":"2"}}])");
  EXPECT_EQ(
      items(R"({"InputType":"CSV","CSVHeaderLocation":"GIVEN","CSVHeaders":["x"],"MaxItems":1})", "1\n2\n"),
      R"(afterItemSelector [{"v":{"x":"1"}}])");
  EXPECT_EQ(items(R"({"InputType":"JSONL"})", "{\"a\":1}\n2\n"),
            R"(afterItemSelector [{"v":{"a":1}},{"v":2}])");
  EXPECT_EQ(items(R"({"InputType":"CSV","CSVHeaderLocation":"FIRST_ROW"})", "a,a\n"),
            "cause CSV headers cannot contain duplicates.");
}

TEST(TestState, AMapNeedsSomethingToMapOver) {
  EXPECT_EQ(tested(mocked(R"({"Type":"Map","ItemsPath":"$$.Execution.Name","MaxConcurrency":1,
                "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true})",
                          "[1]")),
            "FAILED\nerror States.Runtime\ncause Reference path \"$.Execution.Name\" must point to "
            "array.\ninput {}\n"
            "afterInputPath {}");
}

TEST(TestState, ContextIsMadeUpOrGiven) {
  constexpr std::string_view kShow =
      R"({"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","ResultSelector":{"c.$":"$$"},"End":true})";
  const auto made = test_state(mocked(kShow, "{}"), world());
  ASSERT_TRUE(made.has_value());
  EXPECT_THAT(*made->output,
              testing::MatchesRegex(
                  "\\{\"c\":\\{\"Execution\":\\{\"Id\":\"arn:aws:states:us-east-1:123456789012:express:"
                  "[-0-9a-f]+:[-0-9a-f]+\",\"Input\":\\{\\},\"Name\":\"[-0-9a-f]+\",\"RoleArn\":"
                  "\"arn:aws:iam::123456789012:role/r\",\"StartTime\":\"2023-11-14T22:13:20.000Z\"\\},"
                  "\"StateMachine\":\\{\"Id\":\"arn:aws:states:us-east-1:123456789012:stateMachine:"
                  "[-0-9a-f]+\",\"Name\":\"[-0-9a-f]+\"\\},\"State\":\\{\"Name\":\"StateName\","
                  "\"EnteredTime\":\"2023-11-14T22:13:20.000Z\",\"RetryCount\":0\\}\\}\\}"));
  TestStateRequest asked = mocked(kShow, "{}");
  asked.context = R"({"State":{"Name":"N"}})";
  EXPECT_THAT(tested(asked), testing::StartsWith(R"(SUCCEEDED
output {"c":{"State":{"Name":"N"}}})"));
}

TEST(TestState, RequestsThatMakeNoSense) {
  constexpr std::string_view kPass = R"({"Type":"Pass","End":true})";
  constexpr std::string_view kTwo =
      R"({"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},
          {"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]})";
  const auto with = [](TestStateRequest made, auto change) {
    change(made);
    return made;
  };
  const std::pair<TestStateRequest, std::string_view> kCases[] = {
      {request("{}"),
       "InvalidDefinition: Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields "
       "are required: [Type] at /States/StateName'"},
      {request(kPass, "not"),
       "InvalidExecutionInput: Invalid State Machine Execution Input: 'Unrecognized token "
       "'not': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or "
       "'false')'"},
      {request(kPass, ""),
       "InvalidExecutionInput: Invalid State Machine Execution Input: 'Invalid execution input.'"},
      {mocked(kPass, "{}"),
       "ValidationException: State type 'Pass' is not supported when a mock is specified"},
      {mocked(kTask, "not"), "ValidationException: Mocked result must be valid JSON"},
      {mocked(kTwo, "{}"), "ValidationException: Mocked result must be an array."},
      {mocked(kTwo, "[1]"),
       "ValidationException: Mocked result must contain the same number of items as number of "
       "Parallel branches."},
      {request(kTwo),
       "InvalidDefinition: TestState API does not support Map or Parallel states. Supported state types "
       "include: [Task, Wait, Pass, Succeed, Fail, Choice]"},
      {with(request(kTask), [](auto& made) { made.role_arn.clear(); }),
       "ValidationException: RoleArn must be specified when testing a Task state"},
      {with(request(kTask), [](auto& made) { made.map_iteration_failure_count = 1; }),
       "ValidationException: TestState does not support MapIterationFailureCount when a mock is not "
       "specified."},
      {with(mocked(kTask, "{}"), [](auto& made) { made.reveal_secrets = true; }),
       "ValidationException: TestState does not support RevealSecrets when a mock is specified."},
      {with(mocked(kTask, "{}"), [](auto& made) { made.mock->error_output.emplace(); }),
       "ValidationException: A test mock should have only one of the following fields: [result, "
       "errorOutput]."},
      {with(mocked(kTask, "{}"), [](auto& made) { made.context = R"({"Execution":{"Id":1}})"; }),
       "ValidationException: Invalid Context object provided: Execution.Id must be a string"},
      {with(mocked(kTask, "{}"), [](auto& made) { made.context = R"({"Dex":{}})"; }),
       "ValidationException: Invalid Context object provided: Field 'Dex' is not allowed"},
      {with(mocked(kTask, "{}"), [](auto& made) { made.context = R"({"Map":{}})"; }),
       "ValidationException: Invalid Context object provided: 'Map' field is not supported when mocking a "
       "Context "
       "object"},
      {with(failing(kTwo, "E"), [](auto& made) { made.error_caused_by_state = "C"; }),
       "ValidationException: ErrorCausedByState not found in definition"},
  };
  for (const auto& [asked, answer] : kCases) EXPECT_EQ(tested(asked), answer);
}

TEST(TestState, TheApiOfAMockIsAskedForItsShape) {
  std::string asked;
  TestStateWorld checking = world();
  checking.check_response = [&](const MockedCall& call, const json::Value&, Strictness strictness) {
    asked += std::string(call.service) + "." + std::string(call.api) + (call.waits ? " waits" : "") +
             (strictness == Strictness::Strict ? " strict\n" : "\n");
    return std::optional<std::string>("Field 'X' must be a string");
  };
  const auto task = [](std::string_view resource) {
    return R"({"Type":"Task","Resource":")" + std::string(resource) + R"(","End":true})";
  };
  EXPECT_EQ(shown(test_state(mocked(task("arn:aws:states:::batch:submitJob.sync"), "{}"), checking)),
            "ValidationException: Mock result schema validation error: Field 'X' must be a string");
  TestStateRequest present = mocked(task("arn:aws:states:::aws-sdk:s3:getObject"), "{}");
  present.mock->strictness = Strictness::Present;
  EXPECT_FALSE(test_state(present, checking).has_value());
  EXPECT_EQ(asked, "batch.submitJob waits strict\naws-sdk:s3.getObject\n");
  present.mock->strictness = Strictness::None;
  EXPECT_TRUE(test_state(present, checking).has_value());
  EXPECT_TRUE(test_state(mocked(task("arn:aws:states:::sqs:sendMessage.waitForTaskToken"), "1"), checking)
                  .has_value());
}

}  // namespace
}  // namespace stoker::workflow
