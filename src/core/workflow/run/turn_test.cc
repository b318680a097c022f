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

}  // namespace
}  // namespace stoker::workflow
