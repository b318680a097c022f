// From histories and definitions to what people read.
#include <gtest/gtest.h>

#include "cli/definition_file.h"
#include "cli/execution_frame.h"
#include "cli/execution_view.h"
#include "cli/failure_text.h"
#include "cli/history_view.h"
#include "cli/indented_json.h"
#include "cli/live_region.h"
#include "cli/testing/history.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

using testing::EventLine;
using testing::history;

constexpr Instant kNow{1'100'000};
constexpr std::string_view kJob = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
constexpr std::string_view kSubmitted =
    R"({"resourceType":"batch","resource":"submitJob.sync","output":"{\"JobId\":\"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\"}"})";
constexpr std::string_view kScheduled = R"({"resourceType":"batch","resource":"submitJob.sync"})";
constexpr std::string_view kJobFailed =
    R"({"error":"States.TaskFailed","cause":"{\"JobId\":\"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\",\"Status\":\"FAILED\",\"StatusReason\":\"Essential container in task exited\",\"Container\":{\"ExitCode\":3}}"})";

json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : json::Value();
}

ExecutionTree tree_of(const json::Array& events) {
  ExecutionTree tree;
  for (const json::Value& event : events) tree.add(event);
  return tree;
}

// "Train[3]/Fit FAILED" for each state, in the order in which they were first entered.
std::vector<std::string> states_of(const json::Array& events) {
  const ExecutionTree tree = tree_of(events);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tree.states().size(); ++i)
    out.push_back(tree.path({.thread = tree.states()[i].thread, .state = i}) + " " +
                  std::string(status_text(tree.states()[i].status)));
  return out;
}
using Lines = std::vector<std::string>;

std::string frame_of(const json::Array& events, FrameLook look = {.columns = 100}) {
  ExecutionData data{.name = "monday", .machine = "digits", .tree = tree_of(events)};
  std::string out;
  for (const std::string& line : execution_frame(data, kNow, look)) out += line + "\n";
  return out;
}

// ---- which state an event belongs to ----

TEST(ExecutionTree, a_chain_of_states_is_shown_in_its_order) {
  const auto events = history({{1, 0, "ExecutionStarted", R"({"input":"{}"})"},
                               {2, 0, "PassStateEntered", R"({"name":"A"})"},
                               {3, 2, "PassStateExited", R"({"name":"A"})"},
                               {4, 3, "WaitStateEntered", R"({"name":"B"})"}});
  EXPECT_EQ(states_of(events), (Lines{"A SUCCEEDED", "B RUNNING"}));
  EXPECT_EQ(tree_of(events).status(), "RUNNING");
}

TEST(ExecutionTree, a_loop_shows_each_state_once_with_its_latest_visit) {
  const auto events = history({{1, 0, "ExecutionStarted"},
                               {2, 0, "PassStateEntered", R"({"name":"A"})"},
                               {3, 2, "PassStateExited", R"({"name":"A"})"},
                               {4, 3, "ChoiceStateEntered", R"({"name":"Again?"})"},
                               {5, 4, "ChoiceStateExited", R"({"name":"Again?"})"},
                               {6, 5, "PassStateEntered", R"({"name":"A"})"}});
  EXPECT_EQ(states_of(events), (Lines{"A RUNNING", "Again? SUCCEEDED"}));
  EXPECT_EQ(tree_of(events).states()[0].visits, 2);
  EXPECT_EQ(tree_of(events).states()[0].entered, Instant{1'006'000});
}

TEST(ExecutionTree, branches_whose_events_interleave_are_told_apart) {
  const auto events = history({{1, 0, "ExecutionStarted"},
                               {2, 0, "ParallelStateEntered", R"({"name":"Both"})"},
                               {3, 2, "ParallelStateStarted"},
                               {4, 3, "PassStateEntered", R"({"name":"A"})"},
                               {5, 3, "TaskStateEntered", R"({"name":"X"})"},
                               {6, 4, "PassStateExited", R"({"name":"A"})"},
                               {7, 5, "TaskScheduled", kScheduled},
                               {8, 6, "PassStateEntered", R"({"name":"B"})"}});
  EXPECT_EQ(states_of(events),
            (Lines{"Both RUNNING", "Both[0]/A SUCCEEDED", "Both[1]/X RUNNING", "Both[0]/B RUNNING"}));
  EXPECT_EQ(tree_of(events).states()[2].resource, "batch:submitJob.sync");
}

// Nested: the inner Parallel ends by an event that points at one of its branches.
TEST(ExecutionTree, the_end_of_an_inner_parallel_is_no_end_of_the_outer_one) {
  const auto events = history({{1, 0, "ExecutionStarted"},
                               {2, 0, "ParallelStateEntered", R"({"name":"Outer"})"},
                               {3, 2, "ParallelStateStarted"},
                               {4, 3, "ParallelStateEntered", R"({"name":"Inner"})"},
                               {5, 3, "WaitStateEntered", R"({"name":"W"})"},
                               {6, 4, "ParallelStateStarted"},
                               {7, 6, "PassStateEntered", R"({"name":"P"})"},
                               {8, 7, "PassStateExited", R"({"name":"P"})"},
                               {9, 8, "ParallelStateSucceeded"},
                               {10, 8, "ParallelStateExited", R"({"name":"Inner"})"},
                               {11, 10, "PassStateEntered", R"({"name":"Q"})"}});
  EXPECT_EQ(states_of(events), (Lines{"Outer RUNNING", "Outer[0]/Inner SUCCEEDED", "Outer[1]/W RUNNING",
                                      "Outer[0]/Inner[0]/P SUCCEEDED", "Outer[0]/Q RUNNING"}));
}

const std::initializer_list<EventLine> kMapUnderWay = {
    {1, 0, "ExecutionStarted"},
    {2, 0, "MapStateEntered", R"({"name":"Train"})"},
    {3, 2, "MapStateStarted", R"({"length":3})"},
    {4, 3, "MapIterationStarted", R"({"name":"Train","index":0})"},
    {5, 3, "MapIterationStarted", R"({"name":"Train","index":1})"},
    {6, 4, "TaskStateEntered", R"({"name":"Fit"})"},
    {7, 5, "TaskStateEntered", R"({"name":"Fit"})"},
    {8, 6, "TaskScheduled", kScheduled},
    {9, 8, "TaskStarted", kScheduled},
    {10, 9, "TaskSubmitted", kSubmitted},
    {11, 7, "TaskScheduled", kScheduled},
    {12, 10, "TaskSucceeded", R"({"output":"{}"})"},
    {13, 12, "TaskStateExited", R"({"name":"Fit"})"},
    {14, 13, "MapIterationSucceeded", R"({"name":"Train","index":0})"},
    // Started by the end of the first.
    {15, 13, "MapIterationStarted", R"({"name":"Train","index":2})"},
    {16, 15, "TaskStateEntered", R"({"name":"Fit"})"}};

TEST(ExecutionTree, iterations_are_numbered_and_those_that_wait_for_others_too) {
  EXPECT_EQ(states_of(history(kMapUnderWay)), (Lines{"Train RUNNING", "Train[0]/Fit SUCCEEDED",
                                                     "Train[1]/Fit RUNNING", "Train[2]/Fit RUNNING"}));
  EXPECT_EQ(tree_of(history(kMapUnderWay)).states()[1].job_id, kJob);
}

TEST(ExecutionTree, a_failed_try_is_tried_again_or_caught_or_fatal) {
  const std::initializer_list<EventLine> tried = {{1, 0, "ExecutionStarted"},
                                                  {2, 0, "TaskStateEntered", R"({"name":"Fit"})"},
                                                  {3, 2, "TaskScheduled", kScheduled},
                                                  {4, 3, "TaskFailed", kJobFailed}};
  EXPECT_EQ(states_of(history(tried)), Lines{"Fit RETRYING"});
  EXPECT_EQ(tree_of(history(tried)).states()[0].failure, "States.TaskFailed: job 1b9d6bcd: exit 3");
  const auto with = [&](std::initializer_list<EventLine> more) {
    json::Array all = history(tried);
    for (const json::Value& event : history(more)) all.push_back(event);
    return all;
  };
  const auto again = with({{5, 4, "TaskScheduled", kScheduled}});
  EXPECT_EQ(states_of(again), Lines{"Fit RUNNING"});
  EXPECT_EQ(tree_of(again).states()[0].tries, 2);
  EXPECT_EQ(states_of(with({{5, 4, "TaskStateExited", R"({"name":"Fit"})"}})), Lines{"Fit CAUGHT"});
  const auto fatal = with({{5, 4, "ExecutionFailed", kJobFailed}});
  EXPECT_EQ(states_of(fatal), Lines{"Fit FAILED"});
  EXPECT_EQ(tree_of(fatal).status(), "FAILED");
  EXPECT_EQ(tree_of(fatal).ended(), Instant{1'005'000});
}

json::Array map_that_fails(std::initializer_list<EventLine> more) {
  json::Array all = history({{1, 0, "ExecutionStarted"},
                             {2, 0, "MapStateEntered", R"({"name":"M"})"},
                             {3, 2, "MapStateStarted", R"({"length":2})"},
                             {4, 3, "MapIterationStarted", R"({"name":"M","index":0})"},
                             {5, 3, "MapIterationStarted", R"({"name":"M","index":1})"},
                             {6, 4, "TaskStateEntered", R"({"name":"A"})"},
                             {7, 5, "WaitStateEntered", R"({"name":"W"})"},
                             {8, 6, "TaskScheduled", kScheduled},
                             {9, 8, "TaskFailed", R"({"error":"Bad"})"},
                             {10, 9, "MapIterationFailed", R"({"name":"M","index":0})"},
                             {11, 9, "WaitStateAborted"},
                             {12, 9, "MapIterationAborted", R"({"name":"M","index":1})"}});
  for (const json::Value& event : history(more)) all.push_back(event);
  return all;
}

TEST(ExecutionTree, an_iteration_that_fails_takes_its_siblings_along) {
  EXPECT_EQ(states_of(map_that_fails(
                {{13, 9, "MapStateFailed"}, {14, 13, "ExecutionFailed", R"({"error":"Bad"})"}})),
            (Lines{"M FAILED", "M[0]/A FAILED", "M[1]/W ABORTED"}));
  EXPECT_EQ(
      states_of(map_that_fails({{13, 9, "MapStateFailed"}, {14, 13, "MapStateExited", R"({"name":"M"})"}})),
      (Lines{"M CAUGHT", "M[0]/A FAILED", "M[1]/W ABORTED"}));
  EXPECT_EQ(tree_of(map_that_fails({{13, 9, "MapStateFailed"}})).states()[0].failure, "Bad");
}

TEST(ExecutionTree, a_map_that_is_tried_again_starts_with_new_iterations) {
  const auto tree = tree_of(map_that_fails({{13, 9, "MapStateStarted", R"({"length":2})"},
                                            {14, 13, "MapIterationStarted", R"({"name":"M","index":0})"}}));
  EXPECT_EQ(tree.states()[0].tries, 2);
  EXPECT_EQ(tree.states()[0].status, StateStatus::Running);
  EXPECT_EQ(tree.states()[0].threads.size(), 1u);
}

TEST(ExecutionTree, what_fails_without_an_event_of_its_own_fails_with_all_around_it) {
  EXPECT_EQ(
      states_of(history({{1, 0, "ExecutionStarted"},
                         {2, 0, "ParallelStateEntered", R"({"name":"Both"})"},
                         {3, 2, "ParallelStateStarted"},
                         {4, 3, "PassStateEntered", R"({"name":"A"})"},
                         {5, 3, "WaitStateEntered", R"({"name":"B"})"},
                         {6, 4, "ExecutionFailed", R"({"error":"States.Runtime","cause":"no such path"})"}})),
      (Lines{"Both FAILED", "Both[0]/A FAILED", "Both[1]/B ABORTED"}));
}

TEST(ExecutionTree, a_redrive_goes_on_in_what_has_not_succeeded) {
  const auto events = map_that_fails({{13, 9, "MapStateFailed"},
                                      {14, 13, "ExecutionFailed", R"({"error":"Bad"})"},
                                      {15, 14, "ExecutionRedriven", R"({"redriveCount":1})"},
                                      {16, 15, "TaskStateEntered", R"({"name":"A"})"},
                                      {17, 15, "WaitStateEntered", R"({"name":"W"})"},
                                      {18, 16, "TaskScheduled", kScheduled}});
  EXPECT_EQ(states_of(events), (Lines{"M RUNNING", "M[0]/A RUNNING", "M[1]/W RUNNING"}));
  EXPECT_EQ(tree_of(events).status(), "RUNNING");
  EXPECT_EQ(tree_of(events).states()[1].tries, 1);
}

TEST(ExecutionTree, a_branch_that_ends_in_Fail_has_failed_and_its_siblings_are_given_up) {
  const auto tree = tree_of(history({{1, 0, "ExecutionStarted"},
                                     {2, 0, "ParallelStateEntered", R"({"name":"Both"})"},
                                     {3, 2, "ParallelStateStarted"},
                                     {4, 3, "FailStateEntered", R"({"name":"F"})"},
                                     {5, 3, "WaitStateEntered", R"({"name":"W"})"},
                                     {6, 4, "WaitStateAborted"},
                                     {7, 4, "ParallelStateFailed"},
                                     {8, 7, "ParallelStateExited", R"({"name":"Both"})"}}));
  EXPECT_EQ(tree.threads()[1].status, StateStatus::Failed);
  EXPECT_EQ(tree.threads()[2].status, StateStatus::Aborted);
  EXPECT_EQ(tree.states()[0].status, StateStatus::Caught);
}

TEST(ExecutionTree, an_abort_ends_what_is_open) {
  EXPECT_EQ(states_of(history({{1, 0, "ExecutionStarted"},
                               {2, 0, "WaitStateEntered", R"({"name":"W"})"},
                               {3, 0, "ExecutionAborted", R"({"error":"Stopped"})"}})),
            Lines{"W ABORTED"});
}

TEST(ExecutionTree, events_may_come_twice_and_hold_anything) {
  ExecutionTree tree;
  const auto events = history(kMapUnderWay);
  for (int i = 0; i < 2; ++i)
    for (const json::Value& event : events) tree.add(event);
  EXPECT_EQ(tree.states().size(), 4u);
  for (const char* type :
       {"TaskFailed", "MapIterationStarted", "MapIterationFailed", "MapStateExited", "MapStateFailed",
        "ParallelStateStarted", "TaskScheduled", "TaskSubmitted", "MapRunStarted", "WaitStateAborted",
        "StateEntered", "ExecutionRedriven", "ExecutionFailed", "Execution", ""}) {
    ExecutionTree fresh;
    EXPECT_EQ(
        fresh.path(fresh.add(json::Object{{"type", type}, {"id", 1}, {"previousEventId", 7}})).find('['),
        std::string::npos)
        << type;
    fresh.add(parsed(R"({"type":"PassStateEntered","id":2,"previousEventId":1})"));
  }
  ExecutionTree none;
  for (const char* text :
       {"null", "[]", R"({"id":"x","type":5,"timestamp":"now"})", R"({"id":-1,"timestamp":1e300})"})
    none.add(parsed(text));
  EXPECT_FALSE(none.started());
}

// ---- failures in one line ----

TEST(Failure, causes_are_cut_down_to_what_a_person_wants_to_know) {
  const std::pair<std::pair<const char*, const char*>, const char*> rows[] = {
      {{"E", "plain\ntext"}, "E: plain text"},
      {{"", ""}, ""},
      {{"E", ""}, "E"},
      {{"", "why"}, "why"},
      {{"States.TaskFailed", R"({"JobId":"1b9d6bcd-x","Status":"FAILED","StatusReason":"Cancelled by ada"})"},
       "States.TaskFailed: job 1b9d6bcd: Cancelled by ada"},
      {{"States.TaskFailed", R"({"ExecutionArn":"a","Name":"child","Error":"Bad","Cause":"luck"})"},
       "States.TaskFailed: execution child: Bad: luck"},
      {{"States.TaskFailed",
        R"({"ExecutionArn":"a","Name":"child","Error":"States.TaskFailed","Cause":"{\"JobId\":\"j\",\"Status\":\"FAILED\"}"})"},
       "States.TaskFailed: execution child: States.TaskFailed: job j FAILED"},
      {{"KeyError", R"({"errorMessage":"no 'x'","errorType":"KeyError"})"}, "KeyError: no 'x'"},
      {{"E", R"({"of":"mine"})"}, R"(E: {"of":"mine"})"},
      {{"E", "[1]"}, "E: [1]"}};
  for (const auto& [failure, text] : rows) {
    const std::string shown = failure_text(failure.first, failure.second);
    EXPECT_EQ(shown, text);
  }
}

// ---- the picture ----

TEST(ExecutionFrame, shows_states_with_iterations_below_them) {
  EXPECT_EQ(frame_of(history(kMapUnderWay)),
            "digits monday  RUNNING  1m39s\n"
            "STATE      TYPE  STATUS      TIME  TRIES  DETAILS\n"
            "Train      Map   RUNNING    1m38s         2 running, 1 succeeded\n"
            "├ [0] Fit  Task  SUCCEEDED     7s         job 1b9d6bcd\n"
            "├ [1] Fit  Task  RUNNING    1m33s         batch:submitJob.sync\n"
            "└ [2] Fit  Task  RUNNING    1m24s\n");
}

TEST(ExecutionFrame, says_what_jobs_wait_for) {
  ExecutionData data{.name = "monday", .machine = "digits"};
  for (const json::Value& event : history({{1, 0, "ExecutionStarted"},
                                           {2, 0, "TaskStateEntered", R"({"name":"Fit"})"},
                                           {3, 2, "TaskScheduled", kScheduled},
                                           {4, 3, "TaskSubmitted", kSubmitted}}))
    data.tree.add(event);
  JobView job{.id = std::string(kJob), .status = "RUNNABLE", .reason = "needs 1 GPU, none is free"};
  data.jobs[job.id] = job;
  const auto lines = execution_frame(data, kNow, {.columns = 100});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[2].ends_with("job 1b9d6bcd RUNNABLE: needs 1 GPU, none is free")) << lines[2];
}

TEST(ExecutionFrame, opens_iterations_of_several_states) {
  const auto text = frame_of(history({{1, 0, "ExecutionStarted"},
                                      {2, 0, "ParallelStateEntered", R"({"name":"Both"})"},
                                      {3, 2, "ParallelStateStarted"},
                                      {4, 3, "PassStateEntered", R"({"name":"A"})"},
                                      {5, 3, "WaitStateEntered", R"({"name":"X"})"},
                                      {6, 4, "PassStateExited", R"({"name":"A"})"},
                                      {7, 6, "FailStateEntered", R"({"name":"B"})"}}));
  EXPECT_EQ(text,
            "digits monday  RUNNING  1m39s\n"
            "STATE    TYPE      STATUS      TIME  TRIES  DETAILS\n"
            "Both     Parallel  RUNNING    1m38s         2 running\n"
            "├ [0]              RUNNING    1m36s\n"
            "│   A    Pass      SUCCEEDED     2s\n"
            "│   B    Fail      FAILED        0s\n"
            "└ [1] X  Wait      RUNNING    1m35s\n");
}

json::Array large_map(int iterations, int running) {
  json::Array events = history({{1, 0, "ExecutionStarted"},
                                {2, 0, "MapStateEntered", R"({"name":"Train"})"},
                                {3, 2, "MapStateStarted", R"({"length":100})"}});
  std::int64_t id = 3;
  for (int i = 0; i < iterations; ++i) {
    const std::string named = R"({"name":"Train","index":)" + std::to_string(i) + "}";
    for (const json::Value& event : history({{id + 1, 3, "MapIterationStarted", named},
                                             {id + 2, id + 1, "PassStateEntered", R"({"name":"Fit"})"}}))
      events.push_back(event);
    id += 2;
    if (i < running) continue;
    for (const json::Value& event : history({{id + 1, id, "PassStateExited", R"({"name":"Fit"})"},
                                             {id + 2, id + 1, "MapIterationSucceeded", named}}))
      events.push_back(event);
    id += 2;
  }
  return events;
}

TEST(ExecutionFrame, never_is_larger_than_the_terminal_and_counts_what_is_left_out) {
  const auto events = large_map(500, 3);
  const std::string text = frame_of(events, {.columns = 80, .rows = 12});
  for (const char* part : {"[0] Fit", "[2] Fit", "└ … 495 more  ", "  495 succeeded\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  for (std::size_t rows = 1; rows < 40; ++rows)
    for (const std::size_t columns : {20u, 60u}) {
      ExecutionData data{.name = "monday", .machine = "digits", .tree = tree_of(events)};
      const auto lines = execution_frame(data, kNow, {.columns = columns, .rows = rows});
      EXPECT_LE(lines.size(), rows);
      for (const std::string& line : lines) EXPECT_LE(text_width(line), columns) << line;
    }
}

TEST(ExecutionFrame, shows_what_goes_on_before_what_is_done) {
  json::Array events = large_map(30, 0);
  const std::string text = frame_of(events, {.columns = 80});
  EXPECT_NE(text.find("[23] Fit"), std::string::npos) << text;
  EXPECT_EQ(text.find("[24] Fit"), std::string::npos) << text;
  EXPECT_NE(text.find("└ … 6 more"), std::string::npos) << text;
}

TEST(LiveRegion, draws_over_itself_and_lets_what_is_said_scroll_by) {
  std::string written;
  Stream out{.write = [&](std::string_view text) { written += text; }, .terminal = true};
  {
    LiveRegion region(out);
    region.draw({"a", "b"});
    written.clear();
    region.say("hello");
    EXPECT_EQ(written, "\r\x1b[2A\x1b[Jhello\n\ra\x1b[K\nb\x1b[K\n\x1b[J");
    written.clear();
    region.draw({"c"});
    EXPECT_EQ(written, "\r\x1b[2Ac\x1b[K\n\x1b[J");
    written.clear();
  }
  EXPECT_EQ(written, "\x1b[?7h\x1b[?25h") << "lines wrap again, and the cursor is back";
}

// ---- history ----

TEST(History, is_a_line_an_event_with_its_place) {
  const auto events = history(kMapUnderWay);
  const std::vector<json::Value> list(events.begin(), events.end());
  const auto lines = history_table(list, false).lines({});
  ASSERT_EQ(lines.size(), 17u);
  EXPECT_EQ(lines[0], "ID   AT  STATE         EVENT                  DETAILS");
  EXPECT_EQ(lines[3], " 3   2s  Train         MapStateStarted        3 items");
  EXPECT_EQ(lines[5], " 5   4s  Train[1]      MapIterationStarted");
  EXPECT_EQ(lines[10], "10   9s  Train[0]/Fit  TaskSubmitted          job 1b9d6bcd");
  EXPECT_EQ(history_table(list, true).lines({})[7], lines[10]);
}

TEST(History, news_are_the_events_that_tell_a_person_something) {
  Lines news;
  ExecutionTree tree;
  const auto events = history(kMapUnderWay);
  for (const json::Value& event : events) {
    const auto place = tree.add(event);
    if (const std::string text = event_news(event, tree, place); !text.empty())
      news.push_back(tree.path(place) + ": " + text);
  }
  EXPECT_EQ(news, (Lines{"Train: map", "Train: 3 items", "Train[0]/Fit: task", "Train[1]/Fit: task",
                         "Train[0]/Fit: job 1b9d6bcd", "Train[0]/Fit: done after 7s", "Train[2]/Fit: task"}));
}

// ---- executions ----

TEST(Execution, is_read_from_DescribeExecution) {
  const ExecutionView view = view_of_execution(parsed(
      R"({"executionArn":"arn:aws:states:us-east-1:000000000000:execution:digits:monday","name":"monday","status":"FAILED",
        "stateMachineArn":"arn:aws:states:us-east-1:000000000000:stateMachine:digits","startDate":1000.5,"stopDate":1003,
        "error":"Bad","cause":"luck","redriveCount":2})"));
  EXPECT_EQ(view.machine, "digits");
  EXPECT_EQ(view.failure, "Bad: luck");
  EXPECT_EQ(view.ran(kNow), milliseconds(2500));
  EXPECT_EQ(execution_table({view}, kNow).render({}),
            "NAME    MACHINE  STATUS  STARTED     RAN  REDRIVES\n"
            "monday  digits   FAILED  1m39s ago  2.5s         2\n");
  EXPECT_EQ(short_execution(kJob), "1b9d6bcd");
  EXPECT_EQ(short_execution("a-name-of-my-own"), "a-name-of-my-own");
  EXPECT_EQ(machine_of_arn("digits"), "");
}

TEST(IndentedJson, changes_nothing_but_the_blanks) {
  EXPECT_EQ(indented_json(R"({"a" :[1.0,{ }, [
 ],-1E5],"b\"{":"[,\\","c":{"d":null}})"),
            "{\n"
            "  \"a\": [\n"
            "    1.0,\n"
            "    {},\n"
            "    [],\n"
            "    -1E5\n"
            "  ],\n"
            "  \"b\\\"{\": \"[,\\\\\",\n"
            "  \"c\": {\n"
            "    \"d\": null\n"
            "  }\n"
            "}");
  EXPECT_EQ(indented_json(" 0.9749303621169917 "), "0.9749303621169917");
  for (const char* text : {"", "\"", "\"\\", "]]", "{", "[\""})
    EXPECT_LE(indented_json(text).size(), 6u) << text;
}

// ---- files ----

TEST(DefinitionFile, names_the_machine) {
  const std::pair<const char*, const char*> rows[] = {{"train.asl.json", "train"},
                                                      {"/a/b.c/train.json", "train"},
                                                      {"my train.asl", "my-train"},
                                                      {".json", ".json"},
                                                      {"", "machine"},
                                                      {"größe.json", "gr----e"}};
  for (const auto& [path, name] : rows) EXPECT_EQ(machine_name_of_file(path), name) << path;
  EXPECT_EQ(machine_name_of_file(std::string(200, 'a')).size(), 80u);
}

constexpr std::string_view kDefinition = R"({
  "StartAt": "A",
  "States": {
    "A": {"Type": "Pass",
          "Next": "a \"b\" / {,"},
    "a \"b\" / {,": {
      "Type": "Choice",
      "Choices": [
        {"Variable": "$.x", "IsNull": true, "Next": "A"},

        {
          "Variable": "$.[,", "IsNull": true,
          "Next": "nowhere"
        }
      ]
    }
  }
})";

TEST(DefinitionFile, finds_the_line_of_a_place) {
  const std::pair<const char*, std::size_t> rows[] = {
      {"/", 1},
      {"/StartAt", 2},
      {"/States", 3},
      {"/States/A", 4},
      {"/States/A/Next", 5},
      {"/States/A/Missing", 4},
      {"/States/A2", 3},
      {"/States/a \"b\" / {,/Choices", 8},
      {"/States/a \"b\" / {,/Choices[0]", 9},
      {"/States/a \"b\" / {,/Choices[1]", 11},
      {"/States/a \"b\" / {,/Choices[1]/Next", 13},
      {"/States/a \"b\" / {,/Choices[7]/Next", 8},
      {"[Source: (String)\"{ line: 9\"; line: 3, column: 4]", 3},
      {"", 0},
      {"elsewhere", 0}};
  for (const auto& [location, line] : rows)
    EXPECT_EQ(line_of_location(kDefinition, location), line) << location;
}

TEST(DefinitionFile, that_is_no_JSON_has_lines_as_far_as_it_goes) {
  for (const char* text :
       {"", "{", "[", "{\"a", "{\"a\\", "}", "]],,", "{\"States\":{\"A\":", "{{{{", "[[[[\"", "\"\\ud800\":"})
    EXPECT_EQ(line_of_location(text, "/States/A/Next"), 1u) << text;
  EXPECT_EQ(line_of_location(std::string(100'000, '['), "/States"), 1u);
}

TEST(DefinitionFile, faults_are_lines_in_the_order_of_the_file) {
  const auto found = diagnostics_of(parsed(R"({"result":"FAIL","diagnostics":[
      {"severity":"ERROR","code":"MISSING_TRANSITION_TARGET","message":"Missing 'Next' target: nowhere","location":"/States/a \"b\" / {,/Choices[1]/Next"},
      {"severity":"WARNING","code":"NO_DOLLAR","message":"m","location":"/States/A"},
      {"severity":"ERROR","code":"SCHEMA_VALIDATION_FAILED","message":"Definition must be a valid JSON object"}]})"),
                                    kDefinition);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(diagnostic_text("t.json", found[0]),
            "t.json: error: SCHEMA_VALIDATION_FAILED: Definition must be a valid JSON object");
  EXPECT_EQ(diagnostic_text("t.json", found[1]), "t.json:4: warning: NO_DOLLAR: m (/States/A)");
  EXPECT_EQ(diagnostic_text("t.json", found[2]),
            "t.json:13: error: MISSING_TRANSITION_TARGET: Missing 'Next' target: nowhere (/States/a \"b\" / "
            "{,/Choices[1]/Next)");
}

}  // namespace
}  // namespace stoker::cli
