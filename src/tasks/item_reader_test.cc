#include "tasks/item_reader.h"

#include <gtest/gtest.h>

#include "core/workflow/definition/definition.h"
#include "rt/file.h"
#include "tasks/fake_endpoint.h"
#include "tasks/result_writer.h"

namespace stoker::tasks {
namespace {

const std::string kGet = "arn:aws:states:::s3:getObject";
const std::string kList = "arn:aws:states:::s3:listObjectsV2";
const std::string kPut = "arn:aws:states:::s3:putObject";

asl::ItemReader reader(std::string type) {
  asl::ItemReader out;
  out.input_type = std::move(type);
  if (out.input_type == "CSV") out.csv_header_location = "FIRST_ROW";
  return out;
}

// "ITEMS from SOURCE", or the cause of the failure.
std::string read(const Options& options, const asl::ItemReader& as, std::string_view arguments,
                 std::int64_t items_max = 0, const std::string& resource = kGet) {
  Caller caller(options);
  const auto got =
      read_items({.resource = resource,
                  .arguments = std::make_shared<const json::Value>(json::parse(arguments).value()),
                  .items_max = items_max,
                  .reader = &as},
                 options, caller);
  return got ? json::write(got->items) + " from " + got->source : "! " + got.error();
}

class InDirectory : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = rt::make_temporary_directory("/tmp/stoker-items-").value();
    options_.directories = {{"b", folder_}};
  }
  void TearDown() override { (void)rt::remove_tree(folder_); }
  void write(const std::string& name, std::string_view text) const {
    ASSERT_TRUE(rt::write_file_atomically(folder_ + "/" + name, text, {.durable = false}));
  }

  std::string folder_;
  Options options_;
};

TEST_F(InDirectory, ObjectsAreRead) {
  write("a.csv", "id\n1\n2\n");
  write("l.jsonl", "1\n2\n3\n");
  EXPECT_EQ(read(options_, reader("CSV"), R"({"Bucket":"b","Key":"a.csv"})"),
            R"([{"id":"1"},{"id":"2"}] from S3://b/a.csv)");
  EXPECT_EQ(read(options_, reader("JSONL"), R"({"Bucket":"b","Key":"l.jsonl"})", 2),
            "[1,2] from S3://b/l.jsonl");
  EXPECT_EQ(read(options_, reader("CSV"),
                 R"({"Bucket":"b","Key":"a.csv","VersionId":"null","ExpectedBucketOwner":"000000000000"})"),
            R"([{"id":"1"},{"id":"2"}] from S3://b/a.csv)");
}

TEST_F(InDirectory, ListingsAreItems) {
  write("b.txt", "12345");
  write("a.txt", "1");
  const std::string items = read(options_, reader(""), R"({"Bucket":"b"})", 1, kList);
  EXPECT_NE(items.find(R"("Key":"a.txt","Size":1,"StorageClass":"STANDARD"}] from S3://b/)"),
            std::string::npos)
      << items;
  asl::ItemReader load = reader("JSONL");
  load.transformation = "LOAD_AND_FLATTEN";
  EXPECT_EQ(read(options_, load, R"({"Bucket":"b"})", 0, kList), "[1,12345] from S3://b/");
}

TEST_F(InDirectory, FaultsSayWhatIsWrong) {
  write("a.csv", "id\n1\n");
  const auto csv = [&](std::string_view arguments) { return read(options_, reader("CSV"), arguments); };
  EXPECT_EQ(csv(R"({"Bucket":"b","Key":"none"})"),
            "! The specified key does not exist. (Service: S3, Status Code: 404, Request ID: )");
  EXPECT_EQ(csv(R"({"Bucket":"other","Key":"a.csv"})"), "! no endpoint for buckets is configured");
  EXPECT_EQ(csv(R"({"Bucket":"b","Key":"a.csv","VersionId":"7"})"),
            "! The specified version does not exist. (Service: S3, Status Code: 404, Request ID: )");
  EXPECT_EQ(csv(R"({"Bucket":"b","Key":"a.csv","ExpectedBucketOwner":"111111111111"})"),
            "! Access Denied (Service: S3, Status Code: 403, Request ID: )");
  EXPECT_NE(csv(R"({"Bucket":"b"})").find("Key"), std::string::npos);
  EXPECT_NE(csv(R"({"Bucket":"b","Key":"a.csv","Colour":"red"})").find("Colour"), std::string::npos);
  EXPECT_NE(csv(R"({"Bucket":"b","Key":"../a.csv"})").find("'Key' has an invalid format"), std::string::npos);
  EXPECT_EQ(
      read(options_, reader("CSV"), R"({"Bucket":"b","Key":"a.csv"})", 0, "arn:aws:states:::dynamodb:scan"),
      "! The resource arn:aws:states:::dynamodb:scan is not available in this server.");
}

TEST(AtAnEndpoint, ObjectsAreReadInPartsOfOneState) {
  FakeEndpoint endpoint;
  const Options options{.s3 = {.url = endpoint.url()}};
  endpoint.answer(
      {.status = 206, .headers = {{"ETag", "\"e\""}, {"Content-Range", "bytes 0-3/9"}}, .body = "id\n1"});
  endpoint.answer(
      {.status = 206, .headers = {{"ETag", "\"e\""}, {"Content-Range", "bytes 4-8/9"}}, .body = "0\n20\n"});
  EXPECT_EQ(read(options, reader("CSV"),
                 R"({"Bucket":"b","Key":"a b","VersionId":"v+1","ExpectedBucketOwner":"42"})"),
            R"([{"id":"10"},{"id":"20"}] from S3://b/a b)");
  const auto requests = endpoint.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].target, "/b/a%20b?versionId=v%2B1");
  EXPECT_EQ(requests[0].header("x-amz-expected-bucket-owner"), "42");
  EXPECT_EQ(requests[0].header("if-match"), "");
  EXPECT_EQ(requests[1].header("range"), "bytes=4-8388611");
  EXPECT_EQ(requests[1].header("if-match"), "\"e\"");
}

TEST(AtAnEndpoint, AnObjectThatChangesMeanwhileIsAFault) {
  FakeEndpoint endpoint;
  const Options options{.s3 = {.url = endpoint.url()}};
  endpoint.answer(
      {.status = 206, .headers = {{"ETag", "\"e\""}, {"Content-Range", "bytes 0-1/9"}}, .body = "id"});
  endpoint.answer(
      {.status = 412, .body = "<Error><Code>PreconditionFailed</Code><Message>changed</Message></Error>"});
  EXPECT_EQ(read(options, reader("CSV"), R"({"Bucket":"b","Key":"k"})"),
            "! changed (Service: S3, Status Code: 412, Request ID: )");
}

TEST(AtAnEndpoint, EmptyObjectsAndOnesWithoutParts) {
  FakeEndpoint endpoint;
  const Options options{.s3 = {.url = endpoint.url()}};
  endpoint.answer({.status = 416, .body = "<Error><Code>InvalidRange</Code></Error>"});
  endpoint.answer({.status = 200, .body = "id\n1\n"});
  EXPECT_EQ(read(options, reader("CSV"), R"({"Bucket":"b","Key":"k"})"), "[] from S3://b/k");
  EXPECT_EQ(read(options, reader("CSV"), R"({"Bucket":"b","Key":"k"})"), R"([{"id":"1"}] from S3://b/k)");
}

// ---- results ----

dataset::ChildResult result(std::string output) {
  return {.arn = "arn:child", .name = "c", .status = "SUCCEEDED", .output = std::move(output)};
}

// The place, or the cause of the failure.
std::string write_pages(const Options& options, std::string_view arguments,
                        std::vector<std::vector<dataset::ChildResult>> pages,
                        const std::string& resource = kPut) {
  asl::ResultWriter writer;
  writer.transformation = "COMPACT";
  Caller caller(options);
  std::size_t page = 0;
  const auto written = write_results(
      {.resource = resource,
       .arguments = std::make_shared<const json::Value>(json::parse(arguments).value()),
       .map_run_arn = "arn:aws:states:r:a:mapRun:m/L:run-1",
       .machine_arn = "arn:machine",
       .writer = &writer,
       .items = std::make_shared<const json::Value>(json::parse("[1,2,3]").value()),
       .first_pending = 2},
      [&]() -> Result<std::vector<dataset::ChildResult>> {
        return page < pages.size() ? pages[page++] : std::vector<dataset::ChildResult>();
      },
      options, caller);
  return written ? json::write(*written) : "! " + written.error();
}

TEST_F(InDirectory, ResultsAreFilesBelowTheRun) {
  for (int i = 0; i < 2; ++i) {  // writing them again changes nothing
    EXPECT_EQ(write_pages(options_, R"({"Bucket":"b","Prefix":"p/q"})",
                          {{result("1"), result("2")}, {result("3")}}),
              R"({"Bucket":"b","Key":"p/q/run-1/manifest.json"})");
    EXPECT_EQ(rt::read_file(folder_ + "/p/q/run-1/SUCCEEDED_0.json").value(), "[1,2,3]");
    EXPECT_EQ(json::parse(rt::read_file(folder_ + "/p/q/run-1/PENDING_0.json").value())->get_array().size(),
              1U);
  }
  EXPECT_EQ(write_pages(options_, R"({"Bucket":"b"})", {}), R"({"Bucket":"b","Key":"run-1/manifest.json"})");
}

TEST_F(InDirectory, ResultsThatCannotBeWrittenAreAFault) {
  EXPECT_EQ(write_pages(options_, R"({"Bucket":"none"})", {{result("1")}}),
            "! no endpoint for buckets is configured");
  EXPECT_EQ(write_pages(options_, R"({"Bucket":"b","Prefix":"/p"})", {{result("1")}}),
            "! The key is no path below a directory (Service: S3, Status Code: 400, Request ID: )");
  EXPECT_NE(write_pages(options_, R"({"Prefix":"p"})", {}).find("Bucket"), std::string::npos);
  EXPECT_EQ(write_pages(options_, R"({"Bucket":"b"})", {}, kGet),
            "! The resource arn:aws:states:::s3:getObject is not available in this server.");
}

}  // namespace
}  // namespace stoker::tasks
