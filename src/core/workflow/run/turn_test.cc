// What falls due at the same time, as after a server was away.
#include <gtest/gtest.h>

#include "core/workflow/run/testing/driver.h"

namespace stoker::workflow {
namespace {

TEST(Turn, a_parallel_that_is_complete_goes_on_before_a_later_timer_ends_it) {
  testing::Driver driver(R"({"StartAt":"Outer","States":{"Outer":{"Type":"Parallel","End":true,"Branches":[
    {"StartAt":"Inner","States":{"Inner":{"Type":"Parallel","End":true,"Branches":[
      {"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1,"End":true}}}]}}},
    {"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:us-east-1:000000000000:activity:w",
      "TimeoutSeconds":2,"End":true}}}]}}})");
  driver.start("{}");
  driver.now = driver.now + seconds(10);
  driver.tell(TimerDue{});
  EXPECT_EQ(driver.execution().status(), Status::Failed);
  std::vector<std::string_view> types;
  for (const HistoryEvent& event : driver.history) types.push_back(name(event.type));
  const auto place = [&](std::string_view type) { return std::ranges::find(types, type) - types.begin(); };
  EXPECT_LT(place("ParallelStateSucceeded"), place("ActivityTimedOut"));
}

TEST(Turn, expensive_expressions_make_it_shorter) {
  const auto states_in_the_first_turn = [](const std::string& expression) {
    std::string states;
    for (int i = 0; i < 50; ++i)
      states += "\"s" + std::to_string(i) + R"(":{"Type":"Pass","Output":"{% )" + expression +
                R"( %}","Next":"s)" + std::to_string(i + 1) + "\"},";
    testing::Driver driver(R"({"QueryLanguage":"JSONata","StartAt":"s0","States":{)" + states +
                           R"("s50":{"Type":"Succeed"}}})");
    driver.start("{}");
    return std::ranges::count(driver.history, EventType::PassStateExited, &HistoryEvent::type);
  };
  EXPECT_EQ(states_in_the_first_turn("1"), 50);
  EXPECT_LT(states_in_the_first_turn("$sum([1..100000].($ * 2))"), 5);
}

TEST(Turn, one_state_may_not_cost_more_than_all_its_expressions_together_may) {
  std::string members;
  for (int i = 0; i < 100; ++i)
    members += (i > 0 ? ",\"" : "\"") + std::to_string(i) + R"(":"{% $sum([1..200000].($ * 2)) %}")";
  testing::Driver driver(
      R"({"QueryLanguage":"JSONata","StartAt":"P","States":{"P":{"Type":"Pass","End":true,"Output":{)" +
      members + "}}}}");
  driver.start("{}");
  driver.advance(seconds(1));
  EXPECT_EQ(driver.execution().status(), Status::Failed);
  EXPECT_EQ(driver.execution().error(), "States.QueryEvaluationError");
}

}  // namespace
}  // namespace stoker::workflow
