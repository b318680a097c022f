#include "aws/states/mock_check.h"

#include <gtest/gtest.h>

namespace stoker::aws {
namespace {

using workflow::Strictness;

std::string fault_of(std::string_view service, std::string_view api, std::string_view result,
                     Strictness strictness = Strictness::Strict, bool waits = false) {
  return check_mocked_response({.service = service, .api = api, .waits = waits}, *json::parse(result),
                               strictness)
      .value_or("");
}

TEST(CheckMockedResponse, SaysWhatTheApiWouldNotAnswer) {
  struct Case {
    std::string_view service, api, result, fault;
  };
  constexpr Case kCases[] = {
      {"batch", "submitJob", R"({"JobId":"1","JobName":"n"})", ""},
      {"batch", "submitJob", R"({"JobName":"n"})", "Required field 'JobId' is missing"},
      {"batch", "submitJob", R"({"jobId":"1","JobName":"n"})", "Required field 'JobId' is missing"},
      {"batch", "submitJob", R"({"JobId":1,"JobName":"n"})", "Field 'JobId' must be a string"},
      {"batch", "submitJob", "[]", "Field 'result' must be an object"},
      {"aws-sdk:batch", "listJobs", R"({"JobSummaryList":{}})", "Field 'JobSummaryList' must be an array"},
      {"states", "startExecution", R"({"ExecutionArn":"a","StartDate":1764103483})",
       "Field 'StartDate' must be a string"},
      {"aws-sdk:sfn", "describeExecution", R"({"Status":"LOST"})",
       "Required field 'ExecutionArn' is missing"},
      {"lambda", "invoke", R"({"StatusCode":"200"})", "Field 'StatusCode' must be a number"},
      {"lambda", "invoke", R"({"Payload":{"a":1}})", "Field 'Payload' must be a string"},
      {"lambda", "invoke", R"({"Unknown":{"a":1}})", ""},
      {"aws-sdk:lambda", "getFunction", R"({"Configuration":{"MemorySize":127}})",
       "Field 'MemorySize' is less than the minimum value"},
      {"dynamodb", "putItem", R"({"ConsumedCapacity":{"CapacityUnits":"1"}})",
       "Field 'CapacityUnits' must be a number"},
      {"events", "putEvents", R"({"Entries":[{"EventId":"1"},{"EventId":[]}]})",
       "Field 'EventId' must be a string"},
      {"aws-sdk:eventbridge", "putEvents", R"({"Entries":1})", "Field 'Entries' must be an array"},
      {"aws-sdk:kms", "encrypt", R"({"CiphertextBlob":""})",
       "Field 'CiphertextBlob' is smaller than the minimum length"},
      {"aws-sdk:s3", "getObject", R"({"StorageClass":"Papyrus"})",
       "Field 'StorageClass' is not an expected value"},
      {"aws-sdk:nobody", "knows", "7", ""},
  };
  for (const Case& one : kCases)
    EXPECT_EQ(fault_of(one.service, one.api, one.result), one.fault) << one.service << one.api << one.result;
}

TEST(CheckMockedResponse, OnlyStrictAsksForWhatIsMissing) {
  EXPECT_EQ(fault_of("batch", "submitJob", "{}", Strictness::Present), "");
  EXPECT_EQ(fault_of("batch", "submitJob", R"({"JobId":1})", Strictness::Present),
            "Field 'JobId' must be a string");
}

TEST(CheckMockedResponse, WhoWaitsGetsTheAnswerOfTheLastLook) {
  EXPECT_EQ(fault_of("batch", "submitJob", R"({"Jobs":[{"JobName":1}]})", Strictness::Present, true),
            "Field 'JobName' must be a string");
  EXPECT_EQ(fault_of("states", "startExecution", R"({"StateMachineArn":"a"})", Strictness::Strict, true),
            "Required field 'ExecutionArn' is missing");
  EXPECT_EQ(fault_of("ecs", "runTask", "7", Strictness::Strict, true), "");
}

}  // namespace
}  // namespace stoker::aws
