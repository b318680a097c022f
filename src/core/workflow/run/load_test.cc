// Records that do not belong together are refused, not run.
#include <gtest/gtest.h>

#include "core/workflow/run/testing/driver.h"

namespace stoker::workflow {
namespace {

using testing::Driver;

constexpr const char* kDefinition = R"({"StartAt": "P", "States": {
  "P": {"Type": "Parallel", "End": true, "Branches": [
    {"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "arn:aws:states:r:1:activity:a", "End": true}}},
    {"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 9, "End": true}}}]}}})";

Snapshot records() {
  Driver driver(kDefinition);
  driver.start("{}");
  return driver.records();
}

bool loads(const Snapshot& snapshot) {
  return Execution::load(Driver::program(kDefinition), {}, snapshot).has_value();
}

TEST(WorkflowLoad, what_was_written_is_read) {
  const Snapshot written = records();
  ASSERT_EQ(written.threads.size(), 3u);
  EXPECT_TRUE(loads(written));
}

TEST(WorkflowLoad, records_that_contradict_each_other_are_refused) {
  const auto refused = [](const char* what, auto change) {
    Snapshot snapshot = records();
    change(snapshot);
    EXPECT_FALSE(loads(snapshot)) << what;
  };
  refused("no input", [](Snapshot& s) { s.payloads.clear(); });
  refused("an input that is no JSON", [](Snapshot& s) { s.payloads[0].text = "{"; });
  refused("a body that is no JSON", [](Snapshot& s) { s.execution.body = "x"; });
  refused("a thread that is no JSON", [](Snapshot& s) { s.threads[0].body = ""; });
  refused("branches without their parent", [](Snapshot& s) { s.threads.erase(s.threads.begin()); });
  refused("a state that is not in the definition", [](Snapshot& s) {
    auto& body = s.threads[1].body;
    body.replace(body.find("\"state\":\"T\""), 11, "\"state\":\"X\"");
  });
  refused("a task without its token", [](Snapshot& s) {
    auto& body = s.threads[1].body;
    body.replace(body.find("\"token\""), 7, "\"taken\"");
  });
  refused("a phase without what it waits for", [](Snapshot& s) {
    auto& body = s.threads[1].body;
    body.replace(body.find("\"task\""), 6, "\"tusk\"");
  });
  refused("a child of no map run", [](Snapshot& s) {
    s.map_children.push_back({.execution = 7, .run = 1, .index = 0, .body = "{}"});
  });
}

// Another definition, whose states have other names and kinds.
TEST(WorkflowLoad, another_definition_is_refused) {
  const auto other = Driver::program(R"({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}})");
  EXPECT_FALSE(Execution::load(other, {}, records()).has_value());
}

TEST(WorkflowTokens, of_one_execution_differ_and_do_not_hang_on_the_plain_random_numbers) {
  Driver one(kDefinition);
  Driver two(kDefinition);
  one.start("{}");
  ExecutionStart other_seed;
  other_seed.seed = 12;
  two.start("{}", other_seed);
  const TaskToken token = one.tasks("T").at(0).token;
  EXPECT_EQ(token.execution, 7u);
  EXPECT_NE(token.secret_high, two.tasks("T").at(0).token.secret_high);
  // A guess at a part of the token opens nothing.
  TaskToken guess = token;
  guess.secret_low ^= 1;
  EXPECT_EQ(one.tell(TaskSucceeded{guess, Document()}), Heard::Stale);
  EXPECT_EQ(one.tell(TaskSucceeded{token, Document()}), Heard::Taken);
}

}  // namespace
}  // namespace stoker::workflow
