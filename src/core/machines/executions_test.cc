// Executions in the core: names, ends, activities, executions that start others, jobs, crashes, retention.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/machines/workflows.h"
#include "core/testing/driver.h"
#include "core/workflow/run/execution.h"

namespace stoker::core {
namespace {

using testing::Driver;
using ::testing::HasSubstr;

const std::string kPrefix = "arn:aws:states:us-east-1:000000000000:";
constexpr std::string_view kPass = R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}})";
constexpr std::string_view kWait =
    R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}})";

std::string task(const std::string& resource, const std::string& more = "") {
  return R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" + resource + "\"," + more +
         R"("End":true}}})";
}

class Executions : public ::testing::Test {
 protected:
  std::string make(const std::string& name, std::string_view definition, bool express = false) {
    CreateStateMachine asked;
    asked.name = name;
    asked.definition = definition;
    asked.role_arn = "role";
    asked.express = express;
    const auto answer = d.ask(asked);
    EXPECT_TRUE(answer) << answer.error().message;
    return std::get<ArnCreated>(*answer).arn;
  }
  StartExecution start_of(const std::string& arn, const std::string& name, const std::string& input = "{}") {
    return {.arn = arn,
            .name = name,
            .input = input,
            .trace_header = {},
            .id = Uuid::from_random(d.ids.next(), d.ids.next()),
            .seed = d.ids.next(),
            .seed2 = d.ids.next(),
            .sync = false,
            .task = std::nullopt};
  }
  std::string start(const std::string& arn, const std::string& name, const std::string& input = "{}") {
    const auto answer = d.ask(start_of(arn, name, input));
    EXPECT_TRUE(answer) << answer.error().message;
    return std::get<ExecutionStarted>(*answer).arn;
  }
  const ExecutionInfo& info(const std::string& arn) { return **d.state().executions.at(arn); }
  std::string status(const std::string& arn) { return std::string(workflow::name(info(arn).status)); }
  std::string refusal(Request request) {
    const auto answer = d.ask(std::move(request));
    return answer ? "" : std::string(answer.error().name) + ": " + answer.error().message;
  }
  // The types of the events, as the store has them.
  std::vector<std::string> history(const std::string& arn) {
    std::vector<std::string> out;
    for (const workflow::HistoryEvent& event : d.store().history(info(arn).no.value))
      out.emplace_back(workflow::name(event.type));
    return out;
  }
  std::string last_details(const std::string& arn) {
    return d.store().history(info(arn).no.value).back().details;
  }

  Driver d;
};

TEST_F(Executions, APassEndsInTheTurnOfItsStartAndLeavesMemory) {
  const std::string execution = start(make("m", kPass), "x", R"({"a":1})");
  EXPECT_EQ(status(execution), "SUCCEEDED");
  EXPECT_EQ(info(execution).live, nullptr);
  EXPECT_THAT(history(execution), ::testing::ElementsAre("ExecutionStarted", "PassStateEntered",
                                                         "PassStateExited", "ExecutionSucceeded"));
  d.check();
}

TEST_F(Executions, ANameIsOneExecution) {
  const std::string machine = make("m", kWait);
  const std::string first = start(machine, "x");
  EXPECT_EQ(start(machine, "x"), first) << "the same request while it runs";
  EXPECT_EQ(refusal(start_of(machine, "x", R"({"b":2})")),
            "ExecutionAlreadyExists: Execution Already Exists: '" + first + "'");
  d.advance(seconds(61));
  EXPECT_EQ(status(first), "SUCCEEDED");
  EXPECT_THAT(refusal(start_of(machine, "x")), HasSubstr("ExecutionAlreadyExists"));
}

TEST_F(Executions, BadInputIsRefusedInWords) {
  const std::string machine = make("m", kPass);
  EXPECT_EQ(refusal(start_of(machine, "x", "")),
            "InvalidExecutionInput: Invalid State Machine Execution Input: 'Invalid execution input.'");
  EXPECT_THAT(refusal(start_of(machine, "x", "not json")),
              HasSubstr("Unrecognized token 'not': was expecting"));
}

TEST_F(Executions, ATimerThatFellDueWhileAwayFiresAtOnce) {
  const std::string execution = start(make("m", kWait), "x");
  d.crash();
  d.check();
  EXPECT_EQ(status(execution), "RUNNING");
  d.now = d.now + hours(2);
  d.advance({});
  EXPECT_EQ(status(execution), "SUCCEEDED");
  EXPECT_EQ(history(execution).size(), 4U);
  d.check();
}

TEST_F(Executions, StoppingEndsThemOnce) {
  const std::string execution = start(make("m", kWait), "x");
  const auto at = std::get<ExecutionStopped>(*d.ask(StopExecution{execution, "E", "because"})).at;
  EXPECT_EQ(status(execution), "ABORTED");
  d.advance(seconds(5));
  EXPECT_EQ(std::get<ExecutionStopped>(*d.ask(StopExecution{execution, {}, {}})).at, at);
  EXPECT_EQ(refusal(StopExecution{kPrefix + "execution:m:none", {}, {}}),
            "ExecutionDoesNotExist: Execution Does Not Exist: '" + kPrefix + "execution:m:none'");
  d.check();
}

TEST_F(Executions, AWorkerGetsTheTaskOfAnActivityAndEndsIt) {
  ASSERT_TRUE(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = {}}));
  const std::string activity = kPrefix + "activity:work";
  const RequestId poll = d.ask_later(GetActivityTask{activity, "worker-1"});
  EXPECT_EQ(d.answer_of(poll), nullptr) << "it waits";
  const std::string execution = start(make("m", task(activity)), "x", R"({"n":1})");
  ASSERT_NE(d.answer_of(poll), nullptr);
  const auto given = std::get<ActivityTaskGiven>(**d.answer_of(poll));
  EXPECT_EQ(given.input, R"({"n":1})");

  d.crash();
  d.advance({});
  const RequestId second = d.ask_later(GetActivityTask{activity, "worker-2"});
  EXPECT_EQ(d.answer_of(second), nullptr) << "a task is given out once, also across a restart";
  EXPECT_THAT(refusal(SendTaskSuccess{given.token, "no json"}), HasSubstr("InvalidOutput"));
  EXPECT_EQ(refusal(SendTaskHeartbeat{given.token}), "");
  EXPECT_EQ(refusal(SendTaskSuccess{given.token, R"({"done":true})"}), "");
  EXPECT_EQ(status(execution), "SUCCEEDED");
  EXPECT_THAT(refusal(SendTaskSuccess{given.token, "{}"}), HasSubstr("TaskTimedOut"));
  EXPECT_EQ(refusal(SendTaskSuccess{"garbage", "{}"}), "InvalidToken: Invalid Token: 'Invalid token'");
  d.advance(seconds(61));
  ASSERT_NE(d.answer_of(second), nullptr);
  EXPECT_EQ(std::get<ActivityTaskGiven>(**d.answer_of(second)).token, "");
  d.check();
}

TEST_F(Executions, TasksOfAnActivityWaitInOrder) {
  ASSERT_TRUE(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = {}}));
  const std::string activity = kPrefix + "activity:work";
  const std::string machine = make("m", task(activity));
  const std::string first = start(machine, "first", "1");
  start(machine, "second", "2");
  ASSERT_TRUE(d.ask(StopExecution{first, {}, {}}));
  const auto given = d.ask(GetActivityTask{activity, {}});
  EXPECT_EQ(std::get<ActivityTaskGiven>(*given).input, "2") << "the first one is over";
}

TEST_F(Executions, OneWaitsForTheOtherThatItStarted) {
  const std::string inner = make("inner", kWait);
  const std::string outer = make("outer", task("arn:aws:states:::states:startExecution.sync:2",
                                               R"("Parameters":{"StateMachineArn":")" + inner +
                                                   R"(","Name":"child","Input":{"a":1}},)"));
  const std::string execution = start(outer, "x");
  const std::string child = kPrefix + "execution:inner:child";
  EXPECT_EQ(status(child), "RUNNING");
  EXPECT_EQ(status(execution), "RUNNING");
  d.crash();
  d.advance(seconds(1));
  EXPECT_EQ(d.state().executions.all.size(), 2U) << "what was started before the crash is found again";
  d.advance(seconds(60));
  EXPECT_EQ(status(child), "SUCCEEDED");
  EXPECT_EQ(status(execution), "SUCCEEDED");
  EXPECT_THAT(last_details(execution), HasSubstr(R"(\"Input\":{\"a\":1})"));
  d.check();
}

TEST_F(Executions, StoppingTheOneStopsTheOther) {
  const std::string inner = make("inner", kWait);
  const std::string outer =
      make("outer", task("arn:aws:states:::states:startExecution.sync",
                         R"("Parameters":{"StateMachineArn":")" + inner + R"(","Name":"child"},)"));
  const std::string execution = start(outer, "x");
  ASSERT_TRUE(d.ask(StopExecution{execution, {}, {}}));
  EXPECT_EQ(status(kPrefix + "execution:inner:child"), "ABORTED");
}

TEST_F(Executions, ChildrenOfAMapRunEndWithItAlsoInTheTurnOfTheirStart) {
  for (const std::string kind : {"STANDARD", "EXPRESS"}) {
    SCOPED_TRACE(kind);
    const std::string parallel =
        R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[)"
        R"({"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Next":"C"},)"
        R"("C":{"Type":"Pass","Next":"F"},"F":{"Type":"Fail","Error":"E"}}},)"
        R"({"StartAt":"M","States":{"M":{"Type":"Map","QueryLanguage":"JSONata","Items":[1,2],"End":true,)"
        R"("ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":")" +
        kind + R"("},"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}}}}]}}})";
    const std::string execution = start(make("m" + kind, parallel), "x");
    EXPECT_EQ(status(execution), "FAILED");
    for (const auto& [no, one] : d.state().executions.all)
      EXPECT_NE(one.status, workflow::Status::Running) << one.name;
    d.check();
  }
}

TEST_F(Executions, AMissingMachineFailsTheTaskByName) {
  const std::string outer =
      make("outer", task("arn:aws:states:::states:startExecution",
                         R"("Parameters":{"StateMachineArn":")" + kPrefix + R"(stateMachine:none"},)"));
  const std::string execution = start(outer, "x");
  EXPECT_EQ(status(execution), "FAILED");
  EXPECT_THAT(last_details(execution), HasSubstr("StepFunctions.StateMachineDoesNotExistException"));
}

class TaskJobs : public Executions {
 protected:
  void SetUp() override {
    d.connect("node", {.cpus_milli = 4000, .memory_mib = 4000});
    d.define("work", {.cpus_milli = 1000, .memory_mib = 100});
    machine_ =
        make("m", task("arn:aws:states:::batch:submitJob.sync",
                       R"("Parameters":{"JobName":"j","JobQueue":"default","JobDefinition":"work"},)"));
  }
  // What the server does with a CallService for submitJob.
  Uuid submit(const CallService& call) {
    const Uuid id = id_of_task(call.task.token, "job");
    SubmitJob job;
    job.id = id;
    job.job_name = "j";
    job.queue = "default";
    job.definition = "work";
    const auto answer = d.ask(SubmitTaskJob{call.task.token, job});
    EXPECT_TRUE(answer) << answer.error().message;
    d.event(WorkflowNews{
        call.task.token.execution,
        workflow::TaskSubmitted{call.task.token, workflow::Document(json::Value(json::Object{}))}});
    return id;
  }
  std::string machine_;
};

TEST_F(TaskJobs, TheEndOfTheJobIsTheEndOfTheTask) {
  const std::string execution = start(machine_, "x");
  ASSERT_EQ(d.calls.size(), 1U);
  const Uuid job = submit(d.calls[0]);
  EXPECT_TRUE(d.descriptions.empty());
  d.start(job);
  d.finish(job, 0);
  ASSERT_EQ(d.descriptions.size(), 1U);
  EXPECT_EQ(d.descriptions[0].job, job);
  d.event(WorkflowNews{d.descriptions[0].token.execution,
                       workflow::TaskSucceeded{d.descriptions[0].token,
                                               workflow::Document(json::Value(json::Object{{"ok", true}}))}});
  EXPECT_EQ(status(execution), "SUCCEEDED");
  d.check();
}

TEST_F(TaskJobs, ACrashBetweenAskingAndSubmittingMakesOneJob) {
  start(machine_, "x");
  d.crash();
  d.calls.clear();
  d.advance({});
  ASSERT_EQ(d.calls.size(), 1U) << "what is owed is asked for again";
  const CallService call = d.calls[0];
  const Uuid job = submit(call);
  EXPECT_EQ(submit(call), job);
  EXPECT_EQ(d.state().jobs.size(), 1U);
  d.crash();
  d.calls.clear();
  d.advance({});
  EXPECT_TRUE(d.calls.empty()) << "it is under way";
}

TEST_F(TaskJobs, AJobThatEndedWhileNobodyListenedIsToldAfterTheRestart) {
  start(machine_, "x");
  const Uuid job = submit(d.calls[0]);
  d.start(job);
  d.finish(job, 3);
  d.descriptions.clear();  // lost in the crash
  d.crash();
  d.advance({});
  ASSERT_EQ(d.descriptions.size(), 1U);
  EXPECT_EQ(d.descriptions[0].job, job);
}

TEST_F(TaskJobs, StoppingTheExecutionEndsTheJob) {
  const std::string execution = start(machine_, "x");
  const Uuid job = submit(d.calls[0]);
  d.start(job);
  ASSERT_TRUE(d.ask(StopExecution{execution, {}, {}}));
  EXPECT_EQ(d.stops.size(), 1U);
  d.finish(job, 137);
  EXPECT_EQ(d.status(job), "FAILED");
  EXPECT_TRUE(d.descriptions.empty());
  d.check();
}

TEST_F(TaskJobs, AJobIsMarkedWithTheExecutionAndTheStateThatStartedIt) {
  const std::string execution = start(machine_, "x");
  const Uuid job = submit(d.calls[0]);
  d.crash();
  ASSERT_NE(d.job(job).extra->started_by, nullptr);
  EXPECT_EQ(*d.job(job).extra->started_by, (StartedBy{execution, "T"}));
  d.check();
}

TEST_F(TaskJobs, AnExecutionWhoseDefinitionIsNotAcceptedAnyMoreFailsAndEndsItsJob) {
  const std::string execution = start(machine_, "x");
  const Uuid job = submit(d.calls[0]);
  d.start(job);
  Records older;
  for (DocumentRecord record : d.store().all().documents) {
    constexpr std::string_view kType = "\\\"Task\\\"";
    const std::size_t at = record.body.find(kType);
    if (record.kind != DocumentKind::MachineRevision || at == std::string::npos) continue;
    record.body.replace(at, kType.size(), "\\\"Tusk\\\"");
    older.documents.push_back(record);
  }
  ASSERT_EQ(older.documents.size(), 1U);
  d.store().commit(older);
  d.crash();
  d.advance({});
  EXPECT_EQ(status(execution), "FAILED");
  EXPECT_EQ(history(execution).back(), "ExecutionFailed");
  EXPECT_THAT(last_details(execution),
              HasSubstr("This server does not accept the definition of the execution any more: "));
  EXPECT_THAT(last_details(execution), HasSubstr("\"error\":\"States.Runtime\""));
  EXPECT_EQ(d.stops.size(), 1U) << "the job is ended with it";
  d.crash();
  EXPECT_EQ(status(execution), "FAILED");
  EXPECT_THAT(refusal(RedriveExecution{execution}), HasSubstr("its definition is no longer accepted"));
}

TEST_F(TaskJobs, AnExecutionThatWasStoppedSubmitsNothing) {
  const std::string execution = start(machine_, "x");
  const CallService call = d.calls[0];
  ASSERT_TRUE(d.ask(StopExecution{execution, {}, {}}));
  SubmitJob job;
  job.id = id_of_task(call.task.token, "job");
  job.job_name = "j";
  job.queue = "default";
  job.definition = "work";
  EXPECT_THAT(refusal(SubmitTaskJob{call.task.token, job}), HasSubstr("TaskTimedOut"));
  EXPECT_EQ(d.state().jobs.size(), 0U);
}

TEST_F(Executions, ExpressOnesAnswerWhenTheyEndAndLeaveNothing) {
  const std::string machine = make("m", kWait, true);
  StartExecution asked = start_of(machine, "x");
  asked.sync = true;
  const RequestId call = d.ask_later(asked);
  EXPECT_EQ(d.answer_of(call), nullptr);
  d.advance(seconds(61));
  ASSERT_NE(d.answer_of(call), nullptr);
  const auto ended = std::get<SyncExecutionEnded>(**d.answer_of(call));
  EXPECT_EQ(ended.status, "SUCCEEDED");
  EXPECT_TRUE(d.state().executions.all.empty());
  StartExecution wrong = start_of(make("standard", kPass), "x");
  wrong.sync = true;
  EXPECT_EQ(refusal(wrong),
            "StateMachineTypeNotSupported: This operation is not supported by this type of state machine");
  d.check();
}

TEST_F(Executions, OneThatFailedGoesOnAfterARedrive) {
  ASSERT_TRUE(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = {}}));
  const std::string activity = kPrefix + "activity:work";
  const std::string execution = start(make("m", task(activity)), "x");
  const auto given = std::get<ActivityTaskGiven>(*d.ask(GetActivityTask{activity, {}}));
  ASSERT_TRUE(d.ask(SendTaskFailure{given.token, "E", "c"}));
  EXPECT_EQ(status(execution), "FAILED");
  d.crash();
  d.check();
  const auto redriven = d.ask(RedriveExecution{execution});
  ASSERT_TRUE(redriven) << redriven.error().message;
  EXPECT_EQ(status(execution), "RUNNING");
  EXPECT_EQ(info(execution).redrive_count, 1);
  EXPECT_EQ(refusal(RedriveExecution{execution, "token"}),
            "ExecutionNotRedrivable: Execution is RUNNING and cannot be redriven");
  const auto again = std::get<ActivityTaskGiven>(*d.ask(GetActivityTask{activity, {}}));
  ASSERT_TRUE(d.ask(SendTaskSuccess{again.token, "{}"}));
  EXPECT_EQ(status(execution), "SUCCEEDED");
  d.check();
}

TEST_F(Executions, ARedriveWithTheSameTokenIsTheSameRedrive) {
  const std::string execution =
      start(make("m", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E"}}})"), "x");
  const auto redrive = [&](const std::string& token) {
    const auto answer = d.ask(RedriveExecution{execution, token});
    EXPECT_TRUE(answer) << answer.error().message;
    return std::get<ExecutionRedriven>(*answer).at;
  };
  const Instant first = redrive("a");
  d.advance(seconds(60));
  d.crash();
  EXPECT_EQ(redrive("a"), first);
  EXPECT_EQ(info(execution).redrive_count, 1);
  EXPECT_GT(redrive("b"), first);
  EXPECT_EQ(redrive("a"), first) << "earlier ones are known, too";
  EXPECT_EQ(info(execution).redrive_count, 2);
  d.advance(minutes(15));
  EXPECT_GT(redrive("a"), first) << "after a quarter of an hour it is a new one";
  EXPECT_EQ(info(execution).redrive_count, 3);
  for (int i = 0; i < 12; ++i) redrive("t" + std::to_string(i));
  EXPECT_EQ(info(execution).redrive_tokens.size(), 10U);
  d.check();
}

TEST_F(Executions, TheyAreForgottenAfterNinetyDays) {
  const std::string machine = make("m", kPass);
  start(machine, "x");
  d.advance(days(89));
  EXPECT_EQ(d.state().executions.all.size(), 1U);
  d.advance(days(2));
  EXPECT_TRUE(d.state().executions.all.empty());
  EXPECT_TRUE(d.store().history(1).empty());
  EXPECT_TRUE(d.store().all().executions.empty());
  start(machine, "x");
  d.check();
}

TEST_F(Executions, ADeletedMachineGoesWithItsLastExecution) {
  const std::string machine = make("m", kWait);
  const std::string execution = start(machine, "x");
  ASSERT_TRUE(d.ask(DeleteStateMachine{machine}));
  EXPECT_EQ(status(execution), "ABORTED");
  EXPECT_EQ(d.state().machines.find_machine("m"), nullptr);
  EXPECT_THAT(refusal(start_of(machine, "y")), HasSubstr("StateMachineDoesNotExist"));
  d.check();
}

}  // namespace
}  // namespace stoker::core
