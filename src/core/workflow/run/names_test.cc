// Tokens, resources, ARNs and events: the names that leave the interpreter.
#include <gtest/gtest.h>

#include "core/workflow/run/history.h"
#include "core/workflow/run/program.h"
#include "core/workflow/run/resource.h"
#include "core/workflow/run/token.h"

namespace stoker::workflow {
namespace {

TEST(TaskToken, reads_back_what_it_writes_and_nothing_else) {
  const TaskToken token{1, 2, 0xfedcba9876543210ULL, 3};
  EXPECT_EQ(token.str().size(), 64u);
  EXPECT_EQ(TaskToken::parse(token.str()), token);
  std::string upper = token.str();
  upper[32] = 'F';
  for (const std::string& text : {std::string(), std::string("x"), token.str() + "0", token.str().substr(1),
                                  "g" + token.str().substr(1), upper})
    EXPECT_EQ(TaskToken::parse(text), std::nullopt) << text;
}

TEST(Resource, tells_the_integrations_apart) {
  struct Row {
    const char* arn;
    TaskKind kind;
    Pattern pattern;
    const char* service;
    const char* api;
    const char* name;
  };
  using enum Pattern;
  const std::vector<Row> rows = {
      {"arn:aws:states:::batch:submitJob", TaskKind::Service, RequestResponse, "batch", "submitJob",
       "submitJob"},
      {"arn:aws:states:::batch:submitJob.sync", TaskKind::Service, Sync, "batch", "submitJob",
       "submitJob.sync"},
      {"arn:aws:states:::states:startExecution.sync:2", TaskKind::Service, Sync2, "states", "startExecution",
       "startExecution.sync:2"},
      {"arn:aws:states:::sqs:sendMessage.waitForTaskToken", TaskKind::Service, WaitForTaskToken, "sqs",
       "sendMessage", "sendMessage.waitForTaskToken"},
      {"arn:aws:states:::aws-sdk:sfn:startExecution", TaskKind::Service, RequestResponse, "aws-sdk:sfn",
       "startExecution", "startExecution"},
      {"arn:aws:states:::http:invoke", TaskKind::Service, RequestResponse, "http", "invoke", "invoke"},
      {"arn:aws:states:r:1:activity:a", TaskKind::Activity, RequestResponse, "activity", "",
       "arn:aws:states:r:1:activity:a"},
      {"arn:aws:lambda:r:1:function:f:3", TaskKind::Lambda, RequestResponse, "lambda", "",
       "arn:aws:lambda:r:1:function:f:3"},
      {"", TaskKind::Service, RequestResponse, "", "", ""},
      {"nonsense", TaskKind::Service, RequestResponse, "", "", ""},
  };
  for (const Row& row : rows) {
    const Resource read = read_resource(row.arn);
    EXPECT_EQ(read.kind, row.kind) << row.arn;
    EXPECT_EQ(read.pattern, row.pattern) << row.arn;
    EXPECT_EQ(read.service, row.service) << row.arn;
    EXPECT_EQ(read.api, row.api) << row.arn;
    EXPECT_EQ(read.name, row.name) << row.arn;
  }
}

TEST(MapRunArns, come_from_the_execution_also_from_that_of_a_child) {
  for (const char* execution :
       {"arn:aws:states:r:1:execution:m:x", "arn:aws:states:r:1:execution:m/outer:x"}) {
    EXPECT_EQ(map_run_arn(execution, "L", "u"), "arn:aws:states:r:1:mapRun:m/L:u");
    EXPECT_EQ(map_child_arn(execution, "L", "u"), "arn:aws:states:r:1:execution:m/L:u");
    EXPECT_EQ(map_machine_arn(execution, "L"), "arn:aws:states:r:1:stateMachine:m/L");
  }
}

TEST(EventTypes, have_the_names_and_members_of_the_api) {
  EXPECT_EQ(name(EventType::ActivityFailed), "ActivityFailed");
  EXPECT_EQ(details_member(EventType::ActivityFailed), "activityFailedEventDetails");
  EXPECT_EQ(name(EventType::WaitStateExited), "WaitStateExited");
  EXPECT_EQ(details_member(EventType::WaitStateExited), "stateExitedEventDetails");
  EXPECT_EQ(details_member(EventType::FailStateEntered), "stateEnteredEventDetails");
  EXPECT_EQ(details_member(EventType::LambdaFunctionStarted), "");
  for (std::size_t i = 0; i < kEventTypeCount; ++i) EXPECT_FALSE(name(static_cast<EventType>(i)).empty());
}

}  // namespace
}  // namespace stoker::workflow
