#include "aws/route.h"

#include <gtest/gtest.h>

namespace stoker::aws {
namespace {

net::Request request(std::string method, std::string target, std::string body = "",
                     std::vector<net::Header> headers = {}) {
  return {std::move(method), std::move(target), std::move(headers), std::move(body)};
}
std::string name_of(const net::Request& r) {
  const auto found = find_operation(r);
  return found ? std::string((*found)->name)
               : found.error().name + ' ' + std::to_string(found.error().status);
}
std::string input_of(const net::Request& r) {
  const auto found = find_operation(r);
  if (!found) return found.error().name;
  const auto input = read_input(**found, r);
  return input ? json::write(*input) : input.error().name + ": " + input.error().message;
}
net::Request target(std::string operation, std::string body = "{}") {
  return request("POST", "/", std::move(body), {{"x-amz-TARGET", std::move(operation)}});
}

TEST(Operations, EachIsFoundByWhatItsClientsSend) {
  for (const Operation& each : operations()) {
    const std::string prefix(facts(each.service).target_prefix);
    std::string uri(each.uri);
    if (const std::size_t brace = uri.find('{'); brace != std::string::npos)
      uri.replace(brace, std::string::npos, "arn");
    const net::Request r = prefix.empty() ? request(std::string(each.method), uri)
                                          : target(prefix + '.' + std::string(each.name));
    const auto found = find_operation(r);
    ASSERT_TRUE(found) << each.name;
    EXPECT_EQ((*found)->id, each.id) << each.name;
    EXPECT_EQ(&operation(each.id), &each);
  }
  EXPECT_EQ(operations_of(Service::Batch).size(), 45u);
  EXPECT_EQ(operations_of(Service::States).size(), 37u);
}

TEST(Operations, UnknownOnesAreToldSo) {
  EXPECT_EQ(name_of(request("POST", "/v1/submitjobs")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("GET", "/v1/submitjob")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("POST", "/v1/submitjob/")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("POST", "/v1/")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("GET", "/v1/tags/")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("PUT", "/v1/tags/a")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("POST", "")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(request("POST", "/stoker/v1/nothing")), "UnknownOperationException 404");
  EXPECT_EQ(name_of(target("DynamoDB_20120810.ListTables")), "UnknownOperationException 400");
  EXPECT_EQ(name_of(target("AWSStepFunctions.Nothing")), "UnknownOperationException 400");
  EXPECT_EQ(name_of(target("AWSStepFunctions")), "UnknownOperationException 400");
}

TEST(Input, PathsCarryArnsEncodedOrNot) {
  const std::string expected = R"({"resourceArn":"arn:aws:batch:us-east-1:1:job/a#1"})";
  EXPECT_EQ(input_of(request("GET", "/v1/tags/arn%3Aaws%3Abatch%3Aus-east-1%3A1%3Ajob%2Fa%231")), expected);
  EXPECT_EQ(input_of(request("GET", "/v1/tags/arn:aws:batch:us-east-1:1:job/a%231")), expected);
  EXPECT_EQ(input_of(request("GET", "/v1/tags/a%2")),
            "ClientException: The path is not valid percent-encoding");
  EXPECT_EQ(input_of(request("GET", "/v1/tags/%ff")),
            "ClientException: The path is not valid percent-encoding");
}

TEST(Input, TheQueryCarriesRepeatedMembers) {
  EXPECT_EQ(input_of(request("DELETE", "/v1/tags/a?tagKeys=x%20y&other=1&tagKeys=z")),
            R"({"resourceArn":"a","tagKeys":["x y","z"]})");
  EXPECT_EQ(input_of(request("DELETE", "/v1/tags/a")),
            "ClientException: 1 validation error detected: Value null at 'tagKeys' failed to satisfy "
            "constraint: Member "
            "must not be null");
  std::string many = "/v1/tags/a?tagKeys=0";
  for (int i = 1; i < 51; ++i) many += "&tagKeys=" + std::to_string(i);
  EXPECT_NE(input_of(request("DELETE", many)).find("length less than or equal to 50"), std::string::npos);
}

TEST(Input, TheBodyCannotReplaceThePath) {
  EXPECT_EQ(input_of(request("POST", "/v1/tags/a", R"({"resourceArn":"b","tags":{"k":"v"}})")),
            R"({"resourceArn":"a","tags":{"k":"v"}})");
  EXPECT_EQ(input_of(request("DELETE", "/v1/tags/a", R"({"tagKeys":["b"]})")).find("ClientException"), 0u);
}

TEST(Input, AnEmptyBodyIsAnEmptyObject) {
  EXPECT_EQ(input_of(request("POST", "/v1/describejobqueues")), "{}");
  EXPECT_EQ(input_of(request("POST", "/v1/describejobqueues", "[]")),
            "ClientException: The body must be a JSON object");
  EXPECT_EQ(
      input_of(request("POST", "/v1/describejobqueues", "{")).find("ClientException: The body is not JSON: "),
      0u);
  EXPECT_EQ(input_of(target("Logs_20140328.GetLogEvents", "x")).find("InvalidParameterException"), 0u);
}

TEST(Answers, ErrorsAreWhatEachKindOfClientReads) {
  const Fault fault{"UnknownOperationException", 404, "no <such> \"thing\""};
  const net::Response rest = answer(Dialect::RestJson, fault, "id-1");
  EXPECT_EQ(rest.status, 404);
  EXPECT_EQ(rest.body, R"({"message":"no <such> \"thing\""})");
  EXPECT_EQ(rest.headers, (std::vector<net::Header>{{"Content-Type", "application/json"},
                                                    {"x-amzn-RequestId", "id-1"},
                                                    {"x-amzn-ErrorType", "UnknownOperationException"}}));
  EXPECT_EQ(answer(Dialect::Json10, fault, "").body,
            R"({"__type":"UnknownOperationException","message":"no <such> \"thing\""})");
  EXPECT_EQ(answer(dialect_of(target("X.Y")), fault, "").headers[0].value, "application/x-amz-json-1.1");
  const net::Request form = request("POST", "/", "Action=GetCallerIdentity",
                                    {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}});
  EXPECT_EQ(answer(dialect_of(form), fault, "r").body,
            "<ErrorResponse><Error><Type>Sender</Type><Code>UnknownOperationException</Code><Message>no "
            "&lt;such&gt; "
            "\"thing\"</Message></Error><RequestId>r</RequestId></ErrorResponse>");
  EXPECT_EQ(answer(Service::Batch, json::Value(), "x").body, "{}");
}

TEST(Answers, EveryCodeHasANameInEveryService) {
  for (const Service service : {Service::Batch, Service::Logs, Service::States, Service::Stoker}) {
    for (int code = 0; code <= static_cast<int>(Code::Internal); ++code) {
      const Fault fault = fault_of(service, {static_cast<Code>(code), "text"});
      EXPECT_NE(fault.name, "InternalFailure");
      EXPECT_GE(fault.status, 400);
    }
  }
  EXPECT_EQ(fault_of(Service::Batch, {Code::NotFound, ""}).name, "ClientException");
  EXPECT_EQ(fault_of(Service::States, {Code::NotFound, ""}, "Execution").name, "ExecutionDoesNotExist");
}

}  // namespace
}  // namespace stoker::aws
