// Whole workflow commands against a server that follows a script.
#include <csignal>

#include <gtest/gtest.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/testing/capture.h"
#include "cli/testing/fake_server.h"
#include "cli/testing/history.h"
#include "rt/file.h"

namespace stoker::cli {
namespace {

using testing::Captured;
using testing::FakeServer;
using testing::history;
using testing::job_detail;
using testing::Script;
using Words = std::vector<std::string>;

constexpr std::string_view kMachine = "arn:aws:states:us-east-1:000000000000:stateMachine:train";
constexpr std::string_view kArn = "arn:aws:states:us-east-1:000000000000:execution:train:monday";
constexpr std::string_view kJob = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
constexpr std::string_view kDefinition = "{\n \"StartAt\": \"Fit\",\n \"States\": {}\n}\n";

class WorkflowCommands : public ::testing::Test {
 protected:
  WorkflowCommands() {
    folder_ = rt::make_temporary_directory("/tmp/stoker-cli-test-").value();
    captured_.context.directory = folder_;
    captured_.context.environment["STOKER_SERVER"] = server_.address();
    write("train.asl.json", kDefinition);
    answer("createstatemachine", json::Object{{"stateMachineArn", kMachine}});
    answer("startexecution", json::Object{{"executionArn", kArn}, {"startDate", 1001}});
    answer("describestatemachine",
           json::Object{{"type", "STANDARD"}, {"definition", kDefinition}, {"stateMachineArn", kMachine}});
    answer("liststatemachines",
           json::Object{{"stateMachines",
                         json::Array{json::Object{
                             {"stateMachineArn", kMachine}, {"name", "train"}, {"type", "STANDARD"}}}}});
  }
  ~WorkflowCommands() override { EXPECT_TRUE(rt::remove_tree(folder_)); }

  int stoker(Words words) {
    captured_.out.clear();
    captured_.err.clear();
    return run(captured_.context, words, {});
  }
  void write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(rt::write_file_atomically(folder_ + "/" + name, text, {.durable = false}));
  }
  void answer(const std::string& operation, json::Value value) {
    server_.change([&](Script& script) { script.answers[operation] = std::move(value); });
  }
  void refuse(const std::string& operation, const std::string& name, const std::string& text) {
    server_.change([&](Script& script) {
      script.refusals[operation] = {400, text};
      script.refusal_names[operation] = name;
    });
  }
  void looks(std::vector<json::Array> histories) {
    server_.change([&](Script& script) {
      script.histories = std::move(histories);
      script.history_looks = 0;
    });
  }
  void ended(std::string_view status, std::string_view more = "{}") {
    json::Object description{{"executionArn", kArn}, {"stateMachineArn", kMachine}, {"name", "monday"},
                             {"status", status},     {"startDate", 1001},           {"stopDate", 1009}};
    const auto rest = json::parse(more);
    for (const auto& member : rest->get_object()) description[member.key()] = member.value();
    answer("describeexecution", description);
  }
  void expect_in(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }

  FakeServer server_;
  Captured captured_;
  std::string folder_;
};

const std::initializer_list<testing::EventLine> kBegun = {
    {1, 0, "ExecutionStarted", R"({"input":"{}"})"},
    {2, 0, "TaskStateEntered", R"({"name":"Fit"})"},
    {3, 2, "TaskScheduled", R"({"resourceType":"batch","resource":"submitJob.sync"})"},
    {4, 3, "TaskStarted", R"({"resourceType":"batch","resource":"submitJob.sync"})"},
    {5, 4, "TaskSubmitted", R"({"output":"{\"JobId\":\"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\"}"})"}};

json::Array begun_and(std::initializer_list<testing::EventLine> more) {
  json::Array out = history(kBegun);
  for (const json::Value& event : history(more)) out.push_back(event);
  return out;
}

json::Array succeeded() {
  return begun_and({{6, 5, "TaskSucceeded", R"({"output":"{}"})"},
                    {7, 6, "TaskStateExited", R"({"name":"Fit"})"},
                    {8, 7, "ExecutionSucceeded", R"({"output":"{}"})"}});
}

TEST_F(WorkflowCommands, run_puts_the_machine_starts_follows_and_ends_with_the_output) {
  looks({history(kBegun), history(kBegun), succeeded()});
  ended("SUCCEEDED", R"({"output":"{\"best\":0.90}"})");
  EXPECT_EQ(stoker({"run", "train.asl.json", "--input", R"({"a": 1})", "--name", "monday"}), 0)
      << captured_.err;
  EXPECT_EQ(captured_.out, "{\"best\":0.90}\n") << "as it came";
  expect_in(captured_.err, {"stoker: execution monday of train has started\n", "stoker: 1s  Fit: task\n",
                            "stoker: 4s  Fit: job 1b9d6bcd\n", "stoker: 6s  Fit: done after 5s\n"});
  const auto made = server_.inputs("createstatemachine");
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(json::get_string(made[0], "name"), "train");
  EXPECT_EQ(json::get_string(made[0], "definition"), kDefinition) << "not a byte changed";
  const auto started = server_.inputs("startexecution");
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(json::write(started[0]),
            R"({"stateMachineArn":")" + std::string(kMachine) + R"(","input":"{\"a\": 1}","name":"monday"})");
}

TEST_F(WorkflowCommands, run_updates_a_machine_that_says_something_else_and_leaves_one_that_says_the_same) {
  looks({succeeded()});
  ended("SUCCEEDED", R"({"output":"1"})");
  refuse("createstatemachine", "StateMachineAlreadyExists", "State Machine Already Exists: 'x'");
  EXPECT_EQ(stoker({"run", "train.asl.json"}), 0) << captured_.err;
  EXPECT_EQ(server_.inputs("updatestatemachine").size(), 0u);
  write("train.asl.json", "{}");
  EXPECT_EQ(stoker({"run", "train.asl.json"}), 0) << captured_.err;
  ASSERT_EQ(server_.inputs("updatestatemachine").size(), 1u);
  EXPECT_EQ(json::write(server_.inputs("updatestatemachine")[0]),
            R"({"stateMachineArn":")" + std::string(kMachine) + R"(","definition":"{}"})");
  answer("describestatemachine", json::Object{{"type", "EXPRESS"}});
  EXPECT_EQ(stoker({"run", "train.asl.json"}), kUsage);
  expect_in(captured_.err, {"EXPRESS"});
}

TEST_F(WorkflowCommands, run_draws_a_tree_on_a_terminal_and_leaves_it_there) {
  captured_.context.err.terminal = true;
  captured_.context.size = [] { return Size{.columns = 100, .rows = 20}; };
  server_.change([](Script& script) {
    script.jobs[std::string(kJob)] = {job_detail(kJob, "RUNNABLE", R"({"statusReason":"needs 1 GPU"})"),
                                      job_detail(kJob, "RUNNING")};
  });
  looks({history(kBegun), history(kBegun), succeeded()});
  ended("SUCCEEDED", R"({"output":"{}"})");
  EXPECT_EQ(stoker({"run", "train.asl.json"}), 0);
  expect_in(captured_.err, {"job 1b9d6bcd RUNNABLE: needs 1 GPU", "job 1b9d6bcd RUNNING", "\x1b[3A",
                            "train monday  SUCCEEDED", "Fit    Task  SUCCEEDED    5s", "\x1b[?25h"});
  EXPECT_EQ(captured_.out, "{}\n");
}

TEST_F(WorkflowCommands, run_of_what_fails_says_why_and_exits_with_1) {
  const std::string failure =
      R"({"error":"States.TaskFailed","cause":"{\"JobId\":\"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\",\"Status\":\"FAILED\",\"Container\":{\"ExitCode\":3}}","redriveStatus":"REDRIVABLE"})";
  looks({begun_and({{6, 5, "TaskFailed", failure}, {7, 6, "ExecutionFailed", failure}})});
  ended("FAILED", failure);
  EXPECT_EQ(stoker({"run", "train.asl.json"}), 1);
  EXPECT_EQ(captured_.out, "");
  expect_in(captured_.err, {"stoker: 5s  Fit: failed: States.TaskFailed: job 1b9d6bcd: exit 3\n",
                            "stoker: FAILED after 8s: States.TaskFailed: job 1b9d6bcd: exit 3\n",
                            "stoker logs 1b9d6bcd", "stoker redrive monday"});
  EXPECT_EQ(stoker({"run", "--quiet", "--json", "train.asl.json"}), 1);
  EXPECT_EQ(json::get_string(*json::parse(captured_.out), "status"), "FAILED");
}

TEST_F(WorkflowCommands, interrupting_run_stops_the_execution_and_waits_for_its_end) {
  captured_.plan = {{.waits = 1, .signal = SIGINT}};
  looks({history(kBegun), history(kBegun), history(kBegun), begun_and({{6, 0, "ExecutionAborted"}})});
  ended("ABORTED", R"({"error":"Interrupted"})");
  EXPECT_EQ(stoker({"run", "train.asl.json"}), kInterrupted);
  ASSERT_EQ(server_.inputs("stopexecution").size(), 1u);
  EXPECT_EQ(json::get_string(server_.inputs("stopexecution")[0], "executionArn"), kArn);
  expect_in(captured_.err, {"interrupted: ending the execution", "ABORTED after 8s: Interrupted"});
}

TEST_F(WorkflowCommands, a_hangup_detaches_and_so_does_interrupting_history) {
  captured_.plan = {{.waits = 1, .signal = SIGHUP}};
  looks({history(kBegun)});
  EXPECT_EQ(stoker({"run", "train.asl.json"}), kInterrupted);
  expect_in(captured_.err, {"detached; the execution goes on, 'stoker history -f monday' follows it"});
  captured_.plan = {{.waits = 1, .signal = SIGINT}};
  EXPECT_EQ(stoker({"history", "-f", std::string(kArn)}), kInterrupted);
  EXPECT_EQ(server_.inputs("stopexecution").size(), 0u);
}

TEST_F(WorkflowCommands, a_server_that_is_away_for_a_while_is_waited_for) {
  looks({history(kBegun), succeeded()});
  ended("SUCCEEDED", R"({"output":"{}"})");
  server_.change([](Script& script) { script.failures["getexecutionhistory"] = 3; });
  EXPECT_EQ(stoker({"run", "train.asl.json"}), 0) << captured_.err;
  expect_in(captured_.err, {"does not answer", "the server is back"});
}

TEST_F(WorkflowCommands, run_detached_prints_the_arn_alone) {
  EXPECT_EQ(stoker({"run", "--detach", "--machine", "other", "train.asl.json"}), 0) << captured_.err;
  EXPECT_EQ(captured_.out, std::string(kArn) + "\n");
  EXPECT_EQ(captured_.err, "");
  EXPECT_EQ(json::get_string(server_.inputs("createstatemachine")[0], "name"), "other");
  EXPECT_EQ(server_.inputs("getexecutionhistory").size(), 0u);
}

TEST_F(WorkflowCommands, input_comes_from_the_command_line_or_a_file) {
  write("input.json", " [1, 2]\n");
  EXPECT_EQ(stoker({"run", "--detach", "train.asl.json", "--input", "@input.json"}), 0) << captured_.err;
  EXPECT_EQ(json::get_string(server_.inputs("startexecution").back(), "input"), " [1, 2]\n");
  EXPECT_EQ(stoker({"run", "--detach", "train.asl.json"}), 0);
  EXPECT_EQ(json::get_string(server_.inputs("startexecution").back(), "input"), "{}");
}

TEST_F(WorkflowCommands, nonsense_is_refused_before_the_server_is_asked) {
  const std::pair<Words, const char*> rows[] = {
      {{"run"}, "FILE is missing"},
      {{"run", "nowhere.json"}, "nowhere.json"},
      {{"run", "train.asl.json", "--input", "{"}, "option --input"},
      {{"run", "train.asl.json", "--input", "@nowhere"}, "nowhere"},
      {{"validate", "nowhere.json"}, "nowhere.json"},
      {{"history"}, "EXECUTION is missing"},
      {{"history", "-f", "--json", "x"}, "goes with neither"},
      {{"stop"}, "EXECUTION is missing"},
      {{"redrive"}, "EXECUTION is missing"},
      {{"executions", "--status", "BUSY"}, "must be one of RUNNING"}};
  for (const auto& [words, text] : rows) {
    EXPECT_EQ(stoker(words), kUsage) << text;
    expect_in(captured_.err, {text});
  }
  EXPECT_EQ(server_.change([](Script& script) { return script.calls.size(); }), 0u);
}

TEST_F(WorkflowCommands, faults_of_a_definition_are_told_with_their_lines) {
  answer(
      "validatestatemachinedefinition",
      *json::parse(
          R"({"result":"FAIL","diagnostics":[{"severity":"ERROR","code":"MISSING_TRANSITION_TARGET","message":"Missing 'StartAt' target: Fit","location":"/StartAt"}]})"));
  const std::string line =
      "train.asl.json:2: error: MISSING_TRANSITION_TARGET: Missing 'StartAt' target: Fit (/StartAt)\n";
  EXPECT_EQ(stoker({"validate", "train.asl.json"}), 1);
  EXPECT_EQ(captured_.out, line);
  refuse("createstatemachine", "InvalidDefinition", "Invalid State Machine Definition: '...'");
  EXPECT_EQ(stoker({"run", "train.asl.json"}), kRefused);
  EXPECT_EQ(captured_.err, line);
  answer("validatestatemachinedefinition", *json::parse(R"({"result":"OK","diagnostics":[]})"));
  EXPECT_EQ(stoker({"validate", "train.asl.json"}), 0);
  EXPECT_EQ(captured_.out + captured_.err, "");
}

json::Value two_executions() {
  const auto one = [](std::string_view name, int start) {
    return json::Object{
        {"executionArn", "arn:aws:states:us-east-1:000000000000:execution:train:" + std::string(name)},
        {"stateMachineArn", kMachine},
        {"name", name},
        {"status", "RUNNING"},
        {"startDate", start}};
  };
  return json::Object{{"executions", json::Array{one("monday", 2000), one("monkey", 1000)}}};
}

TEST_F(WorkflowCommands, executions_are_listed_newest_first) {
  answer("listallexecutions", two_executions());
  answer("listexecutions", two_executions());
  EXPECT_EQ(stoker({"executions", "--names"}), 0) << captured_.err;
  EXPECT_EQ(captured_.out, "monday\nmonkey\n");
  EXPECT_EQ(stoker({"executions", "-n", "1", "--machine", "train", "--status", "running"}), 0);
  expect_in(captured_.out, {"monday  train    RUNNING"});
  EXPECT_EQ(captured_.out.find("monkey"), std::string::npos);
  expect_in(captured_.err, {"there are more"});
  EXPECT_EQ(json::get_string(server_.inputs("listexecutions").back(), "statusFilter"), "RUNNING");
  EXPECT_EQ(stoker({"executions", "--machine", "other"}), kNotFound);
  answer("listallexecutions", json::Object{});
  EXPECT_EQ(stoker({"executions"}), 0);
  expect_in(captured_.err, {"stoker run"});
}

TEST_F(WorkflowCommands, an_execution_is_named_by_name_beginning_or_machine) {
  answer("listallexecutions", two_executions());
  looks({history(kBegun)});
  const std::pair<const char*, const char*> rows[] = {
      {"monkey", "monkey"}, {"monk", "monkey"}, {"train", "monday"}};
  for (const auto& [typed, name] : rows) {
    EXPECT_EQ(stoker({"history", typed}), 0) << captured_.err;
    EXPECT_TRUE(
        json::get_string(server_.inputs("getexecutionhistory").back(), "executionArn").ends_with(name))
        << typed;
  }
  EXPECT_EQ(stoker({"history", "mon"}), kUsage);
  expect_in(captured_.err, {"several names: monday monkey"});
  EXPECT_EQ(stoker({"history", "tuesday"}), kNotFound);
}

TEST_F(WorkflowCommands, history_prints_all_pages_in_order) {
  looks({succeeded()});
  EXPECT_EQ(stoker({"history", std::string(kArn)}), 0) << captured_.err;
  expect_in(captured_.out, {"ID  AT  STATE  EVENT", " 1  0s         ExecutionStarted    input {}\n",
                            " 5  4s  Fit    TaskSubmitted       job 1b9d6bcd\n"});
  EXPECT_EQ(stoker({"history", "--json", "--reverse", std::string(kArn)}), 0);
  const auto events = json::parse(captured_.out);
  ASSERT_TRUE(events && events->is_array());
  ASSERT_EQ(events->get_array().size(), 8u);
  EXPECT_EQ(json::get_int(events->get_array()[0], "id"), 8);
}

TEST_F(WorkflowCommands, stop_goes_on_after_an_execution_that_is_not_there) {
  answer("listallexecutions", two_executions());
  ended("RUNNING");
  captured_.context.environment["USER"] = "ada";
  EXPECT_EQ(stoker({"stop", "nothing", "monkey"}), kNotFound);
  expect_in(captured_.err, {"no execution has the name 'nothing'"});
  EXPECT_EQ(captured_.out, "monkey is stopped\n");
  ASSERT_EQ(server_.inputs("stopexecution").size(), 1u);
  EXPECT_EQ(json::get_string(server_.inputs("stopexecution")[0], "cause"), "Stopped by ada");
  ended("FAILED");
  EXPECT_EQ(stoker({"stop", "monkey"}), 0);
  EXPECT_EQ(captured_.out, "monkey had already ended (FAILED)\n");
}

TEST_F(WorkflowCommands, redrive_follows_what_goes_on) {
  const auto failed =
      begun_and({{6, 5, "TaskFailed", R"({"error":"E"})"}, {7, 6, "ExecutionFailed", R"({"error":"E"})"}});
  json::Array again = failed;
  for (const json::Value& event : history({{8, 7, "ExecutionRedriven", R"({"redriveCount":1})"},
                                           {9, 8, "TaskStateEntered", R"({"name":"Fit"})"}}))
    again.push_back(event);
  json::Array done = again;
  for (const json::Value& event :
       history({{10, 9, "TaskStateExited", R"({"name":"Fit"})"}, {11, 10, "ExecutionSucceeded"}}))
    done.push_back(event);
  looks({again, done});
  ended("SUCCEEDED", R"({"output":"7"})");
  EXPECT_EQ(stoker({"redrive", std::string(kArn)}), 0) << captured_.err;
  EXPECT_EQ(captured_.out, "7\n");
  expect_in(captured_.err, {"redriven", "Fit: task, visit 2"});
  refuse("redriveexecution", "ExecutionNotRedrivable", "Execution is SUCCEEDED and cannot be redriven");
  EXPECT_EQ(stoker({"redrive", std::string(kArn)}), kRefused);
  EXPECT_EQ(captured_.err, "stoker: Execution is SUCCEEDED and cannot be redriven\n");
}

TEST_F(WorkflowCommands, requests_are_signed_for_the_states_service) {
  Words services;
  captured_.context.sign = [&](net::Request&, std::string_view service) { services.emplace_back(service); };
  EXPECT_EQ(stoker({"run", "--detach", "train.asl.json"}), 0);
  EXPECT_EQ(services, (Words{"states", "states"}));
}

}  // namespace
}  // namespace stoker::cli
