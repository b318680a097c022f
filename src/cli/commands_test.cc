// Whole commands against a server that follows a script.
#include <csignal>

#include <gtest/gtest.h>

#include "cli/api.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/testing/capture.h"
#include "cli/testing/fake_server.h"

namespace stoker::cli {
namespace {

using testing::Captured;
using testing::FakeServer;
using testing::job_detail;
using testing::Script;
using Words = std::vector<std::string>;

constexpr std::string_view kId = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
constexpr std::string_view kOther = "77aa0000-bbfd-4b2d-9b5d-ab8dfbbd4bed";

class Commands : public ::testing::Test {
 protected:
  int stoker(Words words) {
    captured_.out.clear();
    captured_.err.clear();
    captured_.context.environment["STOKER_SERVER"] = server_.address();
    return run(captured_.context, words, {});
  }
  void job(std::string_view id, std::vector<json::Value> looks) {
    server_.change([&](Script& script) { script.jobs[std::string(id)] = std::move(looks); });
  }
  void stream(const std::string& name, Words lines) {
    server_.change([&](Script& script) { script.streams[name] = std::move(lines); });
  }
  void lines(std::string_view text) {
    server_.change([&](Script& script) { script.lines = json::parse(text).value().as_array(); });
  }

  FakeServer server_;
  Captured captured_;
};

// ---- costs ----

TEST_F(Commands, costs_adds_up_by_what_was_asked_for) {
  server_.change([&](Script& script) {
    script.answers["listcosts"] =
        json::parse(
            R"({"costs":[{"day":"2026-08-07","queue":"","total":"0.250000","work":"0.000000","warmUp":"0.000000","idle":"0.250000","waste":"0.000000","credit":"0.000000","provisional":true},
                         {"day":"2026-08-07","queue":"default","total":"1.500012","work":"1.500012","warmUp":"0.000000","idle":"0.000000","waste":"0.000000","credit":"0.000000","provisional":false}],
                "total":{"total":"1.750012","work":"1.500012","warmUp":"0.000000","idle":"0.250000","waste":"0.000000","credit":"0.000000","provisional":true}})")
            .value();
  });
  EXPECT_EQ(stoker({"costs", "--by", "queue,day", "--since", "1h"}), 0) << captured_.err;
  EXPECT_EQ(captured_.out,
            "DAY         QUEUE          USD      WORK  WARM-UP  IDLE  WASTE  CREDIT\n"
            "2026-08-07               ~0.25      0.00     0.00  0.25   0.00    0.00\n"
            "2026-08-07  default   1.500012  1.500012     0.00  0.00   0.00    0.00\n"
            "all                  ~1.750012  1.500012     0.00  0.25   0.00    0.00\n");
  const json::Value asked = server_.inputs("listcosts").back();
  EXPECT_EQ(json::write(*json::find(asked, "groupBy")), R"(["DAY","QUEUE"])");
  EXPECT_NE(json::find(asked, "from"), nullptr);
  EXPECT_EQ(stoker({"costs", "--by", "team"}), 2);
  EXPECT_NE(
      captured_.err.find("must be of day, environment, queue and share, separated by commas, not 'team'"),
      std::string::npos)
      << captured_.err;
  EXPECT_EQ(stoker({"costs", "--json"}), 0);
  EXPECT_EQ(json::get_string(*json::find(json::parse(captured_.out).value(), "total"), "total"), "1.750012");
}

TEST_F(Commands, costs_prints_the_rows_of_focus_as_the_server_writes_them) {
  server_.change([&](Script& script) {
    script.answers["listcosts"] =
        json::parse(R"({"costs":[],"total":{},"focus":"BilledCost\n1.000000\n"})").value();
  });
  EXPECT_EQ(stoker({"costs", "--focus", "--since", "31d"}), 0) << captured_.err;
  EXPECT_EQ(captured_.out, "BilledCost\n1.000000\n");
  EXPECT_TRUE(json::get_bool(server_.inputs("listcosts").back(), "focus"));
}

TEST_F(Commands, costs_says_when_there_are_none) {
  server_.change(
      [&](Script& script) { script.answers["listcosts"] = json::parse(R"({"costs":[]})").value(); });
  EXPECT_EQ(stoker({"costs"}), 0);
  EXPECT_EQ(captured_.out, "");
  EXPECT_NE(captured_.err.find("stoker serve --node-price"), std::string::npos);
}

TEST_F(Commands, jobs_tells_costs_where_they_are_asked_for) {
  lines(
      R"([{"jobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"a","jobQueue":"default","status":"RUNNING","createdAt":1,
             "requirements":{"vcpus":1,"memoryMib":100,"gpus":0},"cost":{"total":"0.120000","provisional":true}}])");
  EXPECT_EQ(stoker({"jobs", "--cost"}), 0) << captured_.err;
  EXPECT_NE(captured_.out.find("  USD"), std::string::npos) << captured_.out;
  EXPECT_NE(captured_.out.find("~0.12"), std::string::npos) << captured_.out;
  EXPECT_TRUE(json::get_bool(server_.inputs("listalljobs").back(), "costs"));
  EXPECT_EQ(stoker({"jobs"}), 0);
  EXPECT_EQ(captured_.out.find("USD"), std::string::npos);
}

// ---- submit ----

TEST_F(Commands, submit_registers_what_it_needs_follows_the_log_and_exits_as_the_job_did) {
  job(kId,
      {job_detail(kId, "RUNNABLE", R"({"statusReason":"needs 1 GPU, none is free"})"),
       job_detail(kId, "RUNNABLE", R"({"statusReason":"needs 1 GPU, none is free"})"),
       job_detail(kId, "RUNNING", R"({"startedAt":1010000,"container":{"logStreamName":"s/1"}})"),
       job_detail(
           kId, "FAILED",
           R"({"startedAt":1010000,"stoppedAt":1015000,"statusReason":"Essential container in task exited",
              "attempts":[{"container":{"logStreamName":"s/1"}}],"container":{"logStreamName":"s/1","exitCode":7}})")});
  stream("s/1", {"one", "two", "three"});
  EXPECT_EQ(
      stoker({"submit", "--gpus", "1", "--memory", "4G", "--name", "train", "--", "python", "train.py"}), 7)
      << captured_.err;
  EXPECT_EQ(captured_.out, "one\ntwo\nthree\n");
  for (const char* part : {"stoker: job 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed (train) is in queue default\n",
                           "stoker: RUNNABLE: needs 1 GPU, none is free\n", "stoker: RUNNING",
                           "stoker: FAILED after 5s: exit 7\n"})
    EXPECT_NE(captured_.err.find(part), std::string::npos) << part << "\n" << captured_.err;

  const auto made = server_.inputs("registerjobdefinition");
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(json::get_string(made[0], "jobDefinitionName"), "host-1cpu-4096mib-1gpu");
  const auto submitted = server_.inputs("submitjob");
  ASSERT_EQ(submitted.size(), 1u);
  EXPECT_EQ(json::get_string(submitted[0], "jobDefinition"), "host-1cpu-4096mib-1gpu:1");
  EXPECT_NE(json::write(submitted[0]).find(R"({"name":"STOKER_WORKDIR","value":"/home/ada/project"})"),
            std::string::npos);
}

TEST_F(Commands, submit_passes_shares_of_gpus_and_mig_devices_on_as_they_are_written) {
  for (const auto& [written, value] :
       {std::pair{"0.5", "0.5"}, {"3x1g.10gb", "3x1g.10gb"}, {"0", ""}, {"00", ""}, {"2", "2"}}) {
    EXPECT_EQ(stoker({"submit", "--detach", "--gpus", written, "true"}), 0) << captured_.err;
    const auto inputs = server_.inputs("registerjobdefinition");
    ASSERT_GE(inputs.size(), 1u);
    const std::string text = json::write(inputs.back());
    if (*value != 0)
      EXPECT_NE(text.find(R"({"type":"GPU","value":")" + std::string(value) + "\"}"), std::string::npos)
          << text;
    else
      EXPECT_EQ(text.find("GPU"), std::string::npos) << text;
  }
  EXPECT_EQ(stoker({"submit", "--detach", "--gpus", "many?", "true"}), 2);
  EXPECT_NE(captured_.err.find("must be like 2, 0.5, 2g.20gb or 3x1g.10gb"), std::string::npos)
      << captured_.err;
}

TEST_F(Commands, submit_uses_a_definition_that_is_there) {
  job(kId, {job_detail(kId, "SUCCEEDED")});
  EXPECT_EQ(stoker({"submit", "--", "true"}), 0) << captured_.err;
  EXPECT_EQ(stoker({"submit", "--", "false"}), 0) << captured_.err;
  EXPECT_EQ(server_.inputs("registerjobdefinition").size(), 1u);
  EXPECT_EQ(stoker({"submit", "--cpus", "2", "--", "true"}), 0) << captured_.err;
  EXPECT_EQ(server_.inputs("registerjobdefinition").size(), 2u);
}

TEST_F(Commands, submit_prints_each_attempt_once) {
  job(kId,
      {job_detail(kId, "RUNNING", R"({"startedAt":1,"container":{"logStreamName":"s/1"}})"),
       job_detail(
           kId, "RUNNABLE",
           R"({"attempts":[{"container":{"logStreamName":"s/1"}}],"container":{"logStreamName":"s/1"}})"),
       job_detail(
           kId, "RUNNING",
           R"({"attempts":[{"container":{"logStreamName":"s/1"}}],"container":{"logStreamName":"s/2"}})"),
       job_detail(
           kId, "SUCCEEDED",
           R"({"attempts":[{"container":{"logStreamName":"s/1"}},{"container":{"logStreamName":"s/2"}}],
              "container":{"logStreamName":"s/2","exitCode":0}})")});
  stream("s/1", {"first"});
  stream("s/2", {"second"});
  EXPECT_EQ(stoker({"submit", "--retries", "1", "--", "x"}), 0) << captured_.err;
  EXPECT_EQ(captured_.out, "first\nsecond\n");
  EXPECT_NE(captured_.err.find("RUNNING (attempt 2)"), std::string::npos) << captured_.err;
}

TEST_F(Commands, submit_detached_prints_the_id_alone) {
  EXPECT_EQ(stoker({"submit", "--detach", "--env", "A=1", "--no-env", "--tag", "team=x", "echo", "hi"}), 0)
      << captured_.err;
  EXPECT_EQ(captured_.out, std::string(kId) + "\n");
  EXPECT_EQ(captured_.err, "");
  EXPECT_EQ(server_.inputs("describejobs").size(), 0u);
  EXPECT_NE(json::write(server_.inputs("submitjob")[0])
                .find(R"("environment":[{"name":"A","value":"1"},{"name":"STOKER_WORKDIR")"),
            std::string::npos);
}

TEST_F(Commands, submit_into_a_container_takes_nothing_over_from_here) {
  captured_.context.environment["PATH"] = "/bin";
  EXPECT_EQ(stoker({"submit", "--detach", "--image", "busybox", "echo", "hi"}), 0) << captured_.err;
  EXPECT_EQ(json::write(server_.inputs("submitjob")[0]).find("environment"), std::string::npos);
  EXPECT_EQ(stoker({"submit", "--image", "busybox", "--workdir", "/x", "echo"}), kUsage);
}

TEST_F(Commands, interrupting_submit_ends_the_job_and_waits_for_its_end) {
  captured_.plan = {{.waits = 2, .signal = SIGINT}};
  const json::Value running =
      job_detail(kId, "RUNNING", R"({"startedAt":1,"container":{"logStreamName":"s/1"}})");
  job(kId, {running, running, running, running,
            job_detail(kId, "FAILED", R"({"startedAt":1,"stoppedAt":2,"container":{"exitCode":143}})")});
  EXPECT_EQ(stoker({"submit", "--", "sleep", "99"}), kInterrupted) << captured_.err;
  ASSERT_EQ(server_.inputs("terminatejob").size(), 1u);
  EXPECT_EQ(json::get_string(server_.inputs("terminatejob")[0], "jobId"), kId);
  EXPECT_NE(captured_.err.find("FAILED"), std::string::npos)
      << "the end was not waited for: " << captured_.err;
}

TEST_F(Commands, a_second_interrupt_does_not_wait_and_a_hangup_detaches) {
  job(kId, {job_detail(kId, "RUNNING")});
  captured_.plan = {{.waits = 1, .signal = SIGINT}, {.waits = 1, .signal = SIGINT}};
  EXPECT_EQ(stoker({"submit", "--", "sleep", "99"}), kInterrupted);
  EXPECT_EQ(server_.inputs("terminatejob").size(), 1u);
  captured_.plan = {{.waits = 1, .signal = SIGHUP}};
  EXPECT_EQ(stoker({"submit", "--", "sleep", "99"}), kInterrupted);
  EXPECT_EQ(server_.inputs("terminatejob").size(), 1u) << "the job must go on";
  EXPECT_NE(captured_.err.find("stoker logs -f " + std::string(kId)), std::string::npos) << captured_.err;
}

TEST_F(Commands, a_server_that_is_away_for_a_while_is_waited_for) {
  job(kId, {job_detail(kId, "RUNNING"), job_detail(kId, "SUCCEEDED")});
  server_.change([](Script& script) { script.failures["describejobs"] = 3; });
  EXPECT_EQ(stoker({"submit", "--", "x"}), 0) << captured_.err;
  EXPECT_NE(captured_.err.find("does not answer; running jobs go on"), std::string::npos) << captured_.err;
  EXPECT_NE(captured_.err.find("the server is back"), std::string::npos) << captured_.err;
  captured_.step = minutes(2);
  server_.change([](Script& script) { script.failures["describejobs"] = 1'000'000; });
  EXPECT_EQ(stoker({"submit", "--", "x"}), kNoServer) << captured_.err;
}

TEST_F(Commands, a_job_without_an_exit_status_of_its_own_fails_with_1) {
  job(kId, {job_detail(kId, "FAILED", R"({"stoppedAt":5,"statusReason":"Cancelled by ada"})")});
  EXPECT_EQ(stoker({"submit", "--", "x"}), 1);
  EXPECT_NE(captured_.err.find("FAILED: Cancelled by ada"), std::string::npos) << captured_.err;
}

TEST_F(Commands, an_array_tells_how_far_it_is_and_which_children_failed) {
  job(kId,
      {job_detail(kId, "PENDING",
                  R"({"arrayProperties":{"size":3,"statusSummary":{"RUNNING":2,"RUNNABLE":1}}})"),
       job_detail(
           kId, "FAILED",
           R"({"stoppedAt":5,"arrayProperties":{"size":3,"statusSummary":{"SUCCEEDED":2,"FAILED":1}}})")});
  server_.change([&](Script& script) {
    script.answers["listjobs"] =
        json::parse(
            R"({"jobSummaryList":[{"jobId":"1b9d6bcd:2","status":"FAILED","container":{"exitCode":9}}]})")
            .value();
  });
  EXPECT_EQ(stoker({"submit", "--array", "3", "--", "x"}), 1);
  EXPECT_EQ(captured_.out, "");
  for (const char* part :
       {"array: 2 running, 1 runnable", "FAILED: 2 succeeded, 1 failed", "failed: 1b9d6bcd:2: exit 9"})
    EXPECT_NE(captured_.err.find(part), std::string::npos) << part << "\n" << captured_.err;
}

TEST_F(Commands, what_the_server_refuses_is_said_in_its_words) {
  server_.change(
      [](Script& script) { script.refusals["submitjob"] = {400, "JobQueue nowhere does not exist"}; });
  EXPECT_EQ(stoker({"submit", "--queue", "nowhere", "--", "x"}), kRefused);
  EXPECT_EQ(captured_.err, "stoker: JobQueue nowhere does not exist\n");
  server_.change([](Script& script) { script.refusals["submitjob"] = {500, "out of order"}; });
  EXPECT_EQ(stoker({"submit", "--", "x"}), kRefused);
  EXPECT_EQ(captured_.err, "stoker: the server failed: out of order\n");
}

TEST_F(Commands, nonsense_is_refused_before_the_server_is_asked) {
  const std::pair<Words, const char*> rows[] = {{{"submit"}, "COMMAND is missing"},
                                                {{"submit", "--timeout", "5s", "x"}, "at least 60s"},
                                                {{"submit", "--memory", "1M", "x"}, "at least 4M"},
                                                {{"submit", "--array", "1", "x"}, "from 2 to 10000"},
                                                {{"submit", "--env", "NOT_SET_HERE", "x"}, "is not set here"},
                                                {{"submit", "--tag", "x", "x"}, "write KEY=VALUE"},
                                                {{"jobs", "extra"}, "takes no arguments"},
                                                {{"logs"}, "JOB is missing"},
                                                {{"cancel"}, "JOB is missing"},
                                                {{"explain", "a", "b"}, "one argument too many: 'b'"},
                                                {{"jobs", "--status", "BUSY"}, "must be one of SUBMITTED"}};
  for (const auto& [words, text] : rows) {
    EXPECT_EQ(stoker(words), kUsage) << text;
    EXPECT_NE(captured_.err.find(text), std::string::npos) << text << "\n" << captured_.err;
  }
  EXPECT_EQ(server_.change([](Script& script) { return script.calls.size(); }), 0u);
}

TEST_F(Commands, without_a_server_it_is_said_how_to_get_one) {
  Captured captured;
  captured.context.environment["STOKER_SERVER"] = "http://127.0.0.1:9";
  EXPECT_EQ(run(captured.context, Words{"jobs"}, {}), kNoServer);
  EXPECT_NE(captured.err.find("no stoker server at http://127.0.0.1:9"), std::string::npos) << captured.err;
  EXPECT_NE(captured.err.find("stoker serve"), std::string::npos) << captured.err;
}

// ---- naming jobs ----

constexpr std::string_view kLines = R"([
  {"jobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"train","jobQueue":"default","status":"RUNNING","createdAt":900,"startedAt":950,
   "requirements":{"vcpus":1.0,"memoryMib":512,"gpus":0}},
  {"jobId":"1b9d0000-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"train","jobQueue":"default","status":"SUCCEEDED","createdAt":800,"stoppedAt":900,
   "requirements":{"vcpus":1.0,"memoryMib":512,"gpus":0}},
  {"jobId":"77aa0000-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"bead","jobQueue":"default","status":"RUNNABLE","createdAt":700,
   "statusReason":"needs 9 GPUs","requirements":{"vcpus":1.0,"memoryMib":512,"gpus":9}},
  {"jobId":"beadbead-bbfd-4b2d-9b5d-ab8dfbbd4bed","jobName":"beadbeef","jobQueue":"default","status":"FAILED","createdAt":600,"stoppedAt":650,
   "exitCode":3,"requirements":{"vcpus":1.0,"memoryMib":512,"gpus":0}}])";

TEST_F(Commands, a_job_is_named_by_id_beginning_or_name) {
  lines(kLines);
  auto api = Api::connect(captured_.context, server_.address());
  ASSERT_TRUE(api);
  server_.change(
      [](Script& script) { script.answers["describejobs"] = json::parse(R"({"jobs":[]})").value(); });
  const std::pair<const char*, const char*> rows[] = {
      {"train", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"1b9d6", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"1B9D0", "1b9d0000-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"bead", "77aa0000-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"beadbead", "beadbead-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"beadbeef", "beadbead-bbfd-4b2d-9b5d-ab8dfbbd4bed"},
      {"train:3", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed:3"},
      {"77AA0000-BBFD-4B2D-9B5D-AB8DFBBD4BED", "77aa0000-bbfd-4b2d-9b5d-ab8dfbbd4bed"}};
  for (const auto& [typed, id] : rows) {
    EXPECT_EQ(stoker({"explain", typed}), kNotFound) << "the script knows no details";
    const auto asked = server_.inputs("describejobs");
    ASSERT_FALSE(asked.empty()) << typed << captured_.err;
    EXPECT_EQ(json::text(json::get_array(asked.back(), "jobs")[0]), id) << typed;
  }
  EXPECT_EQ(stoker({"update", "train#0", "--queue", "night"}), kNotFound);
  EXPECT_NE(captured_.err.find("no job has the id or the name '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed#0'"),
            std::string::npos)
      << captured_.err;
  EXPECT_TRUE(server_.inputs("updatejob").empty()) << "what is not there is not updated";
  EXPECT_EQ(stoker({"explain", "1b9d"}), kUsage);
  EXPECT_NE(captured_.err.find("several ids: 1b9d6bcd"), std::string::npos) << captured_.err;
  EXPECT_EQ(stoker({"explain", "nothing"}), kNotFound);
  EXPECT_NE(captured_.err.find("no job has the id or the name 'nothing'"), std::string::npos)
      << captured_.err;
}

// ---- the others ----

TEST_F(Commands, jobs_shows_what_runs_before_what_waits_before_what_has_ended) {
  lines(kLines);
  EXPECT_EQ(stoker({"jobs"}), 0) << captured_.err;
  const auto at = [&](const char* text) { return captured_.out.find(text); };
  EXPECT_LT(at("ID"), at("1b9d6bcd"));
  EXPECT_LT(at("1b9d6bcd"), at("77aa0000"));
  EXPECT_LT(at("77aa0000"), at("1b9d0000"));
  EXPECT_LT(at("1b9d0000"), at("beadbead"));
  EXPECT_NE(at("needs 9 GPUs"), std::string::npos);
  EXPECT_NE(at("exit 3"), std::string::npos);
  EXPECT_EQ(stoker({"jobs", "--ids", "--status", "runnable"}), 0);
  EXPECT_EQ(captured_.out, std::string(kOther) + "\n");
  EXPECT_EQ(stoker({"jobs", "--json", "-n", "1"}), 0);
  const auto list = json::parse(captured_.out);
  ASSERT_TRUE(list && list->is_array());
  EXPECT_EQ(list->get_array().size(), 1u);
}

TEST_F(Commands, jobs_of_an_array_are_its_children) {
  EXPECT_EQ(stoker({"jobs", "--array", std::string(kId), "--status", "FAILED"}), 0);
  EXPECT_EQ(
      json::write(server_.inputs("listalljobs").back()),
      R"({"maxResults":1000,"statuses":["FAILED"],"arrayJobId":"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"})");
}

TEST_F(Commands, jobs_of_an_empty_server_says_what_to_do) {
  EXPECT_EQ(stoker({"jobs"}), 0);
  EXPECT_EQ(captured_.out, "");
  EXPECT_NE(captured_.err.find("stoker submit"), std::string::npos);
  EXPECT_EQ(stoker({"jobs", "--json"}), 0);
  EXPECT_EQ(captured_.out, "[]\n");
}

TEST_F(Commands, logs_prints_all_attempts_or_the_last_lines_and_says_nothing_else) {
  job(kId, {job_detail(kId, "SUCCEEDED",
                       R"({"startedAt":1,"stoppedAt":2,"attempts":[{"container":{"logStreamName":"s/1"}},
    {"container":{"logStreamName":"s/2"}}],"container":{"logStreamName":"s/2"}})")});
  stream("s/1", {"a", "b", "c"});
  stream("s/2", {"d"});
  EXPECT_EQ(stoker({"logs", std::string(kId)}), 0);
  EXPECT_EQ(captured_.out, "a\nb\nc\nd\n");
  EXPECT_EQ(captured_.err, "");
  EXPECT_EQ(stoker({"logs", "-n", "1", "-t", std::string(kId)}), 0);
  EXPECT_EQ(captured_.out, "1970-01-01T00:00:02.000Z c\n1970-01-01T00:00:00.000Z d\n");
  EXPECT_EQ(stoker({"logs", "--json", "-n", "1", std::string(kId)}), 0);
  EXPECT_EQ(captured_.out, "{\"timestamp\":2000,\"message\":\"c\"}\n{\"timestamp\":0,\"message\":\"d\"}\n");
}

TEST_F(Commands, logs_of_a_job_that_waits_says_so_and_with_follow_waits_too) {
  const json::Value waiting = job_detail(kId, "RUNNABLE", R"({"statusReason":"needs 1 GPU"})");
  job(kId, {waiting});
  EXPECT_EQ(stoker({"logs", std::string(kId)}), 0);
  EXPECT_EQ(captured_.err, "stoker: no output yet: the job is RUNNABLE: needs 1 GPU\n");
  job(kId, {waiting, waiting,
            job_detail(kId, "SUCCEEDED", R"({"attempts":[{"container":{"logStreamName":"s/1"}}]})")});
  stream("s/1", {"done"});
  EXPECT_EQ(stoker({"logs", "-f", std::string(kId)}), 0);
  EXPECT_EQ(captured_.out, "done\n");
  EXPECT_EQ(captured_.err, "");
}

TEST_F(Commands, logs_of_an_array_asks_for_a_child) {
  job(kId, {job_detail(kId, "PENDING", R"({"arrayProperties":{"size":3}})")});
  EXPECT_EQ(stoker({"logs", std::string(kId)}), kUsage);
  EXPECT_NE(captured_.err.find("1b9d6bcd:0"), std::string::npos) << captured_.err;
}

TEST_F(Commands, cancel_goes_on_after_a_job_that_is_not_there) {
  job(kId, {job_detail(kId, "RUNNING")});
  job(kOther, {job_detail(kOther, "SUCCEEDED")});
  captured_.context.environment["USER"] = "ada";
  EXPECT_EQ(stoker({"cancel", "00000000-0000-4000-8000-000000000000", std::string(kId), std::string(kOther)}),
            kNotFound);
  EXPECT_EQ(captured_.out, std::string(kId) + " is being ended\n" + std::string(kOther) +
                               " had already ended (SUCCEEDED)\n");
  EXPECT_NE(captured_.err.find("no job has the id"), std::string::npos);
  const auto ended = server_.inputs("terminatejob");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(json::get_string(ended[0], "reason"), "Cancelled by ada");
}

TEST_F(Commands, top_prints_one_picture_where_there_is_no_terminal) {
  lines(kLines);
  server_.change([](Script& script) {
    script.answers["listnodes"] =
        json::parse(R"({"nodes":[{"node":"local","environment":"local","connected":true,
      "total":{"vcpus":8.0,"memoryMib":32768,"gpus":1},"used":{"vcpus":2.0,"memoryMib":512,"gpus":0},
      "gpus":[{"uuid":"GPU-1","model":"A10G","memoryMib":24576}],"jobCount":1}]})")
            .value();
    script.answers["listqueues"] =
        json::parse(
            R"({"queues":[{"jobQueue":"default","state":"ENABLED","priority":1,"counts":{"RUNNING":1}}]})")
            .value();
  });
  EXPECT_EQ(stoker({"top"}), 0) << captured_.err;
  for (const char* part : {"local", "A10G", "default", "RUNNING   NAME", "\n1b9d6bcd  train",
                           "WAITING   NAME", "\n77aa0000  bead", "ENDED     NAME", "\n1b9d0000  train"})
    EXPECT_NE(captured_.out.find(part), std::string::npos) << part << "\n" << captured_.out;
  EXPECT_EQ(captured_.out.find('\x1b'), std::string::npos) << "no colours without a terminal";
  EXPECT_EQ(stoker({"queues", "--names"}), 0);
  EXPECT_EQ(captured_.out, "default\n");
  EXPECT_EQ(stoker({"top", "--json"}), 0);
  EXPECT_TRUE(json::parse(captured_.out)) << captured_.out;
}

TEST_F(Commands, requests_are_signed_where_there_are_keys) {
  std::vector<std::string> services;
  captured_.context.sign = [&](net::Request& request, std::string_view service) {
    EXPECT_FALSE(request.header("Host").empty());
    services.emplace_back(service);
  };
  job(kId, {job_detail(kId, "SUCCEEDED", R"({"attempts":[{"container":{"logStreamName":"s/1"}}]})")});
  EXPECT_EQ(stoker({"logs", std::string(kId)}), 0);
  EXPECT_EQ(services, (Words{"batch", "logs"}));
}

TEST(Address, comes_from_the_first_place_that_names_one) {
  Context context;
  EXPECT_EQ(*server_address(context, ""), "http://127.0.0.1:7790");
  context.environment["STOKER_SERVER"] = "stoker.lan:7790";
  EXPECT_EQ(*server_address(context, ""), "http://stoker.lan:7790");
  context.environment["AWS_ENDPOINT_URL"] = "https://b:1/";
  EXPECT_EQ(*server_address(context, ""), "https://b:1");
  context.environment["AWS_ENDPOINT_URL_BATCH"] = "http://c:1";
  EXPECT_EQ(*server_address(context, ""), "http://c:1");
  EXPECT_EQ(*server_address(context, "d:2"), "http://d:2");
  for (const char* text : {"ftp://x", "http://", "http://a/b", "a b"}) {
    const auto address = server_address(context, text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(exit_status(address.error()), kUsage);
  }
}

}  // namespace
}  // namespace stoker::cli
