#include "core/workflow/dataset/result_files.h"

#include <map>

#include <gtest/gtest.h>

#include "core/workflow/definition/definition.h"
#include "json/json.h"

namespace stoker::dataset {
namespace {

const ResultFiles::Place kPlace{.bucket = "b", .folder = "p/run/", .map_run_arn = "arn:run"};

ChildResult succeeded(std::string output) {
  return {.arn = "arn:child",
          .name = "child",
          .status = "SUCCEEDED",
          .input = R"({"a":1})",
          .output = std::move(output),
          .started_at = {1'700'000'000'000},
          .stopped_at = {1'700'000'000'250}};
}
ChildResult failed(std::string status) {
  return {.arn = "arn:child",
          .name = "child",
          .status = std::move(status),
          .express = true,
          .input = "1",
          .error = "Broken",
          .cause = "it broke",
          .started_at = {1'700'000'000'000},
          .stopped_at = {1'700'000'000'250},
          .redrive_count = 2};
}

struct Written {
  std::map<std::string, std::string> files;
  std::vector<std::string> order;
  ResultFiles::Put put() {
    return [this](const std::string& name, std::string body) {
      files[name] = std::move(body);
      order.push_back(name);
      return Result<void>();
    };
  }
};

asl::ResultWriter writer(std::string transformation, std::string type) {
  asl::ResultWriter out;
  out.transformation = std::move(transformation);
  out.output_type = std::move(type);
  return out;
}

Written write(const asl::ResultWriter& as, const std::vector<ChildResult>& results) {
  Written out;
  ResultFiles files(as, "arn:machine", out.put());
  for (const ChildResult& result : results) EXPECT_TRUE(files.add(result));
  EXPECT_TRUE(files.finish(kPlace));
  return out;
}

TEST(ResultFiles, WithoutAConfigurationHaveTheMetadata) {
  const auto out = write(writer("", ""), {succeeded("[1]"), failed("TIMED_OUT")});
  EXPECT_EQ(
      out.files.at("SUCCEEDED_0.json"),
      R"([{"ExecutionArn":"arn:child","Input":"{\"a\":1}","InputDetails":{"Included":true},"Name":"child","Output":"[1]",)"
      R"("OutputDetails":{"Included":true},"RedriveCount":0,"RedriveStatus":"NOT_REDRIVABLE",)"
      R"("RedriveStatusReason":"Execution is SUCCEEDED and cannot be redriven","StartDate":"2023-11-14T22:13:20.000Z",)"
      R"("StateMachineArn":"arn:machine","Status":"SUCCEEDED","StopDate":"2023-11-14T22:13:20.250Z"}])");
  EXPECT_EQ(
      out.files.at("FAILED_0.json"),
      R"([{"Cause":"it broke","Error":"Broken","ExecutionArn":"arn:child","Input":"1","InputDetails":{"Included":true},)"
      R"("Name":"child","OutputDetails":{"Included":true},"RedriveCount":2,"RedriveStatus":"REDRIVABLE_BY_MAP_RUN",)"
      R"("StartDate":"2023-11-14T22:13:20.000Z","StateMachineArn":"arn:machine","Status":"TIMED_OUT",)"
      R"("StopDate":"2023-11-14T22:13:20.250Z"}])");
  EXPECT_EQ(out.order, (std::vector<std::string>{"SUCCEEDED_0.json", "FAILED_0.json", "manifest.json"}));
  EXPECT_EQ(
      out.files.at("manifest.json"),
      R"({"DestinationBucket":"b","MapRunArn":"arn:run","ResultFiles":{"FAILED":[{"Key":"p/run/FAILED_0.json","Size":)" +
          std::to_string(out.files.at("FAILED_0.json").size()) +
          R"(}],"PENDING":[],"SUCCEEDED":[{"Key":"p/run/SUCCEEDED_0.json","Size":)" +
          std::to_string(out.files.at("SUCCEEDED_0.json").size()) + "}]}}");
}

TEST(ResultFiles, AreTransformed) {
  struct Row {
    const char* transformation;
    const char* type;
    const char* file;
    const char* text;
  };
  const std::vector<ChildResult> results = {succeeded("{\"n\":1}"), succeeded(" [ 2, [3] ]"), succeeded("[]"),
                                            succeeded("\"x\"")};
  for (const Row& row : std::initializer_list<Row>{
           {"COMPACT", "JSON", "SUCCEEDED_0.json", R"([{"n":1}, [ 2, [3] ],[],"x"])"},
           {"COMPACT", "JSONL", "SUCCEEDED_0.jsonl", "{\"n\":1}\n [ 2, [3] ]\n[]\n\"x\"\n"},
           {"FLATTEN", "JSON", "SUCCEEDED_0.json", R"([{"n":1},2, [3],"x"])"},
           {"FLATTEN", "JSONL", "SUCCEEDED_0.jsonl", "{\"n\":1}\n2\n[3]\n\"x\"\n"}})
    EXPECT_EQ(write(writer(row.transformation, row.type), results).files[row.file], row.text)
        << row.transformation << " " << row.type;
}

TEST(ResultFiles, FailedChildrenKeepTheirMetadata) {
  const auto out = write(writer("COMPACT", "JSONL"), {failed("ABORTED")});
  EXPECT_EQ(json::get_string(json::parse(out.files.at("FAILED_0.jsonl")).value(), "Status"), "ABORTED");
}

TEST(ResultFiles, ItemsThatWereNotStartedArePending) {
  Written out;
  const asl::ResultWriter as;
  ResultFiles files(as, "arn:machine", out.put());
  ASSERT_TRUE(files.add_pending("{\"a\":1}"));
  ASSERT_TRUE(files.finish(kPlace));
  EXPECT_EQ(
      out.files.at("PENDING_0.json"),
      R"([{"Input":"{\"a\":1}","InputDetails":{"Included":true},"StateMachineArn":"arn:machine","Status":"PENDING"}])");
}

TEST(ResultFiles, ALargeFileIsFollowedByAnother) {
  const ChildResult large = succeeded('"' + std::string(kResultFileBytesMax / 2, 'x') + '"');
  const auto out = write(writer("COMPACT", "JSON"), {large, large, large});
  EXPECT_EQ(out.order, (std::vector<std::string>{"SUCCEEDED_0.json", "SUCCEEDED_1.json", "manifest.json"}));
  EXPECT_EQ(json::parse(out.files.at("SUCCEEDED_0.json"), {.bytes_max = 64u << 20})->get_array().size(), 2u);
  EXPECT_EQ(json::parse(out.files.at("SUCCEEDED_1.json"), {.bytes_max = 64u << 20})->get_array().size(), 1u);
}

TEST(ResultFiles, NothingAtAllIsAManifest) {
  EXPECT_EQ(
      write(writer("", ""), {}).files.at("manifest.json"),
      R"({"DestinationBucket":"b","MapRunArn":"arn:run","ResultFiles":{"FAILED":[],"PENDING":[],"SUCCEEDED":[]}})");
}

TEST(ResultFiles, AFaultOfTheStoreEndsIt) {
  const asl::ResultWriter as;
  ResultFiles files(as, "arn:machine", [](const std::string&, std::string) {
    return Result<void>(fail(Code::Io, "disk full"));
  });
  ASSERT_TRUE(files.add(succeeded("1")));
  EXPECT_EQ(files.finish(kPlace).error().message, "disk full");
}

}  // namespace
}  // namespace stoker::dataset
