#include "tasks/runner.h"

#include "tasks/fake_endpoint.h"

namespace stoker::tasks {
namespace {

const std::string kFunction = "arn:aws:lambda:us-east-1:123456789012:function:f";

TEST(Runner, KnowsItsResources) {
  for (const std::string_view resource :
       {"arn:aws:states:::lambda:invoke", "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "arn:aws-cn:states:::lambda:invoke", "arn:aws:lambda:r:a:function:f", "arn:aws:states:::http:invoke",
        "arn:aws:states:::aws-sdk:s3:getObject", "arn:aws:states:::aws-sdk:s3:putObject",
        "arn:aws:states:::aws-sdk:s3:listObjectsV2"})
    EXPECT_TRUE(does(resource)) << resource;
  for (const std::string_view resource :
       {"", "lambda:invoke", "arn:aws:states:::batch:submitJob.sync",
        "arn:aws:states:::aws-sdk:s3:deleteObject", "arn:aws:states:r:a:activity:f",
        "arn:aws:states:::lambda:invoke.sync"})
    EXPECT_FALSE(does(resource)) << resource;
}

TEST(Runner, DoesWhatItCannotDoAsAFailure) {
  Harness harness({});
  EXPECT_EQ(harness.text("arn:aws:states:::sqs:sendMessage", "{}"),
            "States.TaskFailed: This server does not do arn:aws:states:::sqs:sendMessage");
}

TEST(Runner, ATokenIsOneTask) {
  FakeEndpoint endpoint;
  endpoint.hang();
  Harness harness({.workers = 2, .lambda = {.url = endpoint.url()}});
  for (int i = 0; i < 3; ++i) harness.start("same", kFunction, "{}");
  ASSERT_TRUE(endpoint.wait_for_request());
  harness.start("same", kFunction, "{}");
  harness.runner().cancel("same");
  // A task behind it shows that the cancelled one had no outcome.
  harness.start("other", "arn:aws:states:::none", "{}");
  const auto outcomes = harness.wait(1);
  EXPECT_EQ(outcomes.front().token, "other");
  EXPECT_EQ(endpoint.requests().size(), 1U);
}

TEST(Runner, ACancelledTaskMakesRoomAtOnce) {
  FakeEndpoint endpoint;
  endpoint.hang();
  Harness harness({.workers = 1, .lambda = {.url = endpoint.url()}});
  harness.start("hangs", kFunction, "{}");
  ASSERT_TRUE(endpoint.wait_for_request());
  harness.start("waits", kFunction, "{}");
  harness.start("next", "arn:aws:states:::none", "{}");
  harness.runner().cancel("waits");
  harness.runner().cancel("hangs");
  EXPECT_EQ(harness.wait(1).front().token, "next");
  EXPECT_EQ(endpoint.requests().size(), 1U);
}

TEST(Runner, EndsWithWorkUnderWay) {
  FakeEndpoint endpoint;
  endpoint.hang();
  {
    Harness harness({.workers = 1, .lambda = {.url = endpoint.url()}});
    harness.start("a", kFunction, "{}");
    harness.start("b", kFunction, "{}");
    ASSERT_TRUE(endpoint.wait_for_request());
  }
  EXPECT_EQ(endpoint.requests().size(), 1U);
}

TEST(Runner, TooManyTasksFailAtOnce) {
  FakeEndpoint endpoint;
  endpoint.hang();
  Harness harness({.workers = 1, .waiting_max = 1, .lambda = {.url = endpoint.url()}});
  harness.start("a", kFunction, "{}");
  ASSERT_TRUE(endpoint.wait_for_request());
  harness.start("b", kFunction, "{}");
  harness.start("c", kFunction, "{}");
  const auto outcomes = harness.wait(1);
  EXPECT_EQ(outcomes.front().token, "c");
  EXPECT_EQ(outcomes.front().result.error().cause, "Too many tasks wait on this server");
}

}  // namespace
}  // namespace stoker::tasks
