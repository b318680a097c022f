#include "tasks/lambda.h"

#include "tasks/fake_endpoint.h"

namespace stoker::tasks {
namespace {

const std::string kInvoke = "arn:aws:states:::lambda:invoke";
const std::string kFunction = "arn:aws:lambda:us-east-1:123456789012:function:resize:live";

class LambdaTest : public testing::Test {
 protected:
  FakeEndpoint endpoint_;
  Harness harness_{{.lambda = {.url = endpoint_.url() + "/base/"}}};
};

TEST_F(LambdaTest, InvokesByTheApi) {
  endpoint_.answer({.headers = {{"X-Amz-Executed-Version", "7"},
                                {"x-amzn-RequestId", "r-1"},
                                {"Content-Type", "application/json"}},
                    .body = R"({"width":10})"});
  const TaskResult result =
      harness_.run(kInvoke, R"({"FunctionName":"resize","Payload":{"image":"a b"},"Qualifier":"live"})");
  ASSERT_TRUE(result) << result.error().cause;
  EXPECT_EQ(json::write(result->at("Payload")), R"({"width":10})");
  EXPECT_EQ(result->at("ExecutedVersion"), "7");
  EXPECT_EQ(result->at("StatusCode"), 200);
  EXPECT_EQ(result->at("SdkResponseMetadata").at("RequestId"), "r-1");
  EXPECT_EQ(result->at("SdkHttpMetadata").at("HttpStatusCode"), 200);
  EXPECT_EQ(result->at("SdkHttpMetadata").at("HttpHeaders").at("Content-Type"), "application/json");
  EXPECT_EQ(result->at("SdkHttpMetadata").at("AllHttpHeaders").at("Content-Type").at(0), "application/json");
  std::string members;
  for (const auto& member : result->get_object()) members += std::string(member.key()) + " ";
  EXPECT_EQ(members, "ExecutedVersion Payload SdkHttpMetadata SdkResponseMetadata StatusCode ");

  const auto requests = endpoint_.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/base/2015-03-31/functions/resize/invocations?Qualifier=live");
  EXPECT_EQ(requests[0].body, R"({"image":"a b"})");
  EXPECT_EQ(requests[0].header("host"), endpoint_.address());
  EXPECT_EQ(requests[0].header("idempotency-key").size(), 64U);
  EXPECT_EQ(requests[0].header("authorization"), "");
}

TEST_F(LambdaTest, AFunctionArnIsItsPayload) {
  endpoint_.answer({.body = "[1,2]"});
  EXPECT_EQ(harness_.text(kFunction, R"({"a":1})"), "[1,2]");
  EXPECT_EQ(endpoint_.requests()[0].target, "/base/2015-03-31/functions/resize/invocations?Qualifier=live");
  EXPECT_EQ(endpoint_.requests()[0].body, R"({"a":1})");
}

TEST_F(LambdaTest, ABodyThatIsNoJsonIsAText) {
  endpoint_.answer({.body = "plain\xff"});
  EXPECT_EQ(harness_.text(kFunction, "{}"), "\"plain\xef\xbf\xbd\"");
}

TEST_F(LambdaTest, TheErrorOfAFunctionIsTheErrorOfTheTask) {
  const std::string body = R"({"errorMessage":"no such image","errorType":"ImageError","stackTrace":[]})";
  endpoint_.answer({.headers = {{"X-Amz-Function-Error", "Unhandled"}}, .body = body});
  EXPECT_EQ(harness_.text(kInvoke, R"({"FunctionName":"f"})"), "ImageError: " + body);
  EXPECT_EQ(harness_.text(kFunction, "{}"), "ImageError: " + body);
}

TEST_F(LambdaTest, AnErrorWithoutATypeIsUnknown) {
  endpoint_.answer(
      {.headers = {{"X-Amz-Function-Error", "Unhandled"}}, .body = R"({"errorMessage":"exit 1"})"});
  EXPECT_EQ(harness_.text(kInvoke, R"({"FunctionName":"f"})"),
            "Lambda.Unknown: The cause could not be determined because Lambda did not return an error type. "
            R"(Returned payload: {"errorMessage":"exit 1"})");
}

TEST_F(LambdaTest, AnErrorOfTheApiHasItsName) {
  endpoint_.answer(
      {.status = 404,
       .headers = {{"x-amzn-ErrorType", "ResourceNotFoundException:http://x"}, {"x-amzn-RequestId", "r-2"}},
       .body = R"({"Type":"User","Message":"Function not found: f"})"});
  EXPECT_EQ(
      harness_.text(kInvoke, R"({"FunctionName":"f"})"),
      "Lambda.ResourceNotFoundException: Function not found: f (Service: AWSLambda; Status Code: 404; Error "
      "Code: ResourceNotFoundException; Request ID: r-2; Proxy: null)");
}

TEST_F(LambdaTest, ABusyEndpointIsAskedAgain) {
  endpoint_.answer({.status = 429});
  endpoint_.answer({.status = 503});
  endpoint_.answer({.body = "1"});
  EXPECT_EQ(harness_.text(kFunction, "{}"), "1");
  const auto requests = endpoint_.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].header("idempotency-key"), requests[2].header("idempotency-key"));
}

TEST_F(LambdaTest, ButNotForEver) {
  endpoint_.answer({.status = 503});
  EXPECT_TRUE(harness_.text(kFunction, "{}").starts_with("Lambda.ServiceException: "));
  EXPECT_EQ(endpoint_.requests().size(), static_cast<std::size_t>(kTriesMax));
}

TEST_F(LambdaTest, AnAnswerThatIsTooLargeIsAnErrorOfItsOwn) {
  endpoint_.answer({.body = std::string(kAnswerBytesMax + 1, '1')});
  EXPECT_EQ(
      harness_.text(kInvoke, R"({"FunctionName":"f"})"),
      "States.DataLimitExceeded: The state/task 'lambda' returned a result with a size exceeding the maximum "
      "number of bytes service limit.");
  EXPECT_EQ(harness_.text(kFunction, "{}"),
            "States.DataLimitExceeded: The state/task '" + kFunction +
                "' returned a result with a size exceeding the maximum number of bytes service limit.");
}

TEST_F(LambdaTest, ParametersAreChecked) {
  const TaskResult result = harness_.run(kInvoke, R"({"Payload":1,"Qualifier":2,"Other":3})");
  EXPECT_EQ(
      result.error(),
      (TaskFailure{.error = "States.Runtime",
                   .cause =
                       R"(The Parameters '{"Payload":1,"Qualifier":2,"Other":3}' could not be used to start )"
                       "the Task: [The field 'FunctionName' is required but was missing, The value for the "
                       "field 'Qualifier' must be a STRING, The field 'Other' is not supported by Step "
                       "Functions]",
                   .wrong_parameters = true}));
  EXPECT_TRUE(endpoint_.requests().empty());
}

TEST(Lambda, SignsWhereThereAreCredentials) {
  FakeEndpoint endpoint;
  Harness harness({.lambda = {.url = endpoint.url(),
                              .region = "eu-west-1",
                              .credentials = aws::Credentials{"KEY", "secret", ""}}});
  EXPECT_EQ(harness.text(kFunction, "{}"), "null");
  const std::string authorization(endpoint.requests()[0].header("authorization"));
  EXPECT_TRUE(authorization.starts_with("AWS4-HMAC-SHA256 Credential=KEY/")) << authorization;
  EXPECT_NE(authorization.find("/eu-west-1/lambda/aws4_request"), std::string::npos) << authorization;
}

TEST(Lambda, NobodyThereIsAnErrorOfTheClient) {
  Harness nobody({.lambda = {.url = "http://127.0.0.1:1"}});
  EXPECT_TRUE(nobody.text(kFunction, "{}")
                  .starts_with("Lambda.SdkClientException: Unable to execute HTTP request: "));
  Harness none({});
  EXPECT_EQ(none.text(kFunction, "{}"),
            "Lambda.SdkClientException: No endpoint for functions is configured on this server");
}

TEST(Lambda, ReadsNamesOfFunctions) {
  EXPECT_EQ(read_function_name("f"), (FunctionName{"f", ""}));
  EXPECT_EQ(read_function_name("f:7"), (FunctionName{"f", "7"}));
  EXPECT_EQ(read_function_name("123:function:f:live"), (FunctionName{"f", "live"}));
  EXPECT_EQ(read_function_name("arn:aws:lambda:r:a:function:f"), (FunctionName{"f", ""}));
  EXPECT_EQ(read_function_name("arn:aws:lambda:r:a:function:f:$LATEST"), (FunctionName{"f", "$LATEST"}));
}

}  // namespace
}  // namespace stoker::tasks
