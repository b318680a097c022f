#include "tasks/s3_task.h"

#include <sys/stat.h>
#include <unistd.h>

#include "rt/file.h"
#include "tasks/fake_endpoint.h"
#include "tasks/object_store.h"

namespace stoker::tasks {
namespace {

const std::string kGet = "arn:aws:states:::aws-sdk:s3:getObject";
const std::string kPut = "arn:aws:states:::aws-sdk:s3:putObject";
const std::string kList = "arn:aws:states:::aws-sdk:s3:listObjectsV2";

class S3Test : public testing::Test {
 protected:
  FakeEndpoint endpoint_;
  Harness harness_{{.s3 = {.url = endpoint_.url(), .credentials = aws::Credentials{"KEY", "secret", ""}}}};
};

TEST_F(S3Test, GetsObjects) {
  endpoint_.answer({.headers = {{"ETag", "\"e1\""},
                                {"Content-Type", "text/plain"},
                                {"Last-Modified", "Wed, 12 Oct 2009 17:50:00 GMT"},
                                {"x-amz-meta-Owner", "me"},
                                {"x-amz-version-id", "v1"}},
                    .body = "some text"});
  EXPECT_EQ(harness_.text(kGet, R"({"Bucket":"data","Key":"a b/c.txt"})"),
            R"({"AcceptRanges":"bytes","ContentLength":9,"ContentType":"text/plain","ETag":"\"e1\"",)"
            R"("LastModified":"2009-10-12T17:50:00.000Z","Metadata":{"owner":"me"},"VersionId":"v1",)"
            R"("Body":"some text"})");
  const net::Request request = endpoint_.requests().at(0);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/data/a%20b/c.txt");
  EXPECT_TRUE(request.header("authorization").find("/s3/aws4_request") != std::string_view::npos);
  EXPECT_EQ(request.header("x-amz-content-sha256").size(), 64U);
}

TEST_F(S3Test, PutsObjects) {
  endpoint_.answer({.headers = {{"ETag", "\"e2\""}}});
  EXPECT_EQ(
      harness_.text(kPut, R"({"Bucket":"data","Key":"k","Body":{"a":[1]},"ContentType":"application/json",
      "Metadata":{"Owner":"me"}})"),
      R"({"ETag":"\"e2\""})");
  EXPECT_EQ(harness_.text(kPut, R"({"Bucket":"data","Key":"k","Body":"as it is"})"), R"({"ETag":"\"e2\""})");
  const auto requests = endpoint_.requests();
  EXPECT_EQ(requests.at(0).method, "PUT");
  EXPECT_EQ(requests.at(0).body, R"({"a":[1]})");
  EXPECT_EQ(requests.at(0).header("content-type"), "application/json");
  EXPECT_EQ(requests.at(0).header("x-amz-meta-owner"), "me");
  EXPECT_EQ(requests.at(1).body, "as it is");
}

TEST_F(S3Test, ListsObjects) {
  endpoint_.answer({.body = R"(<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>data</Name><IsTruncated>true</IsTruncated>
    <Contents><Key>a&amp;b</Key><LastModified>2026-03-01T12:00:00.000Z</LastModified><ETag>&quot;e&quot;</ETag>
    <Size>12</Size><StorageClass>GLACIER</StorageClass></Contents>
    <CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes>
    <NextContinuationToken>t+1</NextContinuationToken></ListBucketResult>)"});
  EXPECT_EQ(
      harness_.text(kList, R"({"Bucket":"data","Prefix":"p q","Delimiter":"/","MaxKeys":5,
      "ContinuationToken":"t=0","StartAfter":"o"})"),
      R"({"CommonPrefixes":[{"Prefix":"c/"}],"Contents":[{"ETag":"\"e\"","Key":"a&b",)"
      R"("LastModified":"2026-03-01T12:00:00.000Z","Size":12,"StorageClass":"GLACIER"}],"Delimiter":"/",)"
      R"("IsTruncated":true,"KeyCount":2,"MaxKeys":5,"Name":"data","NextContinuationToken":"t+1","Prefix":"p q"})");
  EXPECT_EQ(endpoint_.requests().at(0).target,
            "/data?continuation-token=t%3D0&delimiter=%2F&list-type=2&max-keys=5&prefix=p%20q&start-after=o");
}

TEST_F(S3Test, ErrorsHaveTheNamesOfTheSdk) {
  endpoint_.answer({.status = 404,
                    .body =
                        "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message>"
                        "<RequestId>r9</RequestId></Error>"});
  EXPECT_EQ(harness_.text(kGet, R"({"Bucket":"data","Key":"k"})"),
            "S3.NoSuchKeyException: The specified key does not exist. (Service: S3, Status Code: 404, "
            "Request ID: r9)");
}

TEST_F(S3Test, ABusyEndpointIsAskedAgain) {
  endpoint_.answer({.status = 503, .body = "<Error><Code>SlowDown</Code></Error>"});
  endpoint_.answer({.headers = {{"ETag", "\"e\""}}});
  EXPECT_EQ(harness_.text(kPut, R"({"Bucket":"data","Key":"k","Body":"x"})"), R"({"ETag":"\"e\""})");
  EXPECT_EQ(endpoint_.requests().size(), 2U);
}

TEST_F(S3Test, ObjectsThatAreTooLargeAreRefused) {
  endpoint_.answer({.body = std::string(kAnswerBytesMax + 1, 'x')});
  EXPECT_TRUE(
      harness_.text(kGet, R"({"Bucket":"data","Key":"k"})").starts_with("States.DataLimitExceeded: "));
}

TEST_F(S3Test, NamesThatLeadElsewhereAreRefused) {
  for (const std::string_view parameters :
       {R"({"Bucket":"a/b","Key":"k"})", R"({"Bucket":"..","Key":"k"})", R"({"Bucket":"data","Key":"../x"})",
        R"({"Bucket":"data","Key":"a/./x"})", R"({"Bucket":"data"})", R"({"Bucket":"data","Key":1})"}) {
    const TaskResult result = harness_.run(kGet, parameters);
    ASSERT_FALSE(result) << parameters;
    EXPECT_TRUE(result.error().wrong_parameters) << parameters;
  }
  EXPECT_TRUE(endpoint_.requests().empty());
}

class DirectoryTest : public testing::Test {
 protected:
  DirectoryTest() {
    EXPECT_TRUE(rt::make_directories(root_ + "/bucket/sub"));
    write("/secret", "outside");
  }
  ~DirectoryTest() override { (void)rt::remove_tree(root_); }
  void write(const std::string& name, std::string_view content) {
    ASSERT_TRUE(rt::write_file_atomically(root_ + name, content, {.durable = false}));
  }
  std::string get(std::string_view key) {
    const TaskResult result = harness_.run(kGet, R"({"Bucket":"local","Key":")" + std::string(key) + "\"}");
    return result ? std::string(json::text(result->at("Body"))) : result.error().error;
  }
  std::string put(std::string_view key, std::string_view body) {
    const TaskResult result = harness_.run(kPut, R"({"Bucket":"local","Key":")" + std::string(key) +
                                                     R"(","Body":")" + std::string(body) + "\"}");
    return result ? "written" : result.error().error;
  }
  std::string list(std::string_view more) {
    const TaskResult result = harness_.run(kList, R"({"Bucket":"local")" + std::string(more) + "}");
    if (!result) return result.error().error;
    std::string out;
    for (const json::Value& object : json::get_array(*result, "Contents"))
      out += std::string(json::get_string(object, "Key")) + " ";
    for (const json::Value& prefix : json::get_array(*result, "CommonPrefixes"))
      out += "[" + std::string(json::get_string(prefix, "Prefix")) + "] ";
    const std::string_view next = json::get_string(*result, "NextContinuationToken");
    return next.empty() ? out : out + "then " + std::string(next);
  }

  std::string root_ = rt::make_temporary_directory("/tmp/stoker-tasks-test-").value();
  Harness harness_{{.directories = {{"local", root_ + "/bucket"}, {"gone", root_ + "/gone"}}}};
};

TEST_F(DirectoryTest, HoldsObjects) {
  EXPECT_EQ(put("a.txt", "one"), "written");
  EXPECT_EQ(put("deep/er/b.txt", "two"), "written");
  EXPECT_EQ(put("a.txt", "three"), "written");
  EXPECT_EQ(get("a.txt"), "three");
  EXPECT_EQ(get("deep/er/b.txt"), "two");
  EXPECT_EQ(rt::read_file(root_ + "/bucket/deep/er/b.txt").value(), "two");
  EXPECT_EQ(rt::list_directory(root_ + "/bucket").value(),
            (std::vector<std::string>{"a.txt", "deep", "sub"}));
}

TEST_F(DirectoryTest, SaysWhatIsNotThere) {
  EXPECT_EQ(get("none"), "S3.NoSuchKeyException");
  EXPECT_EQ(get("none/below"), "S3.NoSuchKeyException");
  EXPECT_EQ(get("sub"), "S3.NoSuchKeyException");
  EXPECT_EQ(
      harness_.text(kGet, R"({"Bucket":"gone","Key":"k"})"),
      "S3.NoSuchBucketException: The specified bucket does not exist (Service: S3, Status Code: 404, Request "
      "ID: )");
  EXPECT_EQ(put("sub", "x"), "S3.InternalErrorException");
  EXPECT_EQ(put("sub/", "x"), "S3.InvalidRequestException");
  EXPECT_EQ(put("a//b", "x"), "S3.InvalidRequestException");
}

TEST_F(DirectoryTest, IsNeverLeft) {
  ASSERT_EQ(symlink((root_ + "/secret").c_str(), (root_ + "/bucket/file").c_str()), 0);
  ASSERT_EQ(symlink(root_.c_str(), (root_ + "/bucket/up").c_str()), 0);
  EXPECT_EQ(get("file"), "S3.NoSuchKeyException");
  EXPECT_EQ(get("up/secret"), "S3.NoSuchKeyException");
  EXPECT_EQ(put("up/new", "x"), "S3.InvalidRequestException");
  EXPECT_FALSE(rt::file_exists(root_ + "/new"));
  EXPECT_EQ(list(""), "");
  // A link is replaced, not followed.
  EXPECT_EQ(put("file", "inside"), "written");
  EXPECT_EQ(rt::read_file(root_ + "/secret").value(), "outside");
  EXPECT_EQ(get("file"), "inside");

  Caller caller{Options{}};
  const Options options{.directories = {{"local", root_ + "/bucket"}}};
  for (const std::string_view key :
       {"../secret", "sub/../../secret", "./file", "/secret", "sub//x", ".", "..", ""}) {
    EXPECT_EQ(directory_store(options)->get("local", key, 100).error().code, "NoSuchKey") << key;
    EXPECT_EQ(directory_store(options)->put("local", key, "x", {}).error().code, "InvalidRequest") << key;
  }
}

TEST_F(DirectoryTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo((root_ + "/bucket/pipe").c_str(), 0600), 0);
  EXPECT_EQ(get("pipe"), "S3.NoSuchKeyException");
}

TEST_F(DirectoryTest, ListsInTheOrderOfKeys) {
  for (const std::string_view key : {"b", "a/2", "a/1", "a-x", "c/d/e"}) EXPECT_EQ(put(key, "x"), "written");
  EXPECT_EQ(list(""), "a-x a/1 a/2 b c/d/e ");
  EXPECT_EQ(list(R"(,"Prefix":"a/")"), "a/1 a/2 ");
  EXPECT_EQ(list(R"(,"Prefix":"a")"), "a-x a/1 a/2 ");
  EXPECT_EQ(list(R"(,"Prefix":"c/d")"), "c/d/e ");
  EXPECT_EQ(list(R"(,"Prefix":"x")"), "");
  EXPECT_EQ(list(R"(,"Delimiter":"/")"), "a-x b [a/] [c/] ");
  EXPECT_EQ(list(R"(,"StartAfter":"a/1")"), "a/2 b c/d/e ");
  EXPECT_EQ(list(R"(,"MaxKeys":2)"), "a-x a/1 then a/1");
  EXPECT_EQ(list(R"(,"MaxKeys":2,"ContinuationToken":"a/1")"), "a/2 b then b");
  EXPECT_EQ(list(R"(,"MaxKeys":2,"ContinuationToken":"b")"), "c/d/e ");
  EXPECT_EQ(list(R"(,"Delimiter":"/","MaxKeys":2)"), "a-x [a/] then a/");
  EXPECT_EQ(list(R"(,"Delimiter":"/","MaxKeys":2,"ContinuationToken":"a/")"), "b [c/] ");
}

TEST_F(DirectoryTest, ObjectsThatAreTooLargeAreRefused) {
  write("/bucket/big", std::string(kAnswerBytesMax + 1, 'x'));
  EXPECT_EQ(get("big"), "States.DataLimitExceeded");
}

}  // namespace
}  // namespace stoker::tasks
