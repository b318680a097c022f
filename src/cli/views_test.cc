// From the server's JSON to what people read, and from options to requests.
#include <gtest/gtest.h>

#include "cli/explanation.h"
#include "cli/job_table.h"
#include "cli/submission.h"
#include "cli/text_width.h"
#include "cli/top_frame.h"

namespace stoker::cli {
namespace {

json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : json::Value();
}

Submission a_submission() {
  Submission s;
  s.cpus = 2;
  s.memory_mib = 4096;
  s.gpus = "1";
  s.command = {"python", "train.py"};
  return s;
}

// ---- definitions ----

TEST(Definition, is_named_after_the_shape) {
  EXPECT_EQ(definition_name(a_submission()), "host-2cpu-4096mib-1gpu");
  Submission plain;
  EXPECT_EQ(definition_name(plain), "host-1cpu-2048mib");
  Submission image = plain;
  image.image = "registry:5000/team/train:1.2";
  Submission other = plain;
  other.image = "registry-5000/team/train:1.2";
  EXPECT_TRUE(definition_name(image).starts_with("registry-5000-team-train-1-2-")) << definition_name(image);
  EXPECT_NE(definition_name(image), definition_name(other)) << "alike as names, yet different images";
  image.image = std::string(255, 'a');
  EXPECT_LE(definition_name(image).size(), 128u);
}

json::Value described(const Submission& s) {
  // As the server gives it back: with empty members filled in.
  json::Object out = definition_input(s).as_object();
  out["revision"] = 3;
  out["status"] = "ACTIVE";
  out["parameters"] = json::Object{};
  out["tags"] = json::Object{};
  out["propagateTags"] = false;
  json::Object& container = out["containerProperties"].as_object();
  for (const char* name : {"command", "volumes", "environment", "mountPoints", "ulimits", "secrets"})
    container[name] = json::Array{};
  return out;
}

TEST(Definition, that_says_the_same_is_used_again) {
  EXPECT_TRUE(is_same_definition(described(a_submission()), a_submission()));
  Submission other = a_submission();
  other.command = {"something", "else"};
  other.environment = {{"A", "1"}};
  EXPECT_TRUE(is_same_definition(described(a_submission()), other))
      << "command and environment come with the job";
}

TEST(Definition, that_says_anything_else_is_not) {
  const auto refuses = [](const char* what, auto&& change) {
    json::Value definition = described(a_submission());
    change(definition.as_object());
    EXPECT_FALSE(is_same_definition(definition, a_submission())) << what;
  };
  using json::Array;
  using json::Object;
  refuses("another image", [](Object& d) { d["containerProperties"].as_object()["image"] = "host2"; });
  refuses("more memory", [](Object& d) {
    d["containerProperties"].as_object()["resourceRequirements"].as_array()[1].as_object()["value"] = "8192";
  });
  refuses("no GPU", [](Object& d) {
    d["containerProperties"].as_object()["resourceRequirements"].as_array().pop_back();
  });
  refuses("variables", [](Object& d) {
    d["containerProperties"].as_object()["environment"] = Array{Object{{"name", "A"}, {"value", "1"}}};
  });
  refuses("another user", [](Object& d) { d["containerProperties"].as_object()["user"] = "nobody"; });
  refuses("privileges", [](Object& d) { d["containerProperties"].as_object()["privileged"] = true; });
  refuses("a time limit", [](Object& d) { d["timeout"] = Object{{"attemptDurationSeconds", 60}}; });
  refuses("retries", [](Object& d) { d["retryStrategy"] = Object{{"attempts", 3}}; });
  refuses("parameters", [](Object& d) { d["parameters"] = Object{{"a", "b"}}; });
  refuses("a priority", [](Object& d) { d["schedulingPriority"] = 0; });
  refuses("several nodes", [](Object& d) { d["type"] = "multinode"; });
  refuses("no container", [](Object& d) { d.erase("containerProperties"); });
}

TEST(Submission, becomes_the_input_of_SubmitJob) {
  Submission s = a_submission();
  s.name = "train";
  s.array_size = 4;
  s.retries = 2;
  s.timeout = hours(2);
  s.priority = 7;
  s.share = "team";
  s.depends_on = {"id-1"};
  s.environment = {{"A", "1"}};
  s.tags = {{"k", "v"}};
  EXPECT_EQ(
      json::write(submit_input(s, "host-2cpu-4096mib-1gpu:3")),
      R"({"jobName":"train","jobQueue":"default","jobDefinition":"host-2cpu-4096mib-1gpu:3",)"
      R"("containerOverrides":{"command":["python","train.py"],"environment":[{"name":"A","value":"1"}]},)"
      R"("arrayProperties":{"size":4},"retryStrategy":{"attempts":3},"timeout":{"attemptDurationSeconds":7200},)"
      R"("schedulingPriorityOverride":7,"shareIdentifier":"team","dependsOn":[{"jobId":"id-1"}],"tags":{"k":"v"}})");
}

TEST(Submission, of_nodes_shares_a_definition_whatever_their_number) {
  Submission s = a_submission();
  s.name = "train";
  s.nodes = 4;
  const std::string plain = definition_name(a_submission());
  EXPECT_EQ(definition_name(s), plain + "-nodes");
  const json::Value definition = definition_input(s);
  EXPECT_TRUE(is_same_definition(definition, s));
  EXPECT_FALSE(is_same_definition(definition, a_submission()));
  EXPECT_FALSE(is_same_definition(described(a_submission()), s));
  EXPECT_EQ(
      json::write(submit_input(s, "d:1")),
      R"({"jobName":"train","jobQueue":"default","jobDefinition":"d:1","nodeOverrides":{"numNodes":4,)"
      R"("nodePropertyOverrides":[{"targetNodes":"0:","containerOverrides":{"command":["python","train.py"]}}]}})");
}

TEST(Submission, a_job_without_a_name_is_called_after_what_it_runs) {
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"/usr/bin/nvidia-smi", "-L"}, "nvidia-smi"},
      {{"python", "train.py", "--lr", "0.1"}, "train"},
      {{"python3.11", "-u", "src/fit model.py"}, "python3-11"},
      {{"python3", "-m", "http.server"}, "http"},
      {{"sh", "-c", "echo hi; exit 3"}, "sh"},
      {{"./run me.sh"}, "run-me-sh"},
      {{"日本"}, "job"},
      {{}, "job"}};
  for (const auto& [command, name] : rows) EXPECT_EQ(name_from_command(command), name);
}

TEST(Variable, is_given_or_taken_over) {
  const std::map<std::string, std::string, std::less<>> own{{"TOKEN", "s=1"}};
  EXPECT_EQ(*parse_variable("A=b=c", own), (std::pair<std::string, std::string>("A", "b=c")));
  EXPECT_EQ(*parse_variable("A=", own), (std::pair<std::string, std::string>("A", "")));
  EXPECT_EQ(*parse_variable("TOKEN", own), (std::pair<std::string, std::string>("TOKEN", "s=1")));
  for (const char* text : {"MISSING", "=x", "", "AWS_BATCH_JOB_ID=1"})
    EXPECT_FALSE(parse_variable(text, own)) << text;
}

TEST(Environment, that_is_taken_over_holds_paths_and_no_secrets) {
  const auto taken = inherited_environment({{"PATH", "/bin"},
                                            {"VIRTUAL_ENV", "/v"},
                                            {"LC_ALL", "C"},
                                            {"AWS_SECRET_ACCESS_KEY", "x"},
                                            {"HF_TOKEN", "x"},
                                            {"HOME", ""}});
  EXPECT_EQ(taken, (std::vector<std::pair<std::string, std::string>>{
                       {"LC_ALL", "C"}, {"PATH", "/bin"}, {"VIRTUAL_ENV", "/v"}}));
}

// ---- jobs ----

constexpr std::string_view kFailed = R"({"jobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"train",
  "jobQueue":"arn:aws:batch:us-east-1:000000000000:job-queue/gpus","status":"FAILED","statusReason":"Essential container in task exited",
  "createdAt":1000000,"startedAt":1003000,"stoppedAt":1063000,"attempts":[{}],
  "container":{"exitCode":137,"reason":"OutOfMemoryError: Container killed due to memory usage",
    "resourceRequirements":[{"type":"VCPU","value":"2"},{"type":"MEMORY","value":"4096"},{"type":"GPU","value":"1"}]}})";

TEST(Job, is_read_from_DescribeJobs) {
  const JobView job = view_of(parsed(kFailed));
  EXPECT_EQ(job.queue, "gpus");
  EXPECT_EQ(job.cpus_milli, 2000);
  EXPECT_EQ(job.memory_mib, 4096);
  EXPECT_EQ(job.gpus, "1");
  EXPECT_EQ(job.waited({9'999'999}), seconds(3));
  EXPECT_EQ(job.ran({9'999'999}), minutes(1));
  EXPECT_EQ(job.remark(), "exit 137: OutOfMemoryError: Container killed due to memory usage");
  EXPECT_EQ(short_id(job.id), "1b9d6bcd");
  EXPECT_EQ(short_id(job.id + ":12"), "1b9d6bcd:12");
}

// Stopped for another job after a second, it waits for its second attempt; later somebody ends it.
TEST(Job, that_waits_to_be_tried_again_does_not_run_on) {
  const JobView waiting =
      view_of_line(parsed(R"({"jobId":"1","status":"RUNNABLE","createdAt":1000,"startedAt":3000,
    "attemptStoppedAt":4000,"runnableAt":4000,"attempts":1,"exitCode":143})"));
  EXPECT_EQ(waiting.ran({9'000}), seconds(1));
  EXPECT_EQ(waiting.waited({9'000}), seconds(5));
  const JobView ended = view_of_line(
      parsed(R"({"jobId":"1","status":"FAILED","statusReason":"no longer wanted","createdAt":1000,
    "startedAt":3000,"attemptStoppedAt":4000,"runnableAt":4000,"stoppedAt":8000,"attempts":1,"exitCode":143})"));
  EXPECT_EQ(ended.ran({9'000}), seconds(1));
  EXPECT_EQ(ended.remark(), "no longer wanted");
  const JobView described =
      view_of(parsed(R"({"jobId":"1","status":"RUNNABLE","createdAt":1000,"startedAt":3000,
    "attempts":[{"startedAt":3000,"stoppedAt":4000}]})"));
  EXPECT_EQ(described.ran({9'000}), seconds(1));
  EXPECT_EQ(described.waited({9'000}), seconds(5));
}

TEST(Job, remarks_say_what_a_person_wants_to_know) {
  JobView job;
  job.status = "SUCCEEDED";
  job.exit_code = 0;
  job.reason = "Essential container in task exited";
  EXPECT_EQ(job.remark(), "");
  job.status = "FAILED";
  job.exit_code = 2;
  EXPECT_EQ(job.remark(), "exit 2");
  job.exit_code.reset();
  job.reason = "Cancelled by ada";
  EXPECT_EQ(job.remark(), "Cancelled by ada");
  job.status = "RUNNABLE";
  job.reason = "needs 1 GPU";
  EXPECT_EQ(job.remark(), "needs 1 GPU");
  job.array_size = 10;
  job.children = {0, 0, 3, 0, 2, 4, 1};
  EXPECT_EQ(job.remark(), "4 succeeded, 1 failed, 2 running, 3 runnable");
}

TEST(Job, reasons_are_shortened_to_what_they_add) {
  EXPECT_EQ(short_reason("MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job is too large. The job asks 9 "
                         "GPU; node local has 4"),
            "JOB_RESOURCE_REQUIREMENT: The job asks 9 GPU; node local has 4");
  for (const char* text : {"", "needs 1 GPU - soon. Really",
                           "UNDETERMINED - Batch job is blocked, root cause is undetermined.", " - . x"})
    EXPECT_EQ(short_reason(text), text);
}

TEST(Job, anything_may_be_missing_or_of_another_type) {
  for (const char* text :
       {"{}", "[]", "null", R"({"jobId":5,"container":[],"arrayProperties":7,"attempts":{}})",
        R"({"container":{"resourceRequirements":[1,{"type":"GPU","value":"x"}]}})"}) {
    EXPECT_EQ(view_of(parsed(text)).cpus_milli, 0) << text;
    EXPECT_EQ(view_of_line(parsed(text)).gpus, "") << text;
  }
}

JobView line(std::string_view text) {
  return view_of_line(parsed(text));
}

TEST(JobTable, shows_each_job_in_a_line) {
  const std::vector<JobView> jobs = {
      line(
          R"({"jobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"train","jobQueue":"default","status":"RUNNING","createdAt":1000000,
        "startedAt":1001000,"requirements":{"vcpus":2.0,"memoryMib":4096,"gpus":1},"gpuRequest":"1"})"),
      line(
          R"({"jobId":"77aa6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"sweep","jobQueue":"default","status":"PENDING","createdAt":1000000,
        "requirements":{"vcpus":0.5,"memoryMib":512,"gpus":0},"arraySize":3,"arrayStatuses":{"RUNNING":1,"RUNNABLE":2}})")};
  EXPECT_EQ(job_table(jobs, {1'066'000}).render({}),
            "ID        NAME      QUEUE    STATUS   WAIT    RUN  CPUS   MEM  GPUS  REASON\n"
            "1b9d6bcd  train     default  RUNNING    1s  1m05s     2    4G     1\n"
            "77aa6bcd  sweep ×3  default  PENDING                0.5  512M        1 running, 2 runnable\n");
}

TEST(JobTable, shows_parts_of_gpus_as_they_were_asked_for) {
  const auto with = [](const std::string& gpus) {
    return line(
        R"({"jobId":"1b9d6bcd-b","status":"RUNNABLE","requirements":{"vcpus":1.0,"memoryMib":512,"gpus":0,"gpuMilli":286},"gpuRequest":")" +
        gpus + "\"}");
  };
  const std::string table = job_table({with("0.5"), with("3x1g.10gb")}, {1}, {}).render({});
  EXPECT_NE(table.find("512M        0.5"), std::string::npos) << table;
  EXPECT_NE(table.find("512M  3x1g.10gb"), std::string::npos) << table;
  EXPECT_EQ(
      view_of(parsed(R"({"container":{"resourceRequirements":[{"type":"GPU","value":"2g.20gb"}]}})")).gpus,
      "2g.20gb");
}

// ---- explain ----

TEST(Explanation, says_what_is_short_where_and_who_is_ahead) {
  const json::Value answer =
      parsed(R"({"jobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"train","jobQueue":"default",
    "status":"RUNNABLE","since":1000000,"reasons":[{"kind":"RESOURCES","text":"Needs 2 GPUs, 1 is free on local","since":1000000},
    {"kind":"RETRY","text":"Attempt 1 ended: exit code 3","since":970000}],
    "asks":"1 vCPU, 2048 MiB, 2 GPU","position":3,"ahead":["aaaaaaaa-1","bbbbbbbb-2"],
    "nodes":[{"node":"local","connected":true,"fits":false,"lacksNow":["GPU"],"lacksEver":[],"free":{"vcpus":6.0,"memoryMib":10240,"gpus":1,"gpuMilli":500}},
             {"node":"small","connected":true,"fits":false,"lacksNow":["GPU"],"lacksEver":["GPU"],"free":{"vcpus":2.0,"memoryMib":4096,"gpus":0}},
             {"node":"kept","connected":true,"fits":false,"keptFor":"cccccccc-3","lacksNow":[],"lacksEver":[],"free":{"vcpus":2.0,"memoryMib":4096,"gpus":2}},
             {"node":"mig","connected":true,"fits":false,"lacksNow":["GPU"],"lacksEver":[],"free":{"vcpus":2.0,"memoryMib":4096,"gpus":0},
              "freeMigDevices":{"1g.10gb":3,"2g.20gb":1},"idleMigGpus":2},
             {"node":"lost","connected":false,"fits":false,"lacksNow":[],"lacksEver":[],"free":{"vcpus":2.0,"memoryMib":4096,"gpus":4}}]})");
  EXPECT_EQ(explanation_text(answer, {1'090'000}, {}),
            "train (1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed) is RUNNABLE in queue default, for 1m30s\n"
            "  Needs 2 GPUs, 1 is free on local\n"
            "  Attempt 1 ended: exit code 3 (since 2m00s)\n"
            "  Number 3 in its queue, behind aaaaaaaa bbbbbbbb.\n"
            "  It asks 1 vCPU, 2048 MiB, 2 GPU.\n"
            "\n"
            "NODE   FREE CPUS  FREE MEM                        FREE GPUS  FOR THIS JOB\n"
            "local          6       10G                              1.5  not enough free: GPU\n"
            "small          2        4G                                0  never has enough: GPU\n"
            "kept           2        4G                                2  is kept for cccccccc\n"
            "mig            2        4G  3x1g.10gb, 2g.20gb, 2 to divide  not enough free: GPU\n"
            "lost           2        4G                                4  is not connected\n");
}

TEST(Explanation, names_what_a_job_depends_on_and_how_it_ended) {
  const json::Value answer =
      parsed(R"({"jobId":"x","jobName":"eval","jobQueue":"default","status":"FAILED","since":1000000,
    "reasons":[{"kind":"ENDED","text":"Failed: Dependent Job failed","since":1000000}],"asks":"2 vCPU, 512 MiB",
    "dependencies":[{"jobId":"y","type":"WHOLE","status":"FAILED"},{"type":"SEQUENTIAL","status":"PENDING"}],
    "attempt":{"number":1,"of":3,"node":"local","gpus":["GPU-1"],"startedAt":900000,"stoppedAt":905000,"exitCode":1},
    "cost":{"total":"0.012500","work":"0.010000","warmUp":"0.002500","waste":"0.000000","credit":"0.000000","provisional":true}})");
  EXPECT_EQ(explanation_text(answer, {1'030'000}, {}),
            "eval (x) is FAILED in queue default, ended 30s ago\n"
            "  Failed: Dependent Job failed\n"
            "  It asks 2 vCPU, 512 MiB.\n"
            "\n"
            "DEPENDS ON           STATUS   HOW\n"
            "y                    FAILED   all of it\n"
            "the child before it  PENDING  SEQUENTIAL\n"
            "\n"
            "Attempt 1 of 3 on node local, ran 5s, exit 1\n"
            "  GPUs: GPU-1\n"
            "  It cost 0.012500 USD so far: 0.010000 of work, 0.002500 of warm-up, 0.000000 lost to "
            "interruptions.\n");
}

TEST(Explanation, survives_an_answer_of_another_shape) {
  for (const char* text :
       {"{}", R"({"reasons":[1],"nodes":[{}],"dependencies":[null],"attempt":[],"ahead":[1]})"})
    EXPECT_NE(explanation_text(parsed(text), {1}, {}), "") << text;
}

// ---- top ----

TEST(Bar, is_full_only_when_nothing_is_free_and_empty_only_when_nothing_is_used) {
  EXPECT_EQ(bar(0, 8, 4), "░░░░");
  EXPECT_EQ(bar(1, 1000, 4), "█░░░");
  EXPECT_EQ(bar(4, 8, 4), "██░░");
  EXPECT_EQ(bar(999, 1000, 4), "███░");
  EXPECT_EQ(bar(8, 8, 4), "████");
  EXPECT_EQ(bar(9, 8, 4), "████");
  EXPECT_EQ(bar(0, 0, 4), "░░░░");
  EXPECT_EQ(bar(5, 8, 0), "");
}

TopData some_data() {
  TopData data{.address = "http://127.0.0.1:7790"};
  NodeView node{.name = "local",
                .connected = true,
                .cpus_milli = 8000,
                .cpus_used_milli = 2000,
                .memory_mib = 32768,
                .memory_used_mib = 4096,
                .gpus_total = 2,
                .gpus_used_milli = 1000,
                .jobs = 1};
  node.gpus = {{.model = "A10G", .memory_mib = 24576, .job_id = "1b9d6bcd-x", .job_name = "train"},
               {.model = "A10G", .memory_mib = 24576}};
  node.warnings = {"no cgroups: limits are not enforced"};
  data.nodes = {node};
  data.queues = {{.name = "default", .state = "ENABLED", .counts = {0, 0, 1, 0, 1, 5, 0}}};
  data.running = {line(
      R"({"jobId":"1b9d6bcd-x","jobName":"train","jobQueue":"default","status":"RUNNING","createdAt":1000000,
    "startedAt":1001000,"requirements":{"vcpus":2.0,"memoryMib":4096,"gpus":1}})")};
  data.waiting = {line(
      R"({"jobId":"77aa6bcd-x","jobName":"big","jobQueue":"default","status":"RUNNABLE","statusReason":"needs 2 GPUs",
    "createdAt":1000000,"requirements":{"vcpus":2.0,"memoryMib":4096,"gpus":2}})")};
  return data;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& text : lines) out += text + "\n";
  return out;
}

TEST(TopFrame, shows_nodes_with_who_holds_what_queues_and_jobs) {
  const std::string text = joined(top_frame(some_data(), {1'066'000}, {.columns = 100}, ""));
  for (const char* part :
       {"stoker  http://127.0.0.1:7790", "local  CPU ██░░░░ 2/8", "MEM █░░░░░ 4G/32G", "GPU ███░░░ 1/2",
        "1 job\n", "  GPU 0  A10G                24G     train (1b9d6bcd)\n",
        "  GPU 1  A10G                24G     free\n", "! no cgroups: limits are not enforced", "QUEUE",
        "default  ENABLED", "RUNNING   NAME   QUEUE", "\n1b9d6bcd  train", "WAITING   NAME",
        "\n77aa6bcd  big", "needs 2 GPUs"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(TopFrame, shows_who_holds_parts_of_gpus) {
  TopData data = some_data();
  data.nodes = {view_of_node(parsed(R"({"node":"local","connected":true,
    "total":{"vcpus":8,"memoryMib":32768,"gpus":4},"used":{"vcpus":2,"memoryMib":4096,"gpus":1,"gpuMilli":833},"gpus":[
    {"uuid":"GPU-0","model":"A10G","memoryMib":24576,"sharedMilli":833,"sharers":[
      {"jobId":"1b9d6bcd-x","jobName":"train","milli":500},{"jobId":"77aa6bcd-x:4","jobName":"sweep","milli":333}]},
    {"uuid":"GPU-1","model":"A100","memoryMib":81920,"migDevices":[
      {"name":"a","profile":"3g.40gb","jobId":"22aa6bcd-x","jobName":"tune"},{"name":"b","profile":"4g.40gb"}]},
    {"uuid":"GPU-2","model":"A100","memoryMib":81920,"migDevices":[{"name":"c","profile":"7g.80gb"}]},
    {"uuid":"GPU-3","model":"A100","memoryMib":81920,"migDevices":[]}]})"))};
  const std::string text = joined(top_frame(data, {1'066'000}, {.columns = 100}, ""));
  EXPECT_NE(text.find("GPU ███░░░ 1.833/4"), std::string::npos) << text;
  EXPECT_NE(text.find("  GPU 0  A10G                24G     0.833 shared, 0.167 free\n"
                      "         0.5                 train (1b9d6bcd)\n"
                      "         0.333               sweep (77aa6bcd:4)\n"
                      "  GPU 1  A100                80G     1 of 2 MIG devices\n"
                      "         3g.40gb             tune (22aa6bcd)\n"
                      "         4g.40gb             free\n"
                      "  GPU 2  A100                80G     free\n"
                      "  GPU 3  A100                80G     free\n"),
            std::string::npos)
      << text;
}

TEST(TopFrame, never_leaves_the_screen) {
  TopData data = some_data();
  for (int i = 0; i < 60; ++i) {
    data.nodes.push_back(data.nodes.front());
    data.queues.push_back(data.queues.front());
    data.running.push_back(data.running.front());
    data.waiting.push_back(data.waiting.front());
  }
  for (const std::size_t columns : {20u, 40u, 80u, 132u}) {
    for (const std::size_t rows : {4u, 10u, 24u, 60u}) {
      const auto lines = top_frame(data, {1'066'000}, {.columns = columns, .rows = rows}, "does not answer");
      EXPECT_LE(lines.size(), rows);
      for (const std::string& text : lines) EXPECT_LE(text_width(text), columns) << text;
    }
  }
  const std::string text = joined(top_frame(data, {1'066'000}, {.columns = 100, .rows = 24}, ""));
  EXPECT_NE(text.find("more nodes"), std::string::npos) << text;
  EXPECT_NE(text.find("more jobs"), std::string::npos) << text;
}

}  // namespace
}  // namespace stoker::cli
