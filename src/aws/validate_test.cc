#include "aws/validate.h"

#include <gtest/gtest.h>

#include "aws/shapes_table.h"

namespace stoker::aws {
namespace {

// The text of what is wrong with an input, "" when nothing is.
std::string fault(OperationId id, std::string_view input) {
  json::Value value = *json::parse(input, {.depth_max = 2000});
  const auto result = validate(operation(id).input, value);
  return result ? "" : result.error().message;
}
std::string batch_job(std::string_view more) {
  return fault(OperationId::BatchSubmitJob,
               R"({"jobName":"n","jobQueue":"q","jobDefinition":"d")" + std::string(more) + "}");
}

struct Row {
  OperationId operation;
  std::string_view input;
  std::string_view fault;
};

TEST(Validate, EachRuleHasItsText) {
  using enum OperationId;
  const Row rows[] = {
      {BatchSubmitJob, R"({"jobName":"n","jobQueue":"q"})",
       "1 validation error detected: Value null at 'jobDefinition' failed to satisfy constraint: Member must "
       "not be null"},
      {BatchSubmitJob, R"({"jobName":"n","jobQueue":null})",
       "2 validation errors detected: Value null at 'jobQueue' failed to satisfy constraint: Member must not "
       "be null; "
       "Value null at 'jobDefinition' failed to satisfy constraint: Member must not be null"},
      {BatchRegisterJobDefinition, R"({"jobDefinitionName":"n","type":"pod"})",
       "1 validation error detected: Value 'pod' at 'type' failed to satisfy constraint: Member must satisfy "
       "enum value "
       "set: [container, multinode]"},
      {BatchTagResource, R"({"resourceArn":"a","tags":{}})",
       "1 validation error detected: Value '{0 members}' at 'tags' failed to satisfy constraint: Member must "
       "have length "
       "greater than or equal to 1"},
      {BatchTagResource, R"({"resourceArn":"a","tags":{"":"x"}})",
       "1 validation error detected: Value '' at 'tags' failed to satisfy constraint: Map keys must satisfy "
       "constraint: "
       "[Member must have length greater than or equal to 1]"},
      {BatchUntagResource, R"({"resourceArn":"a","tagKeys":["k",""]})",
       "1 validation error detected: Value '' at 'tagKeys.2.member' failed to satisfy constraint: Member "
       "must have length "
       "greater than or equal to 1"},
      {BatchDescribeJobs, R"({"jobs":["a",null]})",
       "1 validation error detected: Value null at 'jobs.2.member' failed to satisfy constraint: Member must "
       "not be null"},
      {BatchDescribeJobs, R"({"jobs":"a"})",
       "1 validation error detected: Value 'a' at 'jobs' failed to satisfy constraint: Member must be a "
       "list"},
      {BatchListJobs, R"({"maxResults":1.5})",
       "1 validation error detected: Value '1.5' at 'maxResults' failed to satisfy constraint: Member must "
       "be a whole "
       "number of 32 bits"},
      {BatchListJobs, R"({"maxResults":2147483648})",
       "1 validation error detected: Value '2147483648' at 'maxResults' failed to satisfy constraint: Member "
       "must be a "
       "whole number of 32 bits"},
      {LogsGetLogEvents, R"({"logStreamName":"a:b","limit":0})",
       "2 validation errors detected: Value 'a:b' at 'logStreamName' failed to satisfy constraint: Member "
       "must satisfy "
       "regular expression pattern: [^:*]*; Value '0' at 'limit' failed to satisfy constraint: Member must "
       "have value "
       "greater than or equal to 1"},
      {LogsGetLogEvents, R"({"logStreamName":"a","limit":10001})",
       "1 validation error detected: Value '10001' at 'limit' failed to satisfy constraint: Member must have "
       "value less "
       "than or equal to 10000"},
  };
  for (const Row& row : rows) EXPECT_EQ(fault(row.operation, row.input), row.fault) << row.input;
}

TEST(Validate, GoodInputsPass) {
  EXPECT_EQ(batch_job(""), "");
  EXPECT_EQ(batch_job(R"(,"arrayProperties":{"size":4},"tags":{"a":""},"containerOverrides":{"environment":
      [{"name":"A","value":"1"}],"resourceRequirements":[{"type":"GPU","value":"1"}]})"),
            "");
  EXPECT_EQ(
      fault(OperationId::BatchCreateSchedulingPolicy,
            R"({"name":"n","fairsharePolicy":{"shareDistribution":[{"shareIdentifier":"a","weightFactor":1},
                  {"shareIdentifier":"b","weightFactor":0.5}]}})"),
      "");
}

TEST(Validate, UnknownMembersAreIgnored) {
  EXPECT_EQ(batch_job(R"(,"brandNew":{"deep":[1,2]})"), "");
}

TEST(Validate, NullMembersAreTakenOut) {
  json::Value value =
      *json::parse(R"({"a":null,"jobName":"n","jobQueue":"q","tags":{"x":null,"y":"z"},"jobDefinition":"d",
      "timeout":null,"parameters":{"p":null}})");
  ASSERT_TRUE(validate(operation(OperationId::BatchSubmitJob).input, value));
  EXPECT_EQ(json::write(value),
            R"({"jobName":"n","jobQueue":"q","tags":{"y":"z"},"jobDefinition":"d","parameters":{}})");
}

TEST(Validate, LengthsCountCharactersNotBytes) {
  std::string key, longer;
  for (int i = 0; i < 128; ++i) key += "ä";
  longer = key + "ä";
  const std::string start = R"({"resourceArn":"a","tags":{")";
  EXPECT_EQ(fault(OperationId::BatchTagResource, start + key + R"(":"v"}})"), "");
  EXPECT_NE(fault(OperationId::BatchTagResource, start + longer + R"(":"v"}})"), "");
}

TEST(Validate, ManyFaultsAreCut) {
  std::string input = R"({"jobs":[)";
  for (int i = 0; i < 1000; ++i) input += "1,";
  const std::string text = fault(OperationId::BatchDescribeJobs, input + "1]}");
  EXPECT_TRUE(text.starts_with("10 and more validation errors detected: ")) << text;
  EXPECT_LT(text.size(), 2000u);
}

TEST(Validate, LongValuesAreQuotedInPart) {
  const std::string text =
      fault(OperationId::LogsGetLogEvents, R"({"logStreamName":")" + std::string(10000, 'x') + "\"}");
  EXPECT_LT(text.size(), 600u);
  EXPECT_NE(text.find("xxx...'"), std::string::npos) << text;
}

TEST(Validate, SensitiveValuesAreNotQuoted) {
  const std::string text = fault(OperationId::StatesSendTaskFailure,
                                 R"({"taskToken":"t","cause":")" + std::string(40000, 'x') + "\"}");
  EXPECT_NE(text.find("Value '***' at 'cause'"), std::string::npos) << text;
}

TEST(Validate, EveryPatternOfTheTableIsUnderstood) {
  compile_patterns();
}

TEST(Validate, EveryShapeSurvivesEveryKindOfValue) {
  const std::string_view values[] = {
      "null", "true",   "0",      "-1.5", "18446744073709551615", "\"\"", "\"x\"",
      "[]",   "[null]", "[[[]]]", "{}",   R"({"a":{"b":null}})"};
  for (ShapeId id = 0; id < shapes().size(); ++id) {
    for (const auto text : values) {
      json::Value value = *json::parse(text);
      (void)validate(id, value);
      (void)faults_of_answer(id, value);
    }
  }
}

TEST(FaultsOfAnswer, NameMembersThatTheModelDoesNotHave) {
  const ShapeId output = operation(OperationId::BatchSubmitJob).output;
  EXPECT_TRUE(faults_of_answer(output, *json::parse(R"({"jobName":"a","jobId":"b"})")).empty());
  EXPECT_EQ(faults_of_answer(output, *json::parse(R"({"jobName":"a","jobID":"b"})")).size(), 2u);
}

}  // namespace
}  // namespace stoker::aws
