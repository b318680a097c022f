// The face over a real core in memory: JSON in, JSON out, one good case an operation and tables of bad ones.
#include "aws/face.h"

#include <gtest/gtest.h>

#include "aws/route.h"
#include "aws/sigv4.h"
#include "aws/testing/fake_server.h"
#include "aws/validate.h"

namespace stoker::aws {
namespace {

using testing::FakeServer;

constexpr std::string_view kHostDefinition =
    R"({"jobDefinitionName":"train","type":"container","containerProperties":{"image":"host","command":["run","Ref::x"],
        "resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"MEMORY","value":"100"}]},"parameters":{"x":"1"}})";

class FaceTest : public ::testing::Test {
 protected:
  // The answer's body; "STATUS NAME: message" for an error. Every good answer must have its operation's
  // shape.
  std::string call(std::string_view operation, std::string_view input = "{}") {
    return server_.call(operation, input);
  }
  json::Value value(std::string_view operation, std::string_view input = "{}") {
    auto parsed = json::parse(call(operation, input));
    EXPECT_TRUE(parsed) << operation << ' ' << input << ": " << call(operation, input);
    return parsed.value_or(json::Value());
  }
  std::string submit(std::string_view more = "") {
    const json::Value made =
        value("SubmitJob",
              R"({"jobName":"j","jobQueue":"default","jobDefinition":"train")" + std::string(more) + "}");
    return std::string(json::get_string(made, "jobId"));
  }
  json::Value job(const std::string& id) {
    const json::Value found = value("DescribeJobs", R"({"jobs":[")" + id + "\"]}");
    const json::Array& jobs = json::get_array(found, "jobs");
    EXPECT_EQ(jobs.size(), 1u);
    return jobs.empty() ? json::Value() : jobs.front();
  }
  std::string ids(std::string_view operation, std::string_view input,
                  std::string_view list = "jobSummaryList", std::string_view member = "jobName") {
    std::string out;
    const json::Value got_answer = value(operation, input);
    for (const json::Value& entry : json::get_array(got_answer, list)) {
      out += std::string(json::get_string(entry, member)) + ' ';
    }
    return out;
  }
  void SetUp() override {
    server_.connect_node("n1", {.cpus_milli = 2000, .memory_mib = 1000, .gpus = 0});
    ASSERT_EQ(
        call("RegisterJobDefinition", kHostDefinition),
        R"({"jobDefinitionName":"train","jobDefinitionArn":"arn:aws:batch:us-east-1:000000000000:job-definition/train:1",)"
        R"("revision":1})");
  }

  FakeServer server_;
};

// ---- job definitions ----

TEST_F(FaceTest, DefinitionsAreRevisedDescribedAndDeregistered) {
  call("RegisterJobDefinition", kHostDefinition);
  call("RegisterJobDefinition",
       R"({"jobDefinitionName":"other","type":"container","containerProperties":{"image":"busybox",
      "vcpus":1,"memory":64},"tags":{"a":"b"},"propagateTags":true,"timeout":{"attemptDurationSeconds":60}})");
  EXPECT_EQ(
      call("DescribeJobDefinitions", R"({"jobDefinitions":["other:1"]})"),
      R"({"jobDefinitions":[{"jobDefinitionName":"other","jobDefinitionArn":)"
      R"("arn:aws:batch:us-east-1:000000000000:job-definition/other:1","revision":1,"status":"ACTIVE","type":"container",)"
      R"("parameters":{},"containerProperties":{"image":"busybox","vcpus":1,"memory":64,"command":[],"volumes":[],)"
      R"("environment":[],"mountPoints":[],"ulimits":[],"resourceRequirements":[],"secrets":[]},)"
      R"("timeout":{"attemptDurationSeconds":60},"tags":{"a":"b"},"propagateTags":true,"containerOrchestrationType":"ECS"}]})");
  const auto arns = [&](std::string_view input) {
    std::string out;
    const json::Value got_answer = value("DescribeJobDefinitions", input);
    for (const json::Value& one : json::get_array(got_answer, "jobDefinitions")) {
      out += std::string(json::get_string(one, "jobDefinitionName")) + ':' +
             std::to_string(json::get_int(one, "revision")) + ' ';
    }
    return out;
  };
  EXPECT_EQ(arns("{}"), "other:1 train:2 train:1 ");
  EXPECT_EQ(call("DeregisterJobDefinition", R"({"jobDefinition":"train:2"})"), "{}");
  EXPECT_EQ(arns(R"({"jobDefinitionName":"train","status":"ACTIVE"})"), "train:1 ");
  EXPECT_EQ(arns(R"({"jobDefinitionName":"train"})"), "train:2 train:1 ");
  EXPECT_EQ(arns(R"({"jobDefinitionName":"none"})"), "");
  EXPECT_EQ(
      arns(R"({"jobDefinitions":["arn:aws:batch:us-east-1:000000000000:job-definition/train:2","none:1"]})"),
      "train:2 ");
  std::string token, all;
  do {
    const std::string input =
        token.empty() ? R"({"maxResults":1})" : R"({"maxResults":1,"nextToken":")" + token + "\"}";
    all += arns(input);
    token = json::get_string(value("DescribeJobDefinitions", input), "nextToken");
  } while (!token.empty());
  EXPECT_EQ(all, "other:1 train:2 train:1 ");
}

// ---- jobs ----

TEST_F(FaceTest, AJobIsSubmittedRunsAndEnds) {
  const std::string id = submit(R"(,"parameters":{"x":"2"},"tags":{"t":"u"},"retryStrategy":{"attempts":2})");
  EXPECT_EQ(id.size(), 36u);
  json::Value detail = job(id);
  EXPECT_EQ(json::get_string(detail, "status"), "STARTING");
  EXPECT_EQ(json::write(*json::find(*json::find(detail, "container"), "command")), R"(["run","2"])");
  EXPECT_EQ(json::get_string(detail, "jobQueue"), "arn:aws:batch:us-east-1:000000000000:job-queue/default");
  server_.start_all();
  EXPECT_EQ(json::get_string(job(id), "status"), "RUNNING");
  server_.advance(seconds(1));
  server_.finish_all(3, "");
  EXPECT_EQ(json::get_string(job(id), "status"), "STARTING") << "its second attempt";
  server_.start_all();
  server_.finish_all(0, "");
  detail = job(id);
  EXPECT_EQ(json::get_string(detail, "status"), "SUCCEEDED");
  EXPECT_EQ(json::get_string(detail, "statusReason"), "Essential container in task exited");
  const json::Array& attempts = json::get_array(detail, "attempts");
  ASSERT_EQ(attempts.size(), 2u);
  const json::Value& first = *json::find(attempts[0], "container");
  EXPECT_EQ(json::get_int(first, "exitCode"), 3);
  EXPECT_TRUE(json::get_string(first, "logStreamName").starts_with("train/default/")) << json::write(first);
  EXPECT_NE(json::get_string(first, "logStreamName"),
            json::get_string(*json::find(attempts[1], "container"), "logStreamName"));
  EXPECT_EQ(json::write(*json::find(detail, "tags")), R"({"t":"u"})");
  EXPECT_EQ(json::write(*json::find(detail, "retryStrategy")), R"({"attempts":2,"evaluateOnExit":[]})");
  EXPECT_GT(json::get_int(detail, "stoppedAt"), json::get_int(detail, "createdAt"));
}

TEST_F(FaceTest, BadSubmissionsAreRefusedWithTheirTexts) {
  const auto text = [&](std::string_view input) { return call("SubmitJob", input); };
  const auto contains = [&](std::string_view input, std::string_view part) {
    const std::string got = text(input);
    EXPECT_TRUE(got.starts_with("400 ClientException: ")) << got;
    EXPECT_NE(got.find(part), std::string::npos) << got;
  };
  contains(R"({"jobName":"-j","jobQueue":"default","jobDefinition":"train"})",
           "Job name should match valid pattern");
  contains(R"({"jobName":"","jobQueue":"default","jobDefinition":"train"})",
           "Job name should match valid pattern");
  contains(R"({"jobName":"j","jobQueue":"none","jobDefinition":"train"})", "does not exist");
  contains(R"({"jobName":"j","jobQueue":"default","jobDefinition":"none"})", "does not exist");
  contains(
      R"({"jobName":"j","jobQueue":"arn:aws:batch:us-east-1:000000000000:job-definition/a","jobDefinition":"train"})",
      "is not the ARN");
  contains(R"({"jobName":"j","jobQueue":"default","jobDefinition":"train","arrayProperties":{"size":0}})",
           "between 2 and 10000");
  contains(R"({"jobName":"j","jobQueue":"default","jobDefinition":"train","arrayProperties":{"size":1}})",
           "between 2 and 10000");
  contains(
      R"({"jobName":"j","jobQueue":"default","jobDefinition":"train","dependsOn":[{"jobId":"nonsense"}]})",
      "nonsense");
  contains(R"({"jobName":"j","jobQueue":"default","jobDefinition":"train","shareIdentifier":"a"})",
           "can onlybe submitted");
  contains(R"({"jobName":"j","jobQueue":"default"})",
           "'jobDefinition' failed to satisfy constraint: Member must not be null");
}

TEST_F(FaceTest, SubmissionsOverThirtyKibibytesAreRefused) {
  const std::string start =
      R"({"jobName":"j","jobQueue":"default","jobDefinition":"train","parameters":{"x":")";
  EXPECT_TRUE(call("SubmitJob", start + std::string(30'000, 'x') + "\"}}").starts_with("{"));
  EXPECT_TRUE(call("SubmitJob", start + std::string(31'000, 'x') + "\"}}")
                  .starts_with("400 ClientException: The request has"));
}

TEST_F(FaceTest, ArraysShowTheirChildren) {
  const std::string id = submit(R"(,"arrayProperties":{"size":3})");
  const json::Value parent = job(id);
  EXPECT_EQ(json::get_string(parent, "status"), "PENDING");
  const json::Value& properties = *json::find(parent, "arrayProperties");
  EXPECT_EQ(json::get_int(properties, "size"), 3);
  EXPECT_EQ(json::write(*json::find(properties, "statusSummary")),
            R"({"SUBMITTED":0,"PENDING":0,"RUNNABLE":1,"STARTING":2,"RUNNING":0,"SUCCEEDED":0,"FAILED":0})");
  const json::Value child = job(id + ":2");
  EXPECT_EQ(json::get_string(child, "jobId"), id + ":2");
  EXPECT_EQ(json::write(*json::find(child, "arrayProperties")), R"({"index":2})");
  EXPECT_NE(json::get_string(child, "statusReason").find("vCPU"), std::string::npos)
      << "it waits, and says what for";
  EXPECT_EQ(
      ids("ListJobs", R"({"arrayJobId":")" + id + R"(","jobStatus":"STARTING"})", "jobSummaryList", "jobId"),
      id + ":0 " + id + ":1 ");
  EXPECT_EQ(ids("ListAllJobs", R"({"arrayJobId":")" + id + R"("})", "jobs", "status"),
            "STARTING STARTING RUNNABLE ");
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","jobStatus":"PENDING"})", "jobSummaryList", "jobId"),
            id + ' ');
}

TEST_F(FaceTest, JobsAreCancelledAndTerminated) {
  const std::string running = submit(), second = submit(), waiting = submit();
  server_.start_all();
  EXPECT_EQ(call("CancelJob", R"({"jobId":")" + waiting + R"(","reason":"not needed"})"), "{}");
  EXPECT_EQ(json::get_string(job(waiting), "status"), "FAILED");
  EXPECT_EQ(json::get_string(job(waiting), "statusReason"), "not needed");
  EXPECT_TRUE(json::get_bool(job(waiting), "isCancelled"));
  EXPECT_EQ(call("TerminateJob", R"({"jobId":")" + running + R"(","reason":"stop"})"), "{}");
  EXPECT_TRUE(json::get_bool(job(running), "isTerminated"));
  EXPECT_EQ(json::get_string(job(running), "status"), "RUNNING") << "until its node says that it ended";
  for (const std::string_view id : {"00000000-0000-4000-8000-000000000000", "nonsense"}) {
    EXPECT_EQ(call("TerminateJob", R"({"jobId":")" + std::string(id) + R"(","reason":"x"})"), "{}");
  }
  for (const std::string_view input :
       {R"({"jobId":"","reason":"x"})", R"({"jobId":"a","reason":""})", R"({"jobId":"a"})"}) {
    EXPECT_TRUE(call("CancelJob", input).starts_with("400 ClientException: ")) << input;
    EXPECT_TRUE(call("TerminateJob", input).starts_with("400 ClientException: ")) << input;
  }
  EXPECT_TRUE(
      call("CancelJob", R"({"jobId":"a","reason":")" + std::string(1025, 'x') + "\"}").starts_with("400 "));
}

TEST_F(FaceTest, ListsOfJobsFilterAndPage) {
  for (int i = 0; i < 5; ++i) {
    const std::string name = (i % 2 == 0 ? "even-" : "odd-") + std::to_string(i);
    value("SubmitJob", R"({"jobName":")" + name + R"(","jobQueue":"default","jobDefinition":"train:1"})");
    server_.advance(seconds(1));
  }
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default"})"), "") << "without a status only running jobs";
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","jobStatus":"STARTING"})"), "odd-1 even-0 ");
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"JOB_NAME","values":["EVEN*"]}]})"),
            "even-4 even-2 even-0 ");
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"JOB_NAME","values":["Odd-3"]}]})"),
            "odd-3 ");
  EXPECT_EQ(
      ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"JOB_DEFINITION","values":["tra*"]}]})"),
      "even-4 odd-3 even-2 odd-1 even-0 ");
  EXPECT_EQ(
      ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"JOB_DEFINITION","values":["TRAIN"]}]})"),
      "");
  const std::string since = std::to_string(server_.start_time().ms + 1500);
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"BEFORE_CREATED_AT","values":[")" +
                                since + R"("]}]})"),
            "odd-1 even-0 ");
  EXPECT_EQ(ids("ListJobs", R"({"jobQueue":"default","filters":[{"name":"AFTER_CREATED_AT","values":[")" +
                                since + R"("]}]})"),
            "even-4 odd-3 even-2 ");
  const std::string page = R"({"jobQueue":"default","jobStatus":"RUNNABLE","maxResults":2)";
  const json::Value first = value("ListJobs", page + "}");
  const std::string token(json::get_string(first, "nextToken"));
  ASSERT_FALSE(token.empty());
  EXPECT_EQ(ids("ListJobs", page + "}"), "even-4 odd-3 ");
  const json::Value last = value("ListJobs", page + R"(,"nextToken":")" + token + "\"}");
  EXPECT_EQ(json::get_array(last, "jobSummaryList").size(), 1u);
  EXPECT_EQ(json::find(last, "nextToken"), nullptr);
  EXPECT_EQ(ids("ListAllJobs", R"({"oldestFirst":true})", "jobs"), "even-0 odd-1 even-2 odd-3 even-4 ");
  EXPECT_EQ(ids("ListAllJobs", R"({"statuses":["STARTING","RUNNABLE"]})", "jobs"),
            "even-4 odd-3 even-2 odd-1 even-0 ");
}

TEST_F(FaceTest, BadListsAreRefused) {
  const std::string_view inputs[] = {
      R"({})",
      R"({"jobQueue":"default","arrayJobId":"x"})",
      R"({"jobQueue":"none"})",
      R"({"jobQueue":"default","maxResults":0})",
      R"({"jobQueue":"default","maxResults":1001})",
      R"({"jobQueue":"default","nextToken":"rubbish"})",
      R"({"jobQueue":"default","jobStatus":"DONE"})",
      R"({"jobQueue":"default","filters":[{"name":"job_name","values":["x"]}]})",
      R"({"jobQueue":"default","filters":[{"name":"JOB_NAME","values":[]}]})",
      R"({"jobQueue":"default","filters":[{"name":"BEFORE_CREATED_AT","values":["today"]}]})",
      R"({"jobQueue":"default","filters":[{"name":"JOB_NAME","values":["a"]},{"name":"JOB_NAME","values":["b"]}]})",
  };
  for (const std::string_view input : inputs) {
    EXPECT_TRUE(call("ListJobs", input).starts_with("400 ClientException: "))
        << input << ' ' << call("ListJobs", input);
  }
}

TEST_F(FaceTest, ExplainSaysWhatAJobWaitsFor) {
  const std::string first = submit(), second = submit(), third = submit();
  const json::Value waiting = value("Explain", R"({"jobId":")" + third + "\"}");
  EXPECT_EQ(json::get_string(waiting, "status"), "RUNNABLE");
  EXPECT_EQ(json::get_string(json::get_array(waiting, "reasons").front(), "kind"), "RESOURCES")
      << json::write(waiting);
  EXPECT_EQ(json::get_int(waiting, "position"), 1);
  const json::Value& node = json::get_array(waiting, "nodes").front();
  EXPECT_EQ(json::write(*json::find(node, "lacksNow")), R"(["vCPU"])");
  EXPECT_FALSE(json::get_bool(node, "fits"));
  const std::string dependent =
      submit(R"(,"dependsOn":[{"jobId":")" + first + R"("},{"jobId":")" + second + R"("}])");
  const json::Value pending = value("Explain", R"({"jobId":")" + dependent + "\"}");
  EXPECT_EQ(json::get_string(json::get_array(pending, "reasons").front(), "text"),
            "Waits for 2 dependencies to succeed");
  EXPECT_EQ(json::get_array(pending, "dependencies").size(), 2u);
  EXPECT_EQ(json::get_string(job(dependent), "statusReason"), "Waits for 2 dependencies to succeed");
  const json::Value active = value("Explain", R"({"jobId":")" + first + "\"}");
  EXPECT_EQ(json::get_string(*json::find(active, "attempt"), "node"), "n1");
  EXPECT_TRUE(call("Explain", R"({"jobId":"x"})").starts_with("400 ClientException: Job x does not exist"));
}

// Two jobs fill the node; each of the others waits for one before it.
TEST_F(FaceTest, ExplainShowsTheWholeChainThroughArrays) {
  static_cast<void>(submit());
  static_cast<void>(submit());
  const std::string array = submit(R"(,"arrayProperties":{"size":3})");
  const std::string twins =
      submit(R"(,"arrayProperties":{"size":3},"dependsOn":[{"type":"N_TO_N","jobId":")" + array + R"("}])");
  const std::string steps = submit(R"(,"arrayProperties":{"size":3},"dependsOn":[{"type":"SEQUENTIAL"}])");
  const std::string after =
      submit(R"(,"dependsOn":[{"jobId":")" + array + R"("},{"jobId":")" + steps + R"("}])");
  const auto chain = [&](const std::string& id) {
    std::string out;
    const json::Value explained = value("Explain", R"({"jobId":")" + id + "\"}");
    for (const json::Value& reason : json::get_array(explained, "reasons")) {
      std::string_view text = json::get_string(reason, "text");
      text = text.substr(0, text.find(": Waits for vCPU") == std::string_view::npos
                                ? text.size()
                                : text.find(": Waits for vCPU") + 16);
      out += std::string(json::get_string(reason, "jobId")) + " " + std::string(text) + "\n";
    }
    return out;
  };
  EXPECT_EQ(chain(twins + ":1"),
            " Waits for job " + array + ":1 to succeed\n" + array + ":1 Is RUNNABLE: Waits for vCPU\n");
  EXPECT_EQ(chain(steps + ":2"), " Waits for job " + steps + ":1 to succeed\n" + steps +
                                     ":1 Is PENDING: Waits for job " + steps + ":0 to succeed\n" + steps +
                                     ":0 Is RUNNABLE: Waits for vCPU\n");
  EXPECT_EQ(chain(array), " Its children are 3 RUNNABLE\n" + array + ":0 Is RUNNABLE: Waits for vCPU\n");
  EXPECT_EQ(chain(after),
            " Waits for 2 dependencies to succeed\n" + array + " Is PENDING: its children are 3 RUNNABLE\n" +
                steps + " Is PENDING: its children are 2 PENDING, 1 RUNNABLE\n" + array +
                ":0 Is RUNNABLE: Waits for vCPU\n" + steps + ":0 Is RUNNABLE: Waits for vCPU\n");
}

TEST_F(FaceTest, PartsOfGpusAreToldAsTheyWereAskedFor) {
  std::vector<core::NodeGpu> gpus(3);
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    gpus[i].uuid = "GPU-" + std::to_string(i);
    gpus[i].model = "A100";
    gpus[i].memory_mib = 40'960;
    if (i > 0) gpus[i].mig = core::MigMode::Dynamic;
  }
  server_.connect_node("n2", {.cpus_milli = 8000, .memory_mib = 8000, .gpus = 3}, std::move(gpus));
  const auto with = [&](const std::string& gpu) {
    return submit(R"(,"containerOverrides":{"resourceRequirements":[{"type":"GPU","value":")" + gpu +
                  "\"}]}");
  };
  static_cast<void>(with("2g.10gb"));
  static_cast<void>(with("0.5"));
  const std::string waiting = with("3");
  EXPECT_EQ(ids("ListAllJobs", R"({"oldestFirst":true})", "jobs", "gpuRequest"), "2g.10gb 0.5 3 ");
  const json::Value explained = value("Explain", R"({"jobId":")" + waiting + "\"}");
  const json::Value& node = json::get_array(explained, "nodes").back();
  EXPECT_EQ(json::get_int(*json::find(node, "free"), "gpus"), 0) << json::write(node);
  EXPECT_EQ(json::get_int(*json::find(node, "free"), "gpuMilli"), 500) << "of the one without MIG";
  EXPECT_EQ(json::get_int(*json::find(node, "freeMigDevices"), "2g.10gb"), 2);
  EXPECT_EQ(json::get_int(node, "idleMigGpus"), 1);
  EXPECT_TRUE(call("UpdateJob", R"({"jobId":")" + waiting + R"(#0","schedulingPriority":1})")
                  .starts_with("400 ClientException: jobId: " + waiting + "#0 names a node"));
}

// ---- queues, environments, policies, resources, tags ----

TEST_F(FaceTest, QueuesLiveAndDie) {
  EXPECT_EQ(call("CreateJobQueue", R"({"jobQueueName":"q","priority":5,"computeEnvironmentOrder":[{"order":1,
      "computeEnvironment":"arn:aws:batch:us-east-1:000000000000:compute-environment/local"}],"tags":{"a":"b"},
      "jobStateTimeLimitActions":[{"reason":"MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT","state":"RUNNABLE",
      "maxTimeSeconds":600,"action":"CANCEL"}]})"),
            R"({"jobQueueName":"q","jobQueueArn":"arn:aws:batch:us-east-1:000000000000:job-queue/q"})");
  EXPECT_EQ(
      call("DescribeJobQueues", R"({"jobQueues":["q","none"]})"),
      R"({"jobQueues":[{"jobQueueName":"q","jobQueueArn":"arn:aws:batch:us-east-1:000000000000:job-queue/q",)"
      R"("state":"ENABLED","status":"VALID","statusReason":"JobQueue Healthy","priority":5,"computeEnvironmentOrder":)"
      R"([{"order":1,"computeEnvironment":"arn:aws:batch:us-east-1:000000000000:compute-environment/local"}],)"
      R"("tags":{"a":"b"},"jobStateTimeLimitActions":[{"reason":"MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT",)"
      R"("state":"RUNNABLE","maxTimeSeconds":600,"action":"CANCEL"}]}]})");
  EXPECT_NE(call("CreateJobQueue", R"({"jobQueueName":"q","priority":5,"computeEnvironmentOrder":[{"order":1,
      "computeEnvironment":"local"}]})")
                .find("already exists"),
            std::string::npos);
  EXPECT_EQ(call("UpdateJobQueue", R"({"jobQueue":"q","state":"DISABLED","priority":7})"),
            R"({"jobQueueName":"q","jobQueueArn":"arn:aws:batch:us-east-1:000000000000:job-queue/q"})");
  EXPECT_EQ(ids("DescribeJobQueues", R"({"maxResults":1})", "jobQueues", "jobQueueName"), "default ");
  EXPECT_EQ(call("DeleteJobQueue", R"({"jobQueue":"q"})"), "{}");
  EXPECT_EQ(call("DescribeJobQueues", R"({"jobQueues":["q"]})"), R"({"jobQueues":[]})");
  EXPECT_NE(call("UpdateJobQueue", R"({"jobQueue":"q"})").find("does not exist"), std::string::npos);
  EXPECT_NE(call("CreateJobQueue", R"({"jobQueueName":"s","priority":1,"serviceEnvironmentOrder":[{"order":1,
      "serviceEnvironment":"x"}]})")
                .find("not supported yet"),
            std::string::npos);
}

// A name means something of ours; an ARN of elsewhere means something else, though the name be the same.
TEST_F(FaceTest, ArnsOfElsewhereNameNothingHere) {
  const std::string job = submit();
  const auto ours = call("DescribeJobQueues");
  for (const std::string place :
       {"arn:aws:batch:us-east-1:111111111111:", "arn:aws:batch:eu-west-1:000000000000:",
        "arn:aws-cn:batch:us-east-1:000000000000:", "arn:aws:batch:::"}) {
    const std::string queue = place + "job-queue/default";
    const std::vector<std::pair<std::string, std::string>> calls = {
        {"TagResource", R"({"resourceArn":")" + queue + R"(","tags":{"a":"b"}})"},
        {"UntagResource", R"({"resourceArn":")" + queue + R"(","tagKeys":["a"]})"},
        {"UpdateJobQueue", R"({"jobQueue":")" + queue + R"(","priority":7})"},
        {"GetJobQueueSnapshot", R"({"jobQueue":")" + queue + R"("})"},
        {"SubmitJob", R"({"jobName":"a","jobQueue":")" + queue + R"(","jobDefinition":"train"})"},
        {"SubmitJob",
         R"({"jobName":"a","jobQueue":"default","jobDefinition":")" + place + R"(job-definition/train"})"},
        {"SubmitJob",
         R"({"jobName":"a","jobQueue":"default","jobDefinition":"train","dependsOn":[{"jobId":")" + place +
             "job/" + job + R"("}]})"},
        {"TerminateJob", R"({"jobId":")" + place + "job/" + job + R"(","reason":"r"})"},
        {"UpdateJob", R"({"jobId":")" + job + R"(","jobQueue":")" + queue + R"("})"},
        {"RegisterJobDefinition",
         R"({"jobDefinitionName":"needs","type":"multinode","nodeProperties":{"numNodes":2,"mainNode":0,
             "nodeRangeProperties":[{"targetNodes":"0:","consumableResourceProperties":{"consumableResourceList":
             [{"consumableResource":")" +
             place + R"(consumable-resource/c","quantity":1}]},"container":{"image":"i"}}]}})"},
        {"CreateJobQueue",
         R"({"jobQueueName":"q","priority":1,"computeEnvironmentOrder":[{"order":1,"computeEnvironment":")" +
             place + R"(compute-environment/local"}]})"}};
    for (const auto& [operation, input] : calls)
      EXPECT_NE(
          call(operation, input)
              .find("does not exist: ARNs of this server begin with arn:aws:batch:us-east-1:000000000000:"),
          std::string::npos)
          << operation << " " << input << ": " << call(operation, input);
  }
  EXPECT_EQ(call("DescribeJobQueues"), ours) << "nothing has changed";
  // What does not exist is left out where things are described.
  const auto foreign = [&](const std::string& what) {
    return R"(":["arn:aws:batch:eu-west-1:000000000000:)" + what + "\"]}";
  };
  EXPECT_EQ(call("DescribeJobQueues", "{\"jobQueues" + foreign("job-queue/default")), R"({"jobQueues":[]})");
  EXPECT_EQ(
      call("DescribeComputeEnvironments", "{\"computeEnvironments" + foreign("compute-environment/local")),
      R"({"computeEnvironments":[]})");
  EXPECT_EQ(call("DescribeJobDefinitions", "{\"jobDefinitions" + foreign("job-definition/train:1")),
            R"({"jobDefinitions":[]})");
  EXPECT_EQ(call("DescribeJobs", "{\"jobs" + foreign("job/" + job)), R"({"jobs":[]})");
  // What is the user's own may be any text.
  EXPECT_FALSE(call("SubmitJob", R"({"jobName":"a","jobQueue":"default","jobDefinition":"train",
      "parameters":{"jobQueue":"arn:aws:batch:us-east-1:111111111111:job-queue/default"},
      "tags":{"jobQueue":"arn:aws:batch:us-east-1:111111111111:job-queue/default"}})")
                   .starts_with("4"));
}

TEST_F(FaceTest, WhatIsNamedTwiceIsDescribedOnce) {
  const auto arn = [](const std::string& what) { return "arn:aws:batch:us-east-1:000000000000:" + what; };
  (void)call("CreateJobQueue", R"({"jobQueueName":"a","priority":5,"computeEnvironmentOrder":[{"order":1,
      "computeEnvironment":"local"}]})");
  (void)call("CreateSchedulingPolicy", R"({"name":"p"})");
  EXPECT_EQ(
      ids("DescribeJobQueues", R"({"jobQueues":["default","a","default",")" + arn("job-queue/a") + R"("]})",
          "jobQueues", "jobQueueName"),
      "default a ");
  EXPECT_EQ(ids("DescribeComputeEnvironments",
                R"({"computeEnvironments":["local",")" + arn("compute-environment/local") + R"("]})",
                "computeEnvironments", "computeEnvironmentName"),
            "local ");
  EXPECT_EQ(
      ids("DescribeSchedulingPolicies",
          R"({"arns":[")" + arn("scheduling-policy/p") + R"(",")" + arn("scheduling-policy/p") + R"("]})",
          "schedulingPolicies", "name"),
      "p ");
  const std::string job = submit();
  EXPECT_EQ(
      ids("DescribeJobs", R"({"jobs":[")" + job + R"(",")" + arn("job/" + job) + R"("]})", "jobs", "jobId"),
      job + " ");
  const json::Value detail = value("DescribeJobs", R"({"jobs":[")" + job + R"("]})");
  const std::string definition(json::get_string(json::get_array(detail, "jobs").front(), "jobDefinition"));
  EXPECT_EQ(json::get_array(
                value("DescribeJobDefinitions", R"({"jobDefinitions":[")" + definition + R"(",")" +
                                                    definition.substr(definition.rfind('/') + 1) + R"("]})"),
                "jobDefinitions")
                .size(),
            1U);
}

TEST_F(FaceTest, ASnapshotShowsTheFrontAndTheUse) {
  const std::string a = submit(), b = submit(), c = submit(), d = submit();
  const json::Value got = value("GetJobQueueSnapshot", R"({"jobQueue":"default"})");
  const json::Array& front = json::get_array(*json::find(got, "frontOfQueue"), "jobs");
  ASSERT_EQ(front.size(), 2u);
  EXPECT_TRUE(json::get_string(front[0], "jobArn").ends_with(c));
  EXPECT_TRUE(json::get_string(front[1], "jobArn").ends_with(d));
  EXPECT_EQ(json::write(*json::find(*json::find(got, "queueUtilization"), "totalCapacityUsage")),
            R"([{"capacityUnit":"VCPU","quantity":2}])");
  const json::Value queues = value("ListQueues");
  const json::Value& counts = *json::find(json::get_array(queues, "queues").front(), "counts");
  EXPECT_EQ(json::get_int(counts, "STARTING"), 2);
  EXPECT_EQ(json::get_int(counts, "RUNNABLE"), 2);
  EXPECT_EQ(json::get_int(json::get_array(value("ListNodes"), "nodes").front(), "jobCount"), 2);
}

TEST_F(FaceTest, EnvironmentsLiveAndDie) {
  const std::string made = call("CreateComputeEnvironment",
                                R"({"computeEnvironmentName":"cloud","type":"MANAGED","state":"DISABLED",
      "computeResources":{"type":"EC2","maxvCpus":16,"minvCpus":0,"subnets":["s"],"securityGroupIds":["g"],"instanceRole":"r",
      "instanceTypes":["g5"]},"tags":{"a":"b"}})");
  EXPECT_EQ(made, R"({"computeEnvironmentName":"cloud","computeEnvironmentArn":)"
                  R"("arn:aws:batch:us-east-1:000000000000:compute-environment/cloud"})");
  const json::Value got = value("DescribeComputeEnvironments", R"({"computeEnvironments":["cloud"]})");
  const json::Value& detail = json::get_array(got, "computeEnvironments").front();
  EXPECT_EQ(json::get_string(detail, "status"), "VALID");
  EXPECT_EQ(json::get_string(detail, "state"), "DISABLED");
  EXPECT_EQ(json::get_int(*json::find(detail, "computeResources"), "maxvCpus"), 16);
  EXPECT_TRUE(json::get_string(detail, "ecsClusterArn").starts_with("arn:aws:ecs:")) << json::write(detail);
  EXPECT_FALSE(
      call("UpdateComputeEnvironment", R"({"computeEnvironment":"cloud","computeResources":{"maxvCpus":32}})")
          .starts_with("4"));
  EXPECT_EQ(call("DeleteComputeEnvironment", R"({"computeEnvironment":"cloud"})"), "{}");
  EXPECT_EQ(ids("DescribeComputeEnvironments", "{}", "computeEnvironments", "computeEnvironmentName"),
            "local ");
  EXPECT_NE(call("DeleteComputeEnvironment", R"({"computeEnvironment":"none"})").find("does not exist"),
            std::string::npos);
}

TEST_F(FaceTest, PoliciesLiveAndDie) {
  const std::string arn = "arn:aws:batch:us-east-1:000000000000:scheduling-policy/fair";
  EXPECT_EQ(call("CreateSchedulingPolicy", R"({"name":"fair","fairsharePolicy":{"shareDecaySeconds":600}})"),
            R"({"name":"fair","arn":")" + arn + "\"}");
  EXPECT_EQ(call("ListSchedulingPolicies"), R"({"schedulingPolicies":[{"arn":")" + arn + "\"}]}");
  const json::Value got = value("DescribeSchedulingPolicies",
                                R"({"arns":[")" + arn + R"(","arn:aws:batch:r:1:scheduling-policy/x"]})");
  ASSERT_EQ(json::get_array(got, "schedulingPolicies").size(), 1u);
  EXPECT_EQ(json::get_int(*json::find(json::get_array(got, "schedulingPolicies").front(), "fairsharePolicy"),
                          "shareDecaySeconds"),
            600);
  EXPECT_EQ(call("UpdateSchedulingPolicy",
                 R"({"arn":")" + arn + R"(","fairsharePolicy":{"computeReservation":10}})"),
            "{}");
  EXPECT_EQ(call("DeleteSchedulingPolicy", R"({"arn":")" + arn + "\"}"), "{}");
  EXPECT_TRUE(call("DeleteSchedulingPolicy", R"({"arn":"fair"})")
                  .starts_with("400 ClientException: fair is not the ARN"));
}

TEST_F(FaceTest, ConsumableResourcesCount) {
  const std::string arn = "arn:aws:batch:us-east-1:000000000000:consumable-resource/licence";
  EXPECT_EQ(call("CreateConsumableResource", R"({"consumableResourceName":"licence","totalQuantity":2})"),
            R"({"consumableResourceName":"licence","consumableResourceArn":")" + arn + "\"}");
  EXPECT_EQ(
      call("UpdateConsumableResource",
           R"({"consumableResource":"licence","operation":"ADD","quantity":3,"clientToken":"t"})"),
      R"({"consumableResourceName":"licence","consumableResourceArn":")" + arn + R"(","totalQuantity":5})");
  submit(
      R"(,"consumableResourcePropertiesOverride":{"consumableResourceList":[{"consumableResource":"licence","quantity":2}]})");
  const json::Value got = value("DescribeConsumableResource", R"({"consumableResource":")" + arn + "\"}");
  EXPECT_EQ(json::get_int(got, "inUseQuantity"), 2);
  EXPECT_EQ(json::get_int(got, "availableQuantity"), 3);
  EXPECT_EQ(
      ids("ListConsumableResources", R"({"filters":[{"name":"CONSUMABLE_RESOURCE_NAME","values":["LIC*"]}]})",
          "consumableResources", "consumableResourceName"),
      "licence ");
  EXPECT_EQ(ids("ListJobsByConsumableResource", R"({"consumableResource":"licence"})", "jobs"), "j ");
  EXPECT_EQ(
      ids("ListJobsByConsumableResource", R"({"consumableResource":"licence","filters":[{"name":"JOB_STATUS",
      "values":["FAILED"]}]})",
          "jobs"),
      "");
  EXPECT_EQ(
      call("ListJobsByConsumableResource",
           R"({"consumableResource":"licence","filters":[{"name":"JOB_STATUS","values":["WALKING"]}]})"),
      "400 ClientException: There is no job status WALKING");
  for (const std::string_view input : {R"({"consumableResource":"licence","operation":"GROW","quantity":1})",
                                       R"({"consumableResource":"licence","operation":"ADD"})",
                                       R"({"consumableResource":"none","operation":"ADD","quantity":1})"}) {
    EXPECT_TRUE(call("UpdateConsumableResource", input).starts_with("400 ClientException: ")) << input;
  }
}

TEST_F(FaceTest, EverythingHasTags) {
  const std::string id = submit(R"(,"tags":{"a":"1"})");
  const std::string prefix = "arn:aws:batch:us-east-1:000000000000:";
  call("CreateConsumableResource", R"({"consumableResourceName":"c"})");
  call("CreateSchedulingPolicy", R"({"name":"p","fairsharePolicy":{}})");
  for (const std::string& rest :
       {"job/" + id, std::string("job-queue/default"), std::string("compute-environment/local"),
        std::string("job-definition/train:1"), std::string("consumable-resource/c"),
        std::string("scheduling-policy/p")}) {
    const std::string input = R"({"resourceArn":")" + prefix + rest + "\"";
    EXPECT_EQ(call("TagResource", input + R"(,"tags":{"k":"v","l":""}})"), "{}") << rest;
    const std::string tags = call("ListTagsForResource", input + "}");
    EXPECT_NE(tags.find(R"("k":"v")"), std::string::npos) << rest << tags;
    EXPECT_EQ(call("UntagResource", input + R"(,"tagKeys":["k"]})"), "{}") << rest;
    EXPECT_EQ(call("ListTagsForResource", input + "}").find(R"("k":"v")"), std::string::npos) << rest;
  }
  for (const std::string_view rest :
       {"job-queue/none", "job/none", "job-definition/train", "queue/x", "job-definition/train:9"}) {
    const std::string input = R"({"resourceArn":")" + prefix + std::string(rest) + "\"";
    EXPECT_TRUE(call("ListTagsForResource", input + "}").starts_with("400 ClientException: ")) << rest;
    EXPECT_TRUE(call("TagResource", input + R"(,"tags":{"a":"b"}})").starts_with("400 ClientException: "))
        << rest;
  }
}

TEST_F(FaceTest, WhatIsNotSupportedSaysSo) {
  EXPECT_EQ(call("DescribeServiceEnvironments"),
            "400 ClientException: DescribeServiceEnvironments is not supported yet by this server");
}

TEST_F(FaceTest, QuotaSharesAreNamedByTheirArns) {
  const std::string arn = "arn:aws:batch:us-east-1:000000000000:job-queue/default/quota-share/a";
  const std::string share =
      R"({"quotaShareName":"a","jobQueue":"default","capacityLimits":[{"maxCapacity":2,"capacityUnit":"GPU"}],
      "resourceSharingConfiguration":{"strategy":"LEND_AND_BORROW"},"preemptionConfiguration":{"inSharePreemption":"ENABLED"},
      "tags":{"k":"v"}})";
  EXPECT_EQ(call("CreateQuotaShare", share), R"({"quotaShareName":"a","quotaShareArn":")" + arn + "\"}");
  const std::string named = R"({"quotaShareArn":")" + arn + "\"";
  const std::string detail =
      R"({"quotaShareName":"a","quotaShareArn":")" + arn +
      R"(","jobQueueArn":"arn:aws:batch:us-east-1:000000000000:job-queue/default","capacityLimits":[{"maxCapacity":2,"capacityUnit":"GPU"}],)"
      R"("resourceSharingConfiguration":{"strategy":"LEND_AND_BORROW","borrowLimit":-1},"preemptionConfiguration":{"inSharePreemption":"ENABLED"},)"
      R"("state":"ENABLED","status":"VALID")";
  EXPECT_EQ(call("DescribeQuotaShare", named + "}"), detail + R"(,"tags":{"k":"v"}})");
  EXPECT_EQ(call("ListQuotaShares", R"({"jobQueue":"default"})"), R"({"quotaShares":[)" + detail + "}]}");
  EXPECT_EQ(call("ListTagsForResource", R"({"resourceArn":")" + arn + "\"}"), R"({"tags":{"k":"v"}})");
  EXPECT_EQ(call("TagResource", R"({"resourceArn":")" + arn + R"(nope","tags":{"k":"v"}})"),
            "400 ClientException: Quota share anope of job queue default does not exist");
  EXPECT_NE(call("SubmitJob", R"({"jobName":"j","jobQueue":"default","jobDefinition":"train"})")
                .find("shareIdentifier"),
            std::string::npos);
  EXPECT_FALSE(submit(R"(,"shareIdentifier":"a")").empty());
  const json::Value snapshot = value("GetJobQueueSnapshot", R"({"jobQueue":"default"})");
  EXPECT_NE(json::find(snapshot, "frontOfQuotaShares"), nullptr);
  EXPECT_EQ(call("UpdateQuotaShare", named + R"(,"state":"DISABLED"})"),
            R"({"quotaShareName":"a","quotaShareArn":")" + arn + "\"}");
  EXPECT_EQ(call("DeleteQuotaShare", named + "}"), "{}");
  EXPECT_EQ(call("DescribeQuotaShare", named + "}"),
            "400 ClientException: Quota share a of job queue default does not exist");
  EXPECT_EQ(call("DescribeQuotaShare", R"({"quotaShareArn":"a"})"),
            "400 ClientException: a is not the ARN of a quota share");
}

// ---- logs ----

class LogsTest : public FaceTest {
 protected:
  void SetUp() override {
    FaceTest::SetUp();
    id_ = submit();
    server_.start_all();
    stream_ = json::get_string(*json::find(job(id_), "container"), "logStreamName");
  }
  std::string texts(const json::Value& answer) {
    std::string out;
    for (const json::Value& event : json::get_array(answer, "events"))
      out += std::string(json::get_string(event, "message")) + ' ';
    return out;
  }
  std::string of_stream(std::string_view more = "") {
    return R"({"logGroupName":"/aws/batch/job","logStreamName":")" + stream_ + "\"" + std::string(more) + "}";
  }
  std::string id_, stream_;
};

TEST_F(LogsTest, AStreamIsReadInBothDirections) {
  EXPECT_EQ(texts(value("GetLogEvents", of_stream())), "") << "known, but nothing written yet";
  server_.write_log(stream_, {"a", "b", "c", "d"});
  const json::Value head = value("GetLogEvents", of_stream(R"(,"limit":2,"startFromHead":true)"));
  EXPECT_EQ(texts(head), "a b ");
  const std::string forward(json::get_string(head, "nextForwardToken"));
  const json::Value second = value("GetLogEvents", of_stream(R"(,"nextToken":")" + forward + "\""));
  EXPECT_EQ(texts(second), "c d ");
  const std::string end(json::get_string(second, "nextForwardToken"));
  const json::Value none = value("GetLogEvents", of_stream(R"(,"nextToken":")" + end + "\""));
  EXPECT_EQ(texts(none), "");
  EXPECT_EQ(json::get_string(none, "nextForwardToken"), end) << "the same token at the end";
  server_.write_log(stream_, {"e"});
  EXPECT_EQ(texts(value("GetLogEvents", of_stream(R"(,"nextToken":")" + end + "\""))), "e ");
  const json::Value tail = value("GetLogEvents", of_stream(R"(,"limit":2)"));
  EXPECT_EQ(texts(tail), "d e ");
  const std::string backward(json::get_string(tail, "nextBackwardToken"));
  EXPECT_EQ(texts(value("GetLogEvents", of_stream(R"(,"limit":9,"nextToken":")" + backward + "\""))),
            "a b c ");
}

TEST_F(LogsTest, TimesBoundWhatIsRead) {
  const std::int64_t first = server_.time().ms;
  for (const std::string_view line : {"a", "b", "c", "d"}) {
    server_.write_log(stream_, {std::string(line)});
    server_.advance(seconds(1));
  }
  const std::string start = std::to_string(first + 1000), end = std::to_string(first + 3000);
  for (const std::string_view head : {"true", "false"}) {
    const json::Value got =
        value("GetLogEvents", of_stream(R"(,"startFromHead":)" + std::string(head) + R"(,"startTime":)" +
                                        start + R"(,"endTime":)" + end));
    EXPECT_EQ(texts(got), "b c ") << head;
  }
  EXPECT_EQ(texts(value("FilterLogEvents", R"({"logGroupName":"/aws/batch/job","startTime":)" + start +
                                               R"(,"endTime":)" + end + "}")),
            "b c d ")
      << "here the end is included";
}

TEST_F(LogsTest, WhatIsNotThereIsNotFound) {
  const std::string no_stream = "400 ResourceNotFoundException: The specified log stream does not exist.";
  EXPECT_EQ(call("GetLogEvents", R"({"logGroupName":"/aws/batch/job","logStreamName":"x"})"), no_stream);
  EXPECT_EQ(call("GetLogEvents", R"({"logGroupName":"/aws/batch/job","logStreamName":"other/default/)" +
                                     stream_.substr(stream_.rfind('/') + 1) + "\"}"),
            no_stream);
  std::string later = stream_;
  later[later.rfind('/') + 20] = '9';  // an attempt that never was
  EXPECT_EQ(call("GetLogEvents", R"({"logGroupName":"/aws/batch/job","logStreamName":")" + later + "\"}"),
            no_stream);
  EXPECT_EQ(call("GetLogEvents", R"({"logGroupName":"/aws/batch/other","logStreamName":")" + stream_ + "\"}"),
            "400 ResourceNotFoundException: The specified log group does not exist.");
  EXPECT_EQ(call("FilterLogEvents", R"({"logGroupName":"/none"})"),
            "400 ResourceNotFoundException: The specified log group does not exist.");
  EXPECT_TRUE(call("GetLogEvents", of_stream(R"(,"nextToken":"rubbish")"))
                  .starts_with("400 InvalidParameterException: "));
  EXPECT_TRUE(
      call("GetLogEvents", R"({"logStreamName":"x"})").starts_with("400 InvalidParameterException: "));
}

TEST_F(LogsTest, StreamsAreMergedByTimeAcrossPages) {
  const std::string other =
      std::string(json::get_string(*json::find(job(submit()), "container"), "logStreamName"));
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    const std::string line = (i % 3 == 0 ? "ERROR " : "fine ") + std::to_string(i);
    server_.write_log(i % 2 == 0 ? stream_ : other, {line});
    if (i % 4 == 0) server_.advance(milliseconds(1));
    expected += line + ' ';
  }
  const std::string group = R"({"logGroupName":"/aws/batch/job")";
  for (const int limit : {1, 3, 7, 100}) {
    std::string token, all, errors;
    std::size_t calls = 0;
    do {
      const std::string input = group + R"(,"limit":)" + std::to_string(limit) +
                                (token.empty() ? "" : R"(,"nextToken":")" + token + "\"") + "}";
      const json::Value page = value("FilterLogEvents", input);
      all += texts(page);
      token = json::get_string(page, "nextToken");
      ASSERT_LT(++calls, 50u);
    } while (!token.empty());
    // Lines of one millisecond come stream by stream, so only the set and the order of times are fixed.
    const auto sorted = [](std::string text) {
      std::ranges::sort(text);
      return text;
    };
    EXPECT_EQ(sorted(all), sorted(expected)) << limit;
  }
  EXPECT_EQ(texts(value("FilterLogEvents", group + R"(,"filterPattern":"ERROR -18"})")).find("fine"),
            std::string::npos);
  const json::Value one = value("FilterLogEvents", group + R"(,"logStreamNames":[")" + other +
                                                       R"("],"filterPattern":"?\"fine 1\" ?ERROR"})");
  EXPECT_NE(texts(one).find("fine 1 "), std::string::npos);
  for (const json::Value& event : json::get_array(one, "events"))
    EXPECT_EQ(json::get_string(event, "logStreamName"), other);
  EXPECT_EQ(texts(value("FilterLogEvents", group + R"(,"logStreamNamePrefix":"none"})")), "");
  EXPECT_TRUE(call("FilterLogEvents", group + R"(,"filterPattern":"{ $.a = 1 }"})")
                  .starts_with("400 InvalidOperationException"));
}

TEST_F(LogsTest, GroupsAndStreamsAreListed) {
  EXPECT_EQ(ids("DescribeLogGroups", R"({"logGroupNamePrefix":"/aws/batch"})", "logGroups", "logGroupName"),
            "/aws/batch/job ");
  EXPECT_EQ(ids("ListLogGroups", "{}", "logGroups", "logGroupName"), "/aws/batch/job ");
  EXPECT_EQ(ids("DescribeLogStreams", R"({"logGroupName":"/aws/batch/job"})", "logStreams", "logStreamName"),
            "");
  server_.write_log(stream_, {"a"});
  server_.advance(seconds(1));
  const std::string other =
      std::string(json::get_string(*json::find(job(submit()), "container"), "logStreamName"));
  server_.write_log(other, {"b"});
  const std::string latest =
      R"({"logGroupName":"/aws/batch/job","orderBy":"LastEventTime","descending":true,"limit":1)";
  const json::Value page = value("DescribeLogStreams", latest + "}");
  EXPECT_EQ(json::get_string(json::get_array(page, "logStreams").front(), "logStreamName"), other);
  const std::string token(json::get_string(page, "nextToken"));
  EXPECT_EQ(
      ids("DescribeLogStreams", latest + R"(,"nextToken":")" + token + "\"}", "logStreams", "logStreamName"),
      stream_ + ' ');
  EXPECT_EQ(
      ids("DescribeLogStreams", R"({"logGroupName":"/aws/batch/job","logStreamNamePrefix":")" + other + "\"}",
          "logStreams", "logStreamName"),
      other + ' ');
}

TEST_F(FaceTest, ADefinitionsOwnGroupAndPrefixAreUsed) {
  call("RegisterJobDefinition",
       R"({"jobDefinitionName":"own","type":"container","containerProperties":{"image":"host","command":["x"],
      "resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"MEMORY","value":"100"}],"logConfiguration":{"logDriver":
      "awslogs","options":{"awslogs-group":"/team/jobs","awslogs-stream-prefix":"mine"}}}})");
  const json::Value made =
      value("SubmitJob", R"({"jobName":"j","jobQueue":"default","jobDefinition":"own"})");
  server_.start_all();
  const json::Value detail = job(std::string(json::get_string(made, "jobId")));
  const std::string stream(json::get_string(*json::find(detail, "container"), "logStreamName"));
  EXPECT_TRUE(stream.starts_with("mine/default/"));
  server_.write_log(stream, {"line"});
  EXPECT_EQ(ids("DescribeLogGroups", "{}", "logGroups", "logGroupName"), "/aws/batch/job /team/jobs ");
  EXPECT_EQ(ids("FilterLogEvents", R"({"logGroupName":"/team/jobs"})", "events", "message"), "line ");
  EXPECT_EQ(ids("FilterLogEvents", R"({"logGroupName":"/aws/batch/job"})", "events", "message"), "");
}

// ---- who may call ----

TEST(FaceKeys, OnlySignedRequestsPass) {
  FaceSettings settings;
  settings.access_keys = std::make_shared<const AccessKeys>(*AccessKeys::parse("ME secret"));
  FakeServer server(settings);
  const auto status = [&](std::string service, bool with_signature) {
    net::Request request{"POST", "/v1/describejobqueues", {{"Host", "h"}}, "{}"};
    if (with_signature) sign(request, {"ME", "secret", ""}, {"us-east-1", std::move(service)}, server.time());
    const net::Response response = server.handle(std::move(request));
    return std::to_string(response.status) + ' ' + std::string(testing::error_name(response));
  };
  EXPECT_EQ(status("batch", true), "200 ");
  EXPECT_EQ(status("batch", false), "403 MissingAuthenticationTokenException");
  EXPECT_EQ(status("states", true), "403 InvalidSignatureException") << "signed for another service";
}

}  // namespace
}  // namespace stoker::aws
